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
  /** The message is read or dropped. */
  end(): void
}

/** Memory of `bytes` that arrived in `parts`, in bytes. */
export const arrived = (bytes: number, parts: number): number => bytes + parts * PART_OVERHEAD_BYTES

/**
 * Limits the memory of arriving messages in the whole process: messages that are incomplete, that wait to be read, or whose
 * user is not yet known. Short messages are not counted, so a client that fills the limit does not block short requests.
 */
export class ArrivingBytes {
  /** Bytes; Infinity = no limit. */
  readonly limit: number
  #held = 0

  /**
   * @param memoryBudget the setting, bytes; 0 = no limit. Arriving messages may use half of it.
   * @param maxContentLength the setting, bytes. There is always room for two messages of this length.
   */
  constructor(memoryBudget: number, maxContentLength: number) {
    this.limit = memoryBudget === 0 ? Number.POSITIVE_INFINITY : Math.max(memoryBudget / 2, 2 * maxContentLength)
  }

  /** Bytes of all arriving messages. */
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
    return {
      set: (bytes) => {
        const counts = bytes <= LONG_MESSAGE_BYTES ? 0 : bytes
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
