import { closeSync, openSync, writeSync } from "node:fs"
import { reasonOf } from "../../structure/errors/Reason.ts"
import { FileLines } from "./FileLines.ts"

const STDERR = 2

/** Time between two attempts to open the file again, ms. */
const REOPEN_MS = 1_000

/** A file of log lines, see {@link FileLines}. */
export class LogFile {
  readonly #file: string
  readonly #warn: (text: string) => void
  #descriptor: number
  readonly #lines: FileLines
  /** Opens the file again after a failure. */
  #again: NodeJS.Timeout | undefined

  /**
   * Opens the file for appending. Throws the error of the system.
   *
   * @param notice the line that says how many lines are missing before it
   * @param warn called with a text when lines begin to be left out, and when the file cannot be opened again
   */
  constructor(file: string, notice: (missing: number) => string, warn: (text: string) => void = warnOnStderr) {
    this.#file = file
    this.#lines = new FileLines(notice)
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
      this.#lines.moved()
      closeSync(before)
      return undefined
    } catch (cause) {
      return reasonOf(cause)
    }
  }

  write(line: string): void {
    const cause = this.#lines.write(this.#descriptor, line)
    if (cause !== undefined)
      this.#warn(`The log file ${this.#file} cannot be written, and lines are left out: ${reasonOf(cause)}`)
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
