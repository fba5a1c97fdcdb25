import { randomUUID } from "node:crypto"
import { close, openSync, read, unlinkSync, write } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Writable } from "node:stream"
import { MAX_TIMER_MS } from "../../evaluation/Timers.ts"
import type { AnswerFiles } from "./AnswerFiles.ts"

/** Bytes that may wait to be written to the file; with more the evaluation pauses. */
const WRITE_BUFFER_BYTES = 1_048_576
/** Bytes of one read of the file. */
const READ_CHUNK_BYTES = 65_536
/** Bytes a second that a client reads at least, on average. With fewer the file would occupy the limit for days. */
const SLOWEST_READER_BYTES = 16_384

/**
 * An answer that must not be sent before its end, and that is too long for memory. It is kept in a temporary file without a
 * name: no other process can open it, and the system removes it with the process.
 */
export class AnswerFile {
  readonly #descriptor: number
  readonly #files: AnswerFiles
  readonly #client: string
  /** Bytes of the answer so far. */
  length = 0
  /** Bytes that are in the file. */
  #written = 0
  #waiting: Array<Buffer> = []
  #waitingBytes = 0
  /** A system call is running: the descriptor must stay open. */
  #busy = false
  #closed = false
  #failure: Error | null = null
  #watch: NodeJS.Timeout | undefined
  #onRoom: (() => void) | null = null
  #onWritten: (() => void) | null = null

  /**
   * Creates the file. Throws the error of the file system.
   *
   * @param client whose answers share a part of the limit
   */
  constructor(files: AnswerFiles, client: string) {
    this.#files = files
    this.#client = client
    const path = join(tmpdir(), `engine-server-answer-${randomUUID()}`)
    this.#descriptor = openSync(path, "wx+", 0o600)
    unlinkSync(path)
  }

  /** Why the file could not be written; null while it can. */
  get failure(): Error | null {
    return this.#failure
  }

  /** Bytes that wait in memory to be written. */
  get heldBytes(): number {
    return this.#waitingBytes
  }

  get hasRoom(): boolean {
    return this.#waitingBytes < WRITE_BUFFER_BYTES || this.#failure !== null
  }

  /** Calls back once when bytes were written and there is room, or writing failed. */
  onRoom(resume: () => void): void {
    this.#onRoom = resume
  }

  /** Writes bytes to the end of the file, later and in order. */
  append(bytes: Buffer): void {
    this.length += bytes.length
    this.#files.add(this.#client, bytes.length)
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (!this.#busy) this.#write()
  }

  #write(): void {
    const bytes = this.#waiting[0]
    if (bytes === undefined || this.#failure !== null) {
      this.#call("onWritten")
      return
    }
    this.#busy = true
    write(this.#descriptor, bytes, 0, bytes.length, this.#written, (error, written) => {
      this.#busy = false
      if (this.#closed) {
        close(this.#descriptor, ignored)
        return
      }
      this.#failure = error
      this.#written += written
      this.#waitingBytes -= written
      if (written === bytes.length) this.#waiting.shift()
      else this.#waiting[0] = bytes.subarray(written)
      if (this.hasRoom) this.#call("onRoom")
      if (!this.#closed) this.#write()
    })
  }

  #call(which: "onRoom" | "onWritten"): void {
    const callback = which === "onRoom" ? this.#onRoom : this.#onWritten
    if (which === "onRoom") this.#onRoom = null
    else this.#onWritten = null
    callback?.()
  }

  /**
   * Sends `head`, the file and `tail` as fast as the client reads. Cuts the connection when the file cannot be written or
   * read, and when the client reads too slowly, or waits too long for earlier answers of its connection. The file is closed when all
   * of it is read, and when the client closes the connection.
   */
  send(output: Writable, head: Buffer | null, tail: Buffer): void {
    let position = 0
    const cut = (error: Error): void => {
      this.#files.failed(error)
      output.destroy()
    }
    const next = (): void => {
      if (this.#closed) return
      if (this.#failure !== null) cut(this.#failure)
      else if (position === this.length) {
        this.close()
        output.end(tail)
      } else this.#read(position, written)
    }
    const written = (bytes: Buffer | Error): void => {
      if (bytes instanceof Error) {
        cut(bytes)
        return
      }
      position += bytes.length
      if (output.write(bytes)) next()
      else output.once("drain", next)
    }
    output.once("close", () => this.close())
    this.#watchSpeed(() => position, cut)
    this.#onWritten = () => {
      if (head === null || this.#failure !== null || output.write(head)) next()
      else output.once("drain", next)
    }
    if (!this.#busy) this.#call("onWritten")
  }

  /** Ends an answer that is read too slowly. `position`: bytes that were read so far. */
  #watchSpeed(position: () => number, cut: (error: Error) => void): void {
    const patience = Math.min(this.#files.patience, MAX_TIMER_MS)
    if (patience === 0) return
    const least = (SLOWEST_READER_BYTES * patience) / 1000
    let before = 0
    this.#watch = setInterval(() => {
      if (position() - before < least) {
        this.close()
        cut(new Error(`The client has read less than ${SLOWEST_READER_BYTES} bytes a second for ${patience} ms.`))
      }
      before = position()
    }, patience)
    this.#watch.unref()
  }

  #read(position: number, then: (bytes: Buffer | Error) => void): void {
    this.#busy = true
    const buffer = Buffer.allocUnsafe(READ_CHUNK_BYTES)
    read(this.#descriptor, buffer, 0, READ_CHUNK_BYTES, position, (error, length) => {
      this.#busy = false
      if (this.#closed) close(this.#descriptor, ignored)
      else if (error === null && length === 0) then(new Error(`The file ends at byte ${position}, before its end.`))
      else then(error ?? buffer.subarray(0, length))
    })
  }

  /** Drops the file. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#watch)
    this.#files.add(this.#client, -this.length)
    this.#waiting = []
    this.#waitingBytes = 0
    if (!this.#busy) close(this.#descriptor, ignored)
  }
}

const ignored = (): void => {}
