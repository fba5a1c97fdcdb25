import type { FileHandle } from "node:fs/promises"
import { Pending } from "../../scheduling/Pending.ts"
import type { GraphDecoder } from "../../structure/GraphStream.ts"
import { TraversalError } from "../language/Errors.ts"
import type { DataFolder, Run } from "../plan/Run.ts"
import { openToRead } from "./DataFiles.ts"
import { GraphLoader } from "./GraphLoader.ts"

/** Bytes that are read and decoded in one call. */
const CHUNK_BYTES = 16 * 1024

/** Waiting edges that are added in one call after the end of a file. */
const EDGES_PER_CALL = 512

/** io().read(): reads a file into the graph, in chunks. */
export class ReadTask {
  readonly #run: Run
  readonly #data: DataFolder
  readonly #name: string
  readonly #loader: GraphLoader
  readonly #decoder: GraphDecoder
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  #file: FileHandle | null = null
  /** Bytes of the chunk that are not decoded yet; null when the chunk must be read. */
  #filled: number | null = null
  #ended = false

  constructor(run: Run, data: DataFolder, name: string, decoder: (loader: GraphLoader) => GraphDecoder) {
    this.#run = run
    this.#data = data
    this.#name = name
    this.#loader = new GraphLoader(run.transaction, (bytes) => run.hold(bytes))
    this.#decoder = decoder(this.#loader)
  }

  /** Continues. False when there is more to do or to wait for. */
  advance(): boolean {
    if (this.#ended) {
      return this.#guarded(() => this.#loader.finish(EDGES_PER_CALL))
    }
    if (this.#file === null) this.#run.waitFor(Pending.fromPromise(this.#open()))
    else if (this.#filled === null) this.#run.waitFor(Pending.fromPromise(this.#read(this.#file)))
    else this.#decode(this.#filled)
    return false
  }

  async #open(): Promise<void> {
    const file = await openToRead(this.#data, this.#name)
    this.#file = file
    this.#run.onClose(() => void file.close().catch(() => {}))
  }

  async #read(file: FileHandle): Promise<void> {
    this.#filled = (await file.read(this.#chunk, 0, CHUNK_BYTES)).bytesRead
  }

  #decode(length: number): void {
    this.#filled = null
    this.#ended = length === 0
    this.#guarded(() => {
      if (length === 0) this.#decoder.end()
      else this.#decoder.push(this.#chunk.subarray(0, length))
    })
  }

  /** Adds the name of the file to errors in its content. */
  #guarded<A>(code: () => A): A {
    try {
      return code()
    } catch (error) {
      if (!isOfContents(error)) throw error
      throw new TraversalError(`${this.#name} cannot be read into the graph: ${error.message}`)
    }
  }
}

/** Tags of errors that are caused by the content of a file. */
const ofContents: ReadonlySet<unknown> = new Set([
  "ArithmeticFailure",
  "ElementExists",
  "ProtocolError",
  "TraversalError",
  "UnsupportedValue"
])

/** A TextDecoder throws a TypeError for bytes that are not text. */
const isOfContents = (error: unknown): error is Error =>
  error instanceof Error && (error instanceof TypeError || ("_tag" in error && ofContents.has(error._tag)))
