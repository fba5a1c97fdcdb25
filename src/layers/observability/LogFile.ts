import { closeSync, openSync, writeSync } from "node:fs"
import { reasonOf } from "../../structure/errors/Reason.ts"

const STDERR = 2
const LINE_FEED = 10

/** Time between two attempts to open the file again, ms. */
const REOPEN_MS = 1_000

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
  /** Opens the file again after a failure. */
  #again: NodeJS.Timeout | undefined
  /** The last line was written in part. */
  #isCut = false

  /**
   * Opens the file for appending. Throws the error of the system.
   *
   * @param warn called with a text when lines begin to be left out, and when the file cannot be opened again
   */
  constructor(file: string, warn: (text: string) => void = warnOnStderr) {
    this.#file = file
    this.#warn = warn
    this.#descriptor = openSync(file, "a", 0o640)
  }

  /**
   * Opens the file again, so that log rotation can move it. If it cannot be opened, such as in a folder that was removed, the log
   * continues in the old file, which nobody may read any more: a warning says so once, and every second it is tried again.
   */
  reopen(): void {
    clearTimeout(this.#again)
    const problem = this.#open()
    if (problem === undefined) return
    const text = `The log file ${this.#file} cannot be opened, and the log goes to the old one: ${problem}`
    this.#warn(text)
    this.write(text)
    this.#tryLater()
  }

  #tryLater(): void {
    this.#again = setTimeout(() => {
      if (this.#open() === undefined) this.#warn(`The log file ${this.#file} is open again`)
      else this.#tryLater()
    }, REOPEN_MS).unref()
  }

  /** Returns why the file cannot be opened. */
  #open(): string | undefined {
    try {
      const before = this.#descriptor
      this.#descriptor = openSync(this.#file, "a", 0o640)
      this.#isCut = false
      closeSync(before)
      return undefined
    } catch (cause) {
      return reasonOf(cause)
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
        this.#warn(`The log file ${this.#file} cannot be written, and lines are left out: ${reasonOf(cause)}`)
      }
    }
  }

  close(): void {
    clearTimeout(this.#again)
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
