/** Messages with more bytes than this are read slice by slice: reading that many takes about a millisecond. */
export const LONG_MESSAGE = 65_536

/** What a part of a message that arrived costs beside its bytes. */
const PART = 256

/** What has arrived of one message that nobody could begin to evaluate yet. */
export interface Arrival {
  /**
   * Says how much there is now, as {@link arrived} counts it. False when that is too much beside all others: the caller
   * refuses the message, and gives up what it has of it.
   */
  set(bytes: number): boolean
  /** It was read, or given up. */
  end(): void
}

/** What so many bytes in so many parts take, bytes. */
export const arrived = (bytes: number, parts: number): number => bytes + parts * PART

/**
 * Limits what arrives for the whole process: bodies and messages that are not complete, that wait to be read, or whose
 * client has not said yet who it is. Short ones count for nothing: whoever fills the limit does not keep others from asking.
 */
export class ArrivingBytes {
  readonly limit: number
  #held = 0

  /**
   * @param memoryBudget the setting, bytes; 0 = no limit. Half of it may arrive at once.
   * @param maxContentLength the setting: two messages of that length may arrive at once, however small the budget is.
   */
  constructor(memoryBudget: number, maxContentLength: number) {
    this.limit = memoryBudget === 0 ? Number.POSITIVE_INFINITY : Math.max(memoryBudget / 2, 2 * maxContentLength)
  }

  /** Bytes that arrivals count for now. */
  get held(): number {
    return this.#held
  }

  /** Why a message is refused. */
  get refusal(): string {
    return (
      `Messages of ${Math.floor(this.limit / 1_048_576)} MB in all are arriving at the server, which is what its ` +
      "memoryBudget leaves for them. Send this one again in a moment, or raise the setting."
    )
  }

  open(): Arrival {
    let counted = 0
    return {
      set: (bytes) => {
        const counts = bytes <= LONG_MESSAGE ? 0 : bytes
        const more = counts - counted
        if (more > 0 && this.#held + more > this.limit) return false
        this.#held += more
        counted = counts
        return true
      },
      end: () => {
        this.#held -= counted
        counted = 0
      }
    }
  }
}
