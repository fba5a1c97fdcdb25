import { LongRead } from "../../../protocol/LongReads.ts"
import { MessageTooLarge } from "../../../protocol/ProtocolError.ts"
import { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import type { MemoryAccount, MemoryHolder } from "../../../services/MemoryBudget.ts"
import type { Sliced } from "../../../services/RunQueue.ts"
import type { ArrivedParts } from "./ArrivedParts.ts"
import type { TransportContext } from "./TransportContext.ts"

/** Messages with more bytes than this are read from the next turn on. Those of WebSockets come in parts then. */
const VERY_LONG = 1_048_576

/** What becomes of a message that is read. */
export interface LongMessageReader<A> {
  /** The message as it arrived. */
  readonly parts: ArrivedParts
  /** Reads the whole message; it is called in each slice. */
  readonly read: (whole: Buffer, long: LongRead) => A
  readonly done: (message: A) => void
  readonly failed: (error: unknown) => void
  /** Its client has gone: nobody needs it any more. */
  readonly isGone: () => boolean
}

/**
 * Reads a long message among everything that evaluates, so that others are served meanwhile. What is read counts for the
 * memory budget, and fails with LimitExceeded beyond it and beyond the limit of one request.
 */
export const readLongMessage = <A>(
  { memory, runQueue, settings }: Pick<TransportContext, "memory" | "runQueue" | "settings">,
  reader: LongMessageReader<A>
): void => {
  const message = new LongMessage(reader, settings.requestMemoryLimit)
  message.account = memory.open(message)
  // To take the frames of a very long one together was enough for this turn.
  if (reader.parts.length > VERY_LONG) runQueue.resume(message)
  else runQueue.start(message)
}

class LongMessage<A> implements Sliced, MemoryHolder {
  account: MemoryAccount | null = null
  readonly #reader: LongMessageReader<A>
  readonly #reading: LongRead
  readonly #slice = new TimeSlice()
  #ended = false

  constructor(reader: LongMessageReader<A>, limit: number) {
    this.#reader = reader
    this.#reading = new LongRead(limit)
  }

  slice(until: number): boolean {
    if (this.#ended) return false
    const { done, failed, isGone, parts, read } = this.#reader
    if (isGone()) {
      this.#end()
      return false
    }
    this.#slice.restart(until)
    const whole = parts.join(() => this.#slice.isOverNow())
    if (whole === null) return true
    let message: A | undefined
    try {
      message = this.#reading.next(this.#slice, (long) => read(whole, long))
    } catch (error) {
      this.#end()
      failed(error)
      return false
    }
    if (message === undefined) return this.#weigh()
    this.#end()
    done(message)
    return false
  }

  /** False when it is ended for what it holds. */
  #weigh(): boolean {
    try {
      this.account?.set(this.#reading.heldBytes)
      return true
    } catch (error) {
      this.cancel(error as Error)
      return false
    }
  }

  #end(): void {
    this.#ended = true
    this.account?.close()
  }

  cancel(error: Error): void {
    if (this.#ended) return
    this.#end()
    const { failed, parts, read } = this.#reader
    const whole = parts.join(() => true)
    this.#reading.abandon(error)
    let problem: unknown = error
    try {
      // It fails soon after its begin, and with the id of the request, which the client needs.
      if (whole !== null) this.#reading.next(new TimeSlice(0), (long) => read(whole, long))
    } catch (failure) {
      if (failure instanceof MessageTooLarge) problem = failure
    }
    failed(problem)
  }
}
