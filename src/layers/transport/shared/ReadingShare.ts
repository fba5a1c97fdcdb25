import type { RunQueue } from "../../../services/RunQueue.ts"
import { Ring } from "../../../structure/containers/Ring.ts"

/** Share of one turn of the event loop for requests of clients that do not wait for their answers. */
const TURN_SHARE_MS = 4

/** Number of requests of one client that a turn always serves. It is also the number between two readings of the clock. */
const STRIDE_REQUESTS = 16

/** Requests that may wait for a later turn; further ones are served at once. Each takes some kilobytes over HTTP. */
const MAX_WAITING_REQUESTS = 16_384

/** A client whose requests wait for a later turn of the event loop. */
export interface Reader {
  /** Serves the next request. False when none is left, or none can be served now: then the reader calls resume() again later. */
  takeNext(): boolean
}

/** Calls back at the end of a turn of the event loop, as {@link RunQueue} does. */
export type AtTurnEnd = (typeof RunQueue.Service)["atTurnEnd"]

/**
 * Shares the event loop among clients that send many requests without waiting for answers. Node.js reads up to two
 * megabytes of one socket in a turn. These are up to a hundred thousand short requests, which would delay all other clients
 * for seconds.
 */
export class ReadingShare {
  /** When {@link isSpent} was first called in this turn, `performance.now()` ms; 0 = not yet. */
  #since = 0
  #scheduled = false
  readonly #readers = new Ring<Reader>()
  /** Requests of all readers that wait. */
  waiting = 0
  /** Calls back at the end of a turn: the method of the run queue. */
  readonly atTurnEnd: AtTurnEnd

  constructor(atTurnEnd: AtTurnEnd) {
    this.atTurnEnd = atTurnEnd
  }

  /** Whether the share of this turn is spent. The first call in a turn starts the clock. */
  isSpent(): boolean {
    const now = performance.now()
    if (this.#since === 0) {
      this.#since = now
      this.atTurnEnd(this.#turnEnds)
    }
    return now - this.#since > TURN_SHARE_MS && this.waiting < MAX_WAITING_REQUESTS
  }

  readonly #turnEnds = (): void => {
    this.#since = 0
  }

  /** Serves the reader from the next turn on, until it has nothing left. The reader must not wait already. */
  resume(reader: Reader): void {
    this.#readers.push(reader)
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(this.#serve)
  }

  readonly #serve = (): void => {
    this.#scheduled = false
    const until = performance.now() + TURN_SHARE_MS
    for (let reader = this.#readers.shift(); reader !== undefined; reader = this.#readers.shift()) {
      let more = true
      for (let taken = 0; more && taken < STRIDE_REQUESTS; taken++) more = reader.takeNext()
      if (more) this.resume(reader)
      if (performance.now() >= until) break
    }
    if (this.#readers.length === 0 || this.#scheduled) return
    this.#scheduled = true
    setImmediate(this.#serve)
  }
}

/** Measures how fast one client sends. For a client that waits for its answers the clock is never read. */
export class Pace {
  readonly #share: ReadingShare
  readonly #stride: number
  #count = 0
  /** A whole stride arrived in this turn. */
  #isFast = false

  /** @param stride requests or chunks that the client may send in a turn in any case */
  constructor(share: ReadingShare, stride: number = STRIDE_REQUESTS) {
    this.#share = share
    this.#stride = stride
  }

  /** Counts a request or a chunk. True when it, and all that follow, must wait for a later turn. */
  isTooFast(): boolean {
    this.#count++
    if (this.#count < this.#stride) return false
    this.#count = 0
    const isSpent = this.#share.isSpent()
    if (this.#isFast) return isSpent
    this.#isFast = true
    this.#share.atTurnEnd(this.#turnEnds)
    return false
  }

  readonly #turnEnds = (): void => {
    this.#isFast = false
  }
}
