import { writeSync } from "node:fs"

const LINE_FEED = 10

/**
 * Log lines in a file. They are written synchronously: there are few of them, and the last ones before the end of a process
 * matter most. A line that cannot be written, such as on a full disk, is left out and counted: it ends no request and no server.
 */
export class FileLines {
  readonly #notice: (missing: number) => string
  /** Lines that are missing since the last line that was written. */
  #missing = 0
  /** The last line was written in part. */
  #isCut = false

  /** @param notice the line that says how many lines are missing before it */
  constructor(notice: (missing: number) => string) {
    this.#notice = notice
  }

  /** Writes a line. Returns the error of the system with which lines begin to be left out. */
  write(descriptor: number, line: string): unknown {
    const missing = this.#missing === 0 ? "" : `${this.#notice(this.#missing)}\n`
    const bytes = Buffer.from(`${this.#isCut ? "\n" : ""}${missing}${line}\n`)
    let at = 0
    try {
      while (at < bytes.length) at += writeSync(descriptor, bytes, at)
      this.#missing = 0
      this.#isCut = false
      return undefined
    } catch (cause) {
      if (at > 0) this.#isCut = bytes[at - 1] !== LINE_FEED
      return this.#missing++ === 0 ? cause : undefined
    }
  }

  /** The lines that follow are in another file. */
  moved(): void {
    this.#isCut = false
  }
}
