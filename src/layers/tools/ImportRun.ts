import { createHash, type Hash } from "node:crypto"
import { basename } from "node:path"
import { ElementRefused, UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import { TaggedError } from "../../structure/errors/TaggedError.ts"
import type {
  EdgeListing,
  GraphDecoder,
  GraphReceiver,
  StreamedEdge,
  StreamedVertex
} from "../../structure/graph/GraphStream.ts"
import { externalId } from "./ExternalIds.ts"
import type { ImportOptions } from "./ImportOptions.ts"
import type { ImportPass } from "./ImportPasses.ts"
import { DEFAULT_EDGE_LABEL, type ImportPosition, type ImportTarget, type ListedEdges } from "./ImportTarget.ts"
import { bytesOf, decoderOf, guarded, type InputFile } from "./InputFiles.ts"
import { KeySurvey } from "./KeySurvey.ts"
import { counted, pause, type ToolContext, ToolFailure } from "./Report.ts"

/** Lines of one pass that an origin can number: origins are integers below 2^53. */
const MAX_LINES = 2 ** 40

/** Runs the passes of an import in order. */
export class ImportRun {
  position: ImportPosition
  readonly #target: ImportTarget
  readonly #passes: ReadonlyArray<ImportPass>
  readonly #options: ImportOptions
  readonly #context: ToolContext
  readonly #keys: KeySurvey
  /** Elements of the pass that are already in the graph. */
  #skip = 0
  #elements = 0
  #vertices: number
  #edges: number
  /** The digest of the decoded bytes of the file, and the bytes up to the last complete record, with their digest. */
  #hash: Hash = createHash("sha256")
  #bytes = 0
  #digested: Hash = this.#hash
  #preparedEdges = false
  /** The edges of the passes that were read. A resumed import reads the file of its pass again, but not those before. */
  #listed: ListedEdges

  constructor(target: ImportTarget, passes: ReadonlyArray<ImportPass>, options: ImportOptions, context: ToolContext) {
    this.#target = target
    this.#passes = passes
    this.#options = options
    this.#keys = new KeySurvey(options.idProperty)
    this.#context = context
    this.position = target.begun
    this.#vertices = target.begun.vertices
    this.#edges = target.begun.edges
    this.#listed = target.begun.listed ?? { missing: 0, firstIn: "" }
  }

  /**
   * True for a file that is read before the first commit: GraphSON and GraphML have no header that lists the types of keys and those with
   * several values, and an import that cannot resume must know before that its edges have labels.
   */
  #isSurveyed({ format, holds }: InputFile): boolean {
    const { fixesTypes, resumes, takesDefaultEdgeLabel } = this.#target
    if (fixesTypes && format !== "csv") return true
    const { edgeLabel = DEFAULT_EDGE_LABEL } = this.#options
    return !resumes && !takesDefaultEdgeLabel && edgeLabel === DEFAULT_EDGE_LABEL && holds.includes("edges")
  }

  /** Reads files to find the types of their keys. Throws ToolFailure for an edge whose label is refused. */
  async survey(files: ReadonlyArray<InputFile>): Promise<void> {
    for (const file of files) {
      // A header names all types of a key.
      if (file.columns !== undefined) this.#keys.columns(file.columns, file.holds)
      if (this.#isSurveyed(file)) await guarded(file.path, () => this.#survey(file))
    }
    await this.#target.defineMixed(this.#keys.mixed)
  }

  async #survey(file: InputFile): Promise<void> {
    const keys = file.format === "csv" ? undefined : this.#keys
    const receiver = new PassReceiver(
      0,
      file.path,
      (vertex) => keys?.vertex(vertex),
      (edge) => {
        const labelled = this.#labelled(edge)
        keys?.edge(labelled)
      }
    )
    const decoder = decoderOf(file, receiver, this.#options)
    receiver.decoder = decoder
    const what = file.format === "csv" ? "labels" : "keys"
    await this.#read(file, decoder, `${what} of ${basename(file.path)}`, () => Promise.resolve())
  }

  /** Runs the pass with an index. */
  async pass(pass: number): Promise<void> {
    const { file, takes } = this.#passes[pass]!
    if ((takes === "edges" || this.#options.upsert === true) && !this.#preparedEdges) {
      this.#preparedEdges = true
      await this.#target.prepareEdges(this.#context)
    }
    this.#skip = this.position.step === pass ? this.position.elements : 0
    this.#elements = 0
    const { decoder, receiver } = this.#reading(pass)
    receiver.decoder = decoder
    await this.#read(file, decoder, `${takes} of ${basename(file.path)}`, async () => {
      if (this.#target.full) await this.#commit(pass)
    })
    // No commit between passes: the row of a vertex is written once when its edges are in the same commit.
    const isLast = pass === this.#passes.length - 1
    if (isLast || this.#target.full || this.#context.shared) await this.#commit(pass)
    if (takes !== "edges") return
    const { firstIn, ins, outs } = receiver
    this.#listed = { missing: this.#listed.missing + ins - outs, firstIn: this.#listed.firstIn || firstIn }
  }

  /** Reads a whole file; `taken` is called after each piece. */
  async #read(file: InputFile, decoder: GraphDecoder, stage: string, taken: () => Promise<void>): Promise<void> {
    let read = 0
    const report = (): void =>
      this.#context.report({ stage, done: read, total: file.bytes, unit: "bytes", note: this.#note() })
    this.#bytes = 0
    this.#hash = createHash("sha256")
    this.#digested = this.#hash.copy()
    let decoded = 0
    report()
    for await (const chunk of bytesOf(file, (bytes) => {
      read = bytes
    })) {
      // Small pieces, because decoding blocks the event loop.
      for (let at = 0; at < chunk.length; ) {
        const piece = chunk.subarray(at, at + this.#target.pieceBytes)
        at += piece.length
        decoder.push(piece)
        decoded += piece.length
        this.#digest(piece, decoded, decoder.tail ?? 0)
        await taken()
        if (this.#context.shared || this.#context.signal.aborted) await pause(this.#context.signal)
      }
      report()
    }
    decoder.end()
    this.#digest(new Uint8Array(), decoded, 0)
    read = file.bytes
    report()
  }

  /** A record that is incomplete, of `tail` bytes, is not in the graph: its line may be corrected before the import goes on. */
  #digest(piece: Uint8Array, decoded: number, tail: number): void {
    const complete = piece.length - tail
    if (complete < 0) {
      this.#hash.update(piece)
      return
    }
    this.#hash.update(piece.subarray(0, complete))
    this.#digested = this.#hash.copy()
    this.#bytes = decoded - tail
    this.#hash.update(piece.subarray(complete))
  }

  /**
   * Edges that the files list only under inE, as a sentence; empty if there are none. They are not imported: without the out-vertex
   * in the files, a later import may have them under outE.
   */
  get leftOut(): string {
    const { firstIn, missing } = this.#listed
    if (missing <= 0) return ""
    return ` WARNING: ${counted(missing, "edge")} left out, because the files list more edges under inE (${firstIn}) than under outE. An import takes an edge from outE of its out-vertex.`
  }

  #note(): string {
    return `${counted(this.#vertices, "vertex")}, ${counted(this.#edges, "edge")}`
  }

  /** The decoder of a pass and the receiver of its elements. */
  #reading(pass: number): { readonly decoder: GraphDecoder; readonly receiver: PassReceiver } {
    const { file, takes } = this.#passes[pass]!
    const isNext = (): boolean => this.#elements++ >= this.#skip
    const vertex = (vertex: StreamedVertex, origin: number): void => {
      if (takes !== "vertices" || !isNext()) return
      this.#target.vertex(this.#prepared(vertex), origin)
      this.#vertices++
    }
    const edge = (edge: StreamedEdge, origin: number): void => {
      if (takes !== "edges" || !isNext()) return
      this.#target.edge(this.#labelled(edge), origin)
      this.#edges++
    }
    const receiver = new PassReceiver(pass, file.path, vertex, edge)
    return { decoder: decoderOf(file, receiver, this.#options), receiver }
  }

  /** The edge with a label that the graph accepts. Throws UnsupportedValue if the options have none. */
  #labelled(edge: StreamedEdge): StreamedEdge {
    const { edgeLabel: label } = this.#options
    if (edge.label !== DEFAULT_EDGE_LABEL || this.#target.takesDefaultEdgeLabel) return edge
    if (label !== undefined && label !== DEFAULT_EDGE_LABEL) return { ...edge, label }
    const refused = "this graph does not accept the label 'edge'"
    throw new UnsupportedValue(
      label === undefined
        ? `the edge has no label, or the label 'edge', and ${refused}: give a label with --edge-label`
        : `${refused}: give another label with --edge-label`
    )
  }

  /** The vertex with its file id as a property, and with the cardinalities that the survey found. */
  #prepared(vertex: StreamedVertex): StreamedVertex {
    const { idProperty } = this.#options
    const properties = this.#keys.withLists(vertex.properties)
    if (idProperty === undefined) return { ...vertex, properties }
    const value = externalId(vertex.id)
    const own = properties.filter(({ key }) => key === idProperty)
    if (own.some((property) => externalId(property.value) !== value)) {
      throw new UnsupportedValue(
        `the vertex ${value} already has a property ${idProperty} with another value: name another key with --id-property`
      )
    }
    if (own.length > 0) return { ...vertex, properties }
    return { ...vertex, properties: [{ id: undefined, key: idProperty, value, meta: null }, ...properties] }
  }

  async #commit(pass: number): Promise<void> {
    this.position = {
      step: pass,
      elements: this.#elements,
      vertices: this.#vertices,
      edges: this.#edges,
      bytes: this.#bytes,
      digest: this.#digested.copy().digest("hex"),
      ...(this.#listed.missing === 0 && this.#listed.firstIn === "" ? {} : { listed: this.#listed })
    }
    // An import that has read only headers is not recorded.
    if (this.#vertices + this.#edges === 0) return
    try {
      await this.#target.commit(this.position)
    } catch (error) {
      throw error instanceof ElementRefused ? this.#refused(error) : error
    }
  }

  /** The error of a commit with the file and line of the refused element. */
  #refused({ message, origin }: ElementRefused): ToolFailure {
    const { path } = this.#passes[Math.floor(origin / MAX_LINES)]!.file
    return refusal(path, origin % MAX_LINES, message)
  }
}

const refusal = (path: string, line: number, message: string): ToolFailure =>
  new ToolFailure(`${path}: line ${line}: ${message}`)

/** Receives the elements of a decoder. The error of a refused element gets its file and line. */
class PassReceiver implements GraphReceiver {
  /** Set before the first element. */
  decoder: GraphDecoder | undefined
  /** Edges that vertices list at their out-vertex and at their in-vertex, and the place of the first of the latter. */
  outs = 0
  ins = 0
  firstIn = ""
  readonly #pass: number
  readonly #path: string
  readonly #vertex: (vertex: StreamedVertex, origin: number) => void
  readonly #edge: (edge: StreamedEdge, origin: number) => void

  constructor(
    pass: number,
    path: string,
    vertex: (vertex: StreamedVertex, origin: number) => void,
    edge: (edge: StreamedEdge, origin: number) => void
  ) {
    this.#pass = pass
    this.#path = path
    this.#vertex = vertex
    this.#edge = edge
  }

  vertex(vertex: StreamedVertex): void {
    this.#located(this.#line, (origin) => this.#vertex(vertex, origin))
  }

  /** Adjacency lists contain each edge twice; the one at its out-vertex is used. */
  edge(edge: StreamedEdge, place: EdgeListing): void {
    if (place === "in") {
      if (this.ins++ === 0) this.firstIn = `${this.#path}: line ${this.#line}`
      return
    }
    if (place === "out") this.outs++
    this.#located(this.#line, (origin) => this.#edge(edge, origin))
  }

  get #line(): number {
    return this.decoder?.line ?? 0
  }

  #located(line: number, receive: (origin: number) => void): void {
    try {
      receive(this.#pass * MAX_LINES + line)
    } catch (error) {
      throw error instanceof TaggedError ? refusal(this.#path, line, error.message) : error
    }
  }
}
