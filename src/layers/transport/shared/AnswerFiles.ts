import { LimitExceeded } from "../../../process/language/Errors.ts"
import type { SharedState } from "../../../services/SharedState.ts"

/** What limits the files of answers, besides their size. */
interface AnswerFilesOptions {
  /** The files of all workers of the server, which have the limit together; undefined in a server of one process. */
  readonly shared?: Pick<typeof SharedState.Service, "answers" | "workers"> | undefined
  /** Time over which the speed of a reading client is measured, ms; 0 = its speed has no limit. Default 0. */
  readonly patience?: number
}

/** The files of all answers of a server, with one limit for their size. */
export class AnswerFiles {
  /** Bytes of all files together; 0 = no limit. */
  readonly limit: number
  /** Time over which the speed of a reading client is measured, ms; 0 = its speed has no limit. */
  readonly patience: number
  /** Logs why an answer was cut: its file could not be written or read, or its client read it too slowly. */
  readonly failed: (error: Error) => void
  readonly #shared: AnswerFilesOptions["shared"]
  /** Bytes in all files of this process, and in those of each client. */
  #bytes = 0
  readonly #clients = new Map<string, number>()

  constructor(limit: number, failed: (error: Error) => void, { patience = 0, shared }: AnswerFilesOptions = {}) {
    this.limit = limit
    this.failed = failed
    this.patience = patience
    this.#shared = shared
  }

  /** The file of a client grows. Negative: the file is closed. */
  add(client: string, bytes: number): void {
    this.#bytes += bytes
    const held = (this.#clients.get(client) ?? 0) + bytes
    if (held === 0) this.#clients.delete(client)
    else this.#clients.set(client, held)
    this.#shared?.answers.set(this.#bytes)
  }

  /**
   * Why an answer of a client must not grow; undefined while it may. A client never has more than it leaves to the others, in all
   * workers together: so the files of one that does not read its answers leave room for those of others.
   */
  problem(client: string): string | undefined {
    if (this.limit === 0) return undefined
    const free = this.limit - (this.#shared?.answers.total() ?? this.#bytes)
    if (free < 0) return `The answers that wait in files have more than ${this.limit} bytes together (answerFileLimit)`
    const held = this.#clients.get(client) ?? 0
    if (held * (this.#shared?.workers() ?? 1) <= free) return undefined
    return `The answers of this client that wait in files have ${held} bytes, more than answerFileLimit (${this.limit}) leaves to others`
  }
}

/** The error of a file that cannot be made or written. */
export const cannotKeep = (cause: unknown): LimitExceeded =>
  new LimitExceeded(
    `The answer is long and cannot be kept until its end: the folder of temporary files (TMPDIR) says ${String(cause)}. ` +
      "Return less, or make room there."
  )
