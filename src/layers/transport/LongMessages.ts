import { LongRead } from "../../protocol/LongReads.ts"
import type { RunQueue, Sliced } from "../../services/RunQueue.ts"

/** Messages with more bytes than this are read slice by slice: reading that many takes about a millisecond. */
export const LONG_MESSAGE = 65_536

/** What becomes of a message that is read. */
export interface LongMessageReader<A> {
  /** Reads the whole message; it is called in each slice. */
  readonly read: () => A
  readonly done: (message: A) => void
  readonly failed: (error: unknown) => void
  /** Its client has gone: nobody needs it any more. */
  readonly isGone: () => boolean
}

/** Reads a long message among everything that evaluates, so that others are served meanwhile. */
export const readLongMessage = <A>(runQueue: typeof RunQueue.Service, reader: LongMessageReader<A>): void => {
  runQueue.start(new LongMessage(reader))
}

class LongMessage<A> implements Sliced {
  readonly #reader: LongMessageReader<A>
  readonly #reading = new LongRead()

  constructor(reader: LongMessageReader<A>) {
    this.#reader = reader
  }

  slice(until: number): boolean {
    const { done, failed, isGone, read } = this.#reader
    if (isGone()) return false
    let message: A | undefined
    try {
      message = this.#reading.next(() => performance.now() > until, read)
    } catch (error) {
      failed(error)
      return false
    }
    if (message === undefined) return true
    done(message)
    return false
  }
}
