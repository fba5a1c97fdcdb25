import { MessageTooLarge } from "../../../protocol/ProtocolError.ts"
import { ResumableRead } from "../../../protocol/ResumableRead.ts"
import { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import type { MemoryAccount, MemoryHolder } from "../../../services/MemoryBudget.ts"
import type { Sliced } from "../../../services/RunQueue.ts"
import type { ArrivedParts } from "./ArrivedParts.ts"
import type { TransportContext } from "./TransportContext.ts"

/** Messages with more bytes are read from the next turn on. WebSocket messages of this length arrive in parts. */
const DEFERRED_MESSAGE_BYTES = 1_048_576

/** A long message, and what its reader calls. */
interface LongMessageReader<A> {
  /** The message as it arrived. */
  readonly parts: ArrivedParts
  /** Reads the whole message. It is called again in each slice, and continues where it stopped. */
  readonly read: (whole: Buffer, long: ResumableRead) => A
  readonly done: (message: A) => void
  readonly failed: (error: unknown) => void
  /** Whether the client has closed the connection: then the message is dropped. */
  readonly isGone: () => boolean
}

/**
 * Reads a long message in slices of the run queue, between which other requests run. Its values count against the
 * memory budget and the limit of one request; the message fails with LimitExceeded beyond either.
 */
export const readLongMessage = <A>(
  { memory, runQueue, settings }: Pick<TransportContext, "memory" | "runQueue" | "settings">,
  reader: LongMessageReader<A>
): void => {
  const message = new LongMessage(reader, settings.requestMemoryLimit)
  message.account = memory.open(message)
  // To receive a very long message has used up this turn.
  if (reader.parts.length > DEFERRED_MESSAGE_BYTES) runQueue.resume(message)
  else runQueue.start(message)
}

class LongMessage<A> implements Sliced, MemoryHolder {
  account: MemoryAccount | null = null
  readonly #reader: LongMessageReader<A>
  readonly #reading: ResumableRead
  readonly #slice = new TimeSlice()
  #ended = false

  constructor(reader: LongMessageReader<A>, limit: number) {
    this.#reader = reader
    this.#reading = new ResumableRead(limit)
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

  /** Counts what is read so far. False when the message is cancelled because of that. */
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
      // The read fails near the start of the message, with the id of the request, which the client needs.
      if (whole !== null) this.#reading.next(new TimeSlice(0), (long) => read(whole, long))
    } catch (failure) {
      if (failure instanceof MessageTooLarge) problem = failure
    }
    failed(problem)
  }
}
