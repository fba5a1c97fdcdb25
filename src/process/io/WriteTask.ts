import { Pending } from "../../scheduling/Pending.ts"
import type { GraphEncoder } from "../../structure/graph/GraphStream.ts"
import type { DataFolder, Run } from "../plan/Run.ts"
import { WrittenFile } from "./DataFiles.ts"
import { type ChunkItem, ElementChunks } from "./ElementChunks.ts"

/** Characters from which on the text is written to the file. */
const CHUNK_CHARS = 64 * 1024

/** One iteration over the elements of the graph. */
interface Pass {
  readonly kind: "vertex" | "edge"
  readonly withEdges: boolean
  /** Takes an element. Returns the parts of its text that are still to be made, if it may have very many. */
  readonly take: (item: ChunkItem) => Iterable<string> | undefined
}

/** io().write(): writes the graph to a file, in chunks. The file appears when it is complete. */
export class WriteTask {
  readonly #run: Run
  readonly #data: DataFolder
  readonly #name: string
  readonly #encoder: GraphEncoder
  /** The remaining work: iterations, and what is written between them. */
  readonly #work: Array<Pass | (() => void)>
  #chunks: ElementChunks | null = null
  #file: WrittenFile | null = null
  #text = ""
  /** The elements of the chunk that are not written yet, and the parts of the text of the one before them. */
  #items: Iterator<ChunkItem> | null = null
  #parts: Iterator<string> | null = null
  #complete = false

  constructor(run: Run, data: DataFolder, name: string, encoder: GraphEncoder) {
    this.#run = run
    this.#data = data
    this.#name = name
    this.#encoder = encoder
    this.#work = this.#plan()
  }

  #plan(): Array<Pass | (() => void)> {
    const { survey, withEdges } = this.#encoder
    const surveyed = (item: ChunkItem): undefined => {
      survey?.("edge" in item ? item.edge : item.vertex)
    }
    const surveys: ReadonlyArray<Pass> = (["vertex", "edge"] as const).map((kind) => ({
      kind,
      withEdges: false,
      take: surveyed
    }))
    const edges: Pass = {
      kind: "edge",
      withEdges: false,
      take: (item) => {
        if ("edge" in item) this.#text += this.#encoder.edge(item.edge)
        return undefined
      }
    }
    return [
      ...(survey === null ? [] : surveys),
      () => {
        this.#text += this.#encoder.begin()
      },
      {
        kind: "vertex",
        withEdges,
        take: (item) => {
          if (!("vertex" in item)) return undefined
          const { in: into, out, vertex } = item
          const parts = this.#encoder.vertexParts?.(vertex, out, into)
          if (parts !== undefined) return parts
          this.#text += this.#encoder.vertex(vertex, out, into)
          return undefined
        }
      },
      ...(withEdges ? [] : [edges]),
      () => {
        this.#text += this.#encoder.end()
      }
    ]
  }

  /** Continues. False when there is more to do or to wait for. */
  advance(): boolean {
    if (this.#complete) return true
    const next = this.#work[0]
    if (this.#file === null) this.#run.waitFor(Pending.fromPromise(this.#create()))
    else if (this.#text.length >= CHUNK_CHARS || (next === undefined && this.#text !== "")) this.#write(this.#file)
    else if (next === undefined) this.#run.waitFor(Pending.fromPromise(this.#finish(this.#file)))
    else if (typeof next === "function") {
      next()
      this.#work.shift()
    } else this.#walk(next)
    return false
  }

  async #create(): Promise<void> {
    const file = await WrittenFile.create(this.#data, this.#name)
    this.#file = file
    this.#run.onClose(() => {
      if (!this.#complete) void file.abandon()
    })
  }

  #write(file: WrittenFile): void {
    const text = this.#text
    this.#text = ""
    this.#run.waitFor(Pending.fromPromise(file.write(text)))
  }

  async #finish(file: WrittenFile): Promise<void> {
    await file.complete()
    this.#complete = true
  }

  #walk(pass: Pass): void {
    if (this.#items === null) this.#fetch(pass)
    while (this.#items !== null && this.#text.length < CHUNK_CHARS && !this.#run.slice.isOver()) this.#advance(pass)
  }

  /** Takes a part of an element, or the next element. */
  #advance({ take }: Pass): void {
    const part = this.#parts?.next()
    if (part !== undefined && part.done !== true) {
      this.#text += part.value
      return
    }
    const item = this.#items!.next()
    this.#parts = item.done === true ? null : (take(item.value)?.[Symbol.iterator]() ?? null)
    if (item.done === true) this.#items = null
  }

  #fetch({ kind, withEdges }: Pass): void {
    this.#chunks ??= new ElementChunks(this.#run, kind, withEdges)
    const items = this.#chunks.next()
    if (items === undefined) return
    if (items === null) {
      this.#chunks = null
      this.#work.shift()
      return
    }
    this.#items = items[Symbol.iterator]()
  }
}
