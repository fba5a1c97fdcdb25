import type { Writable } from "node:stream"

/** Bytes of lines that wait for the reader of the log. More than that are left out, lines of the audit last. */
const MAX_WAITING_BYTES = 1_048_576
const MAX_WAITING_AUDIT_BYTES = 4 * 1_048_576

/** What a stream of log lines needs of its stream. */
type LineStream = Pick<Writable, "off" | "on" | "write" | "writableLength">

/**
 * A log on standard output. Its lines wait in this process while nobody reads them, such as a collector that stands still. They are
 * outside of `memoryBudget`, so a line beyond the limit is left out and counted.
 */
export class LogStream {
  readonly #stream: LineStream
  readonly #notice: (missing: number) => string
  /** Lines that are missing since the last line that was written. */
  #missing = 0

  /** @param notice the line that says how many lines are missing before it */
  constructor(stream: LineStream, notice: (missing: number) => string) {
    this.#stream = stream
    this.#notice = notice
    stream.on("drain", this.#resume)
  }

  /** Writes a line, or leaves it out. `isAudit`: it belongs to the audit, and is left out only above the higher limit. */
  write(line: string, isAudit: boolean): void {
    const { writableLength } = this.#stream
    if (writableLength >= (isAudit ? MAX_WAITING_AUDIT_BYTES : MAX_WAITING_BYTES)) {
      this.#missing++
      return
    }
    this.#resume()
    this.#stream.write(`${line}\n`)
  }

  readonly #resume = (): void => {
    if (this.#missing === 0) return
    const missing = this.#missing
    this.#missing = 0
    this.#stream.write(`${this.#notice(missing)}\n`)
  }

  close(): void {
    this.#stream.off("drain", this.#resume)
  }
}
