import { basename } from "node:path"
import type {
  GraphDecoder,
  GraphReceiver,
  StreamedEdge,
  StreamedProperty,
  StreamedVertex
} from "../../structure/GraphStream.ts"
import { text } from "../../structure/Text.ts"
import { BEGIN, type GraphSink, type ImportPosition } from "./GraphSink.ts"
import { bytesOf, decoderOf, guarded, type InputFile } from "./InputFiles.ts"
import { counted, grouped, pause, type ToolContext } from "./Report.ts"

export interface ImportOptions {
  /** Label of elements of CSV that have none. */
  readonly label: string | undefined
  /** Key under which vertices keep the id that they have in the file. */
  readonly idProperty: string | undefined
}

/** One reading of a file, for its vertices or for its edges. */
interface Step {
  readonly file: InputFile
  readonly takes: "vertices" | "edges"
}

/** All vertices before all edges: then every edge finds its ends, without holding any. */
const stepsOf = (files: ReadonlyArray<InputFile>): ReadonlyArray<Step> =>
  (["vertices", "edges"] as const).flatMap((takes) =>
    files.filter(({ holds }) => holds.includes(takes)).map((file) => ({ file, takes }))
  )

/** Imports files into a graph and returns what was done, in words. Throws ToolFailure. */
export const importFiles = async (
  files: ReadonlyArray<InputFile>,
  options: ImportOptions,
  sink: GraphSink,
  context: ToolContext
): Promise<string> => {
  const begin = performance.now()
  const { begun } = sink
  const steps = stepsOf(files)
  const run = new ImportRun(sink, options, context)
  if (sink.fixesCardinality) {
    for (const file of files.filter(({ format }) => format === "graphson")) {
      await guarded(file.path, () => run.survey(file))
    }
  }
  for (let step = begun.step; step < steps.length; step++) {
    const { file, takes } = steps[step]!
    await guarded(file.path, () => run.step(step, file, takes, step === steps.length - 1))
  }
  await sink.finish()
  const seconds = (performance.now() - begin) / 1000
  const { edges, vertices } = run.position
  const elements = vertices + edges - begun.vertices - begun.edges
  const rate = `${seconds.toFixed(1)} s, ${grouped(Math.round(elements / Math.max(seconds, 0.001)))} elements/s`
  const resumed =
    begun === BEGIN
      ? ""
      : `, of which ${counted(begun.vertices, "vertex")} and ${counted(begun.edges, "edge")} before an interruption`
  return `Imported ${counted(vertices, "vertex")} and ${counted(edges, "edge")}${resumed} (${rate}).`
}

class ImportRun {
  position: ImportPosition
  readonly #sink: GraphSink
  readonly #options: ImportOptions
  readonly #context: ToolContext
  /** Keys under which some vertex has several values. */
  readonly #lists = new Set<string>()
  /** Elements of the step that are in the graph already. */
  #skip = 0
  #elements = 0
  #vertices: number
  #edges: number

  constructor(sink: GraphSink, options: ImportOptions, context: ToolContext) {
    this.#sink = sink
    this.#options = options
    this.#context = context
    this.position = sink.begun
    this.#vertices = sink.begun.vertices
    this.#edges = sink.begun.edges
  }

  /** Reads a file for the keys under which vertices have several values: nothing in it says so beforehand. */
  async survey(file: InputFile): Promise<void> {
    const vertex = ({ properties }: StreamedVertex): void => {
      for (const [at, { key }] of properties.entries()) {
        if (!this.#lists.has(key) && properties.findIndex((other) => other.key === key) < at) this.#lists.add(key)
      }
    }
    const decoder = decoderOf(file, { vertex, edge: () => undefined }, undefined)
    await this.#read(file, decoder, `keys of ${basename(file.path)}`, () => Promise.resolve())
  }

  async step(step: number, file: InputFile, takes: Step["takes"], isLast: boolean): Promise<void> {
    this.#skip = this.position.step === step ? this.position.elements : 0
    this.#elements = 0
    const decoder = decoderOf(file, this.#receiver(takes), this.#options.label)
    await this.#read(file, decoder, `${takes} of ${basename(file.path)}`, async () => {
      if (this.#sink.full) await this.#commit(step)
    })
    // Vertices whose edges come with the same commit have their rows written once.
    if (isLast || this.#sink.full || this.#context.shared) await this.#commit(step)
  }

  /** Reads a file to its end; `taken` is called after every piece. */
  async #read(file: InputFile, decoder: GraphDecoder, stage: string, taken: () => Promise<void>): Promise<void> {
    let read = 0
    const report = (): void =>
      this.#context.report({ stage, done: read, total: file.bytes, unit: "bytes", note: this.#note() })
    report()
    for await (const chunk of bytesOf(file.path, (bytes) => {
      read = bytes
    })) {
      // Small pieces, because nothing else runs while one is taken.
      for (let at = 0; at < chunk.length; at += PIECE) {
        decoder.push(chunk.subarray(at, at + PIECE))
        await taken()
        if (this.#context.shared || this.#context.signal.aborted) await pause(this.#context.signal)
      }
      report()
    }
    decoder.end()
    read = file.bytes
    report()
  }

  #note(): string {
    return `${counted(this.#vertices, "vertex")}, ${counted(this.#edges, "edge")}`
  }

  #receiver(takes: Step["takes"]): GraphReceiver {
    const isNext = (): boolean => this.#elements++ >= this.#skip
    const vertex = (vertex: StreamedVertex): void => {
      if (takes !== "vertices" || !isNext()) return
      this.#sink.vertex(this.#prepared(vertex))
      this.#vertices++
    }
    const edge = (edge: StreamedEdge): void => {
      if (!isNext()) return
      this.#sink.edge(edge)
      this.#edges++
    }
    // In adjacency lists an edge stands twice, and that with its out-vertex counts.
    return { vertex, edge: (each, place) => (takes === "edges" && place !== "in" ? edge(each) : undefined) }
  }

  /** The vertex with the id of the file under a key, and with what the survey found. */
  #prepared(vertex: StreamedVertex): StreamedVertex {
    const { idProperty } = this.#options
    const properties: ReadonlyArray<StreamedProperty> =
      this.#lists.size === 0
        ? vertex.properties
        : vertex.properties.map((property) =>
            this.#lists.has(property.key) ? { ...property, cardinality: "list" } : property
          )
    if (idProperty === undefined) return { ...vertex, properties }
    const property = { id: undefined, key: idProperty, value: text(vertex.id), meta: null }
    return { ...vertex, properties: [property, ...properties] }
  }

  async #commit(step: number): Promise<void> {
    this.position = { step, elements: this.#elements, vertices: this.#vertices, edges: this.#edges }
    await this.#sink.commit(this.position)
  }
}

/** Bytes that are decoded in one go. */
const PIECE = 64 * 1024
