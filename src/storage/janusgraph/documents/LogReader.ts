import { errorOf } from "../../../scheduling/Pending.ts"
import type { DocumentLog } from "./DocumentLog.ts"
import type { LogEntry } from "./LogEntry.ts"

/** The time between two looks for entries that other instances have left, ms. */
const CHECK_INTERVAL_MS = 600_000
/** The pause before a log that was not read is read again, ms. It doubles with each failure. */
const FIRST_RETRY_MS = 1000
const MAX_RETRY_MS = 60_000

/** Where the entries go that were read. */
interface Reading {
  readonly add: (entry: LogEntry) => void
  /** The number of entries for which there is room in memory. */
  readonly room: () => number
  readonly unread: (error: Error) => void
}

/** Reads the entries that only the log of documents has, while there is room for them in memory. */
export class LogReader {
  readonly #log: DocumentLog
  readonly #reading: Reading
  /** The log is read when there is room for so many entries. */
  readonly #enough: number
  #timer: NodeJS.Timeout | undefined
  #isReading = false
  #isClosed = false
  #hasLooked = false
  #failures = 0

  /** `most`: the entries that may wait in memory. */
  constructor(log: DocumentLog, most: number, reading: Reading) {
    this.#log = log
    this.#reading = reading
    this.#enough = most / 2
  }

  /** Why searches do not know all documents that wait; undefined if they know them. */
  get refusal(): "failed" | "reading" | "full" | undefined {
    if (!this.#log.hasStored) return undefined
    if (this.#log.failure !== undefined) return "failed"
    return this.#hasRoom ? "reading" : "full"
  }

  get #hasRoom(): boolean {
    return this.#reading.room() >= this.#enough
  }

  /**
   * Looks for the entries that other instances have left. The first call ends when it is known whether there are any, and the rest is read
   * afterwards. It does so again after ten minutes, or within a minute if the log was not read.
   */
  async recover(): Promise<void> {
    const isBrief = !this.#hasLooked
    this.#hasLooked = true
    if (!this.#isReading) await this.#look(isBrief)
    void this.#rest()
  }

  async #look(isBrief: boolean): Promise<void> {
    this.#isReading = true
    this.#add(await this.#log.left(this.#reading.room(), isBrief, this.#unread))
    this.#isReading = false
  }

  /** Reads entries while there is room for them, unless the log could not be read a short time ago. */
  async more(): Promise<void> {
    if (this.#log.failure !== undefined) return
    await this.#stored()
    if (this.#log.failure !== undefined) this.#retry()
  }

  async #rest(): Promise<void> {
    await this.#stored()
    if (this.#log.failure !== undefined) this.#retry()
    else {
      this.#failures = 0
      this.#recoverAfter(CHECK_INTERVAL_MS)
    }
  }

  async #stored(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    try {
      while (this.#log.hasUnread && this.#hasRoom && !this.#isClosed) this.#add(await this.#log.stored(this.#unread))
    } catch (cause) {
      this.#unread(errorOf(cause))
    } finally {
      // In the turn of the last check of the loop: when there is room again later, the caller of more() must not be sent away.
      this.#isReading = false
    }
  }

  /** Reads nothing more. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  readonly #unread = (error: Error): void => {
    if (!this.#isClosed) this.#reading.unread(error)
  }

  #add(entries: ReadonlyArray<LogEntry>): void {
    if (!this.#isClosed) for (const entry of entries) this.#reading.add(entry)
  }

  #retry(): void {
    this.#recoverAfter(Math.min(FIRST_RETRY_MS * 2 ** this.#failures++, MAX_RETRY_MS))
  }

  #recoverAfter(pause: number): void {
    clearTimeout(this.#timer)
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.recover(), pause).unref()
  }
}
