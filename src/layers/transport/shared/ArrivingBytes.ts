import type { SharedAmount } from "../../../services/SharedLimits.ts"

/** Messages with more bytes are read slice by slice. To read this many takes about a millisecond. */
export const LONG_MESSAGE_BYTES = 65_536

/** Memory of one part of a message beside its content. */
const PART_OVERHEAD_BYTES = 256

/** The memory of one message that is arriving, or that waits to be read. */
export interface Arrival {
  /**
   * Sets the memory of the message, as {@link arrived} counts it. False when there is no room for it beside all others:
   * the caller refuses the message and drops its bytes.
   */
  set(bytes: number): boolean
  /** The message is read or dropped. From now on {@link set} counts nothing: nobody would subtract it again. */
  end(): void
}

/** Memory of `bytes` that arrived in `parts`, in bytes. */
export const arrived = (bytes: number, parts: number): number => bytes + parts * PART_OVERHEAD_BYTES

/**
 * Limits the memory of arriving messages in the whole server: messages that are incomplete, that wait to be read, or whose
 * user is not yet known. Short messages are not counted, so a client that fills the limit does not block short requests.
 */
export class ArrivingBytes {
  /** Bytes; Infinity = no limit. */
  readonly limit: number
  /** Bytes of all workers of the server; undefined in a server of one process. */
  readonly #shared: SharedAmount | undefined
  #held = 0

  /**
   * @param memoryBudget the setting, bytes; 0 = no limit. Arriving messages may use half of it.
   * @param maxContentLength the setting, bytes. There is always room for two messages of this length.
   * @param shared the messages of all workers of the server, which have the limit together
   */
  constructor(memoryBudget: number, maxContentLength: number, shared?: SharedAmount) {
    this.#shared = shared
    this.limit = memoryBudget === 0 ? Number.POSITIVE_INFINITY : Math.max(memoryBudget / 2, 2 * maxContentLength)
  }

  /** Bytes of all messages that arrive at this process. */
  get held(): number {
    return this.#held
  }

  /** What the client of a refused message is told. */
  get refusal(): string {
    return (
      `Messages of ${Math.floor(this.limit / 1_048_576)} MB in all are arriving at the server, which is what its ` +
      "memoryBudget leaves for them. Send this one again in a moment, or raise the setting."
    )
  }

  /** Begins to count a message. */
  open(): Arrival {
    let counted = 0
    let hasEnded = false
    return {
      set: (bytes) => {
        if (hasEnded) return true
        const counts = bytes <= LONG_MESSAGE_BYTES ? 0 : bytes
        const more = counts - counted
        if (more > 0 && !this.#hasRoom(more)) return false
        this.#add(more)
        counted = counts
        return true
      },
      end: () => {
        hasEnded = true
        this.#add(-counted)
        counted = 0
      }
    }
  }

  #hasRoom(more: number): boolean {
    return this.#shared === undefined
      ? this.#held + more <= this.limit
      : this.#shared.trySet(this.#held + more, this.limit)
  }

  #add(more: number): void {
    this.#held += more
    if (more !== 0) this.#shared?.set(this.#held)
  }
}
