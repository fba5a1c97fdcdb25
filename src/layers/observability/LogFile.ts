import { closeSync, openSync, writeSync } from "node:fs"

const STDERR = 2
const LINE_FEED = 10

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/**
 * A file of log lines. Lines are written synchronously: there are few of them, and the last ones before the end of a process
 * matter most. A line that cannot be written, such as on a full disk, is left out and counted: it ends no request and no server.
 */
export class LogFile {
  readonly #file: string
  readonly #warn: (text: string) => void
  #descriptor: number
  /** Lines that are missing since the last line that was written. */
  #missing = 0
  /** The last line was written in part. */
  #isCut = false

  /**
   * Opens the file for appending. Throws the error of the system.
   *
   * @param warn called with a text when lines begin to be left out
   */
  constructor(file: string, warn: (text: string) => void = warnOnStderr) {
    this.#file = file
    this.#warn = warn
    this.#descriptor = openSync(file, "a", 0o640)
  }

  /** Opens the file again, so that log rotation can move it. If the folder was removed, the log continues in the old file. */
  reopen(): void {
    try {
      const before = this.#descriptor
      this.#descriptor = openSync(this.#file, "a", 0o640)
      this.#isCut = false
      closeSync(before)
    } catch (cause) {
      this.write(`The log file ${this.#file} cannot be opened: ${messageOf(cause)}`)
    }
  }

  write(line: string): void {
    const missing = this.#missing === 0 ? "" : `Here ${this.#missing} lines are missing, which could not be written\n`
    const bytes = Buffer.from(`${this.#isCut ? "\n" : ""}${missing}${line}\n`)
    let at = 0
    try {
      while (at < bytes.length) at += writeSync(this.#descriptor, bytes, at)
      this.#missing = 0
      this.#isCut = false
    } catch (cause) {
      if (at > 0) this.#isCut = bytes[at - 1] !== LINE_FEED
      if (this.#missing++ === 0) {
        this.#warn(`The log file ${this.#file} cannot be written, and lines are left out: ${messageOf(cause)}`)
      }
    }
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

const warnOnStderr = (text: string): void => {
  try {
    writeSync(STDERR, `${text}\n`)
  } catch {
    // The standard error may be on the same disk.
  }
}
