import type { FileHandle } from "node:fs/promises"
import { Pending } from "../../scheduling/Pending.ts"
import type { GraphDecoder } from "../../structure/graph/GraphStream.ts"
import { TraversalError } from "../language/Errors.ts"
import type { DataFolder, Run } from "../plan/Run.ts"
import { openToRead } from "./DataFiles.ts"
import { GraphLoader } from "./GraphLoader.ts"

/** Size of the chunks in which a file is read and decoded. */
const CHUNK_BYTES = 16 * 1024

/** Number of waiting edges that one call of advance() adds after the end of the file. */
const EDGES_PER_CALL = 512

/** io().read(): reads a file into the graph in chunks. */
export class ReadTask {
  readonly #run: Run
  readonly #data: DataFolder
  readonly #name: string
  readonly #loader: GraphLoader
  readonly #decoder: GraphDecoder
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  #file: FileHandle | null = null
  /** Number of bytes in the chunk to decode, 0 at the end of the file. Null if the next chunk must be read. */
  #filled: number | null = null
  #ended = false

  constructor(run: Run, data: DataFolder, name: string, decoder: (loader: GraphLoader) => GraphDecoder) {
    this.#run = run
    this.#data = data
    this.#name = name
    this.#loader = new GraphLoader(run.transaction, (bytes) => run.hold(bytes))
    this.#decoder = decoder(this.#loader)
  }

  /**
   * Does the next part of the work, or starts a wait. Returns true when the whole file is in the graph. Throws TraversalError
   * if the file has invalid content.
   */
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

  /** Runs `code`. If the content of the file causes an error, adds the name of the file to the error. */
  #guarded<A>(code: () => A): A {
    try {
      return code()
    } catch (error) {
      if (!isOfContents(error)) throw error
      throw new TraversalError(`${this.#name} cannot be read into the graph: ${error.message}`)
    }
  }
}

/** Tags of the errors that the content of a file can cause. */
const ofContents: ReadonlySet<unknown> = new Set([
  "ArithmeticFailure",
  "ElementExists",
  "ProtocolError",
  "TraversalError",
  "UnsupportedValue"
])

/** Returns whether the content of the file caused the error. A TextDecoder throws a TypeError for bytes that are not text. */
const isOfContents = (error: unknown): error is Error =>
  error instanceof Error && (error instanceof TypeError || ("_tag" in error && ofContents.has(error._tag)))
