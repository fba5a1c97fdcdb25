import type { RunQueue } from "../../../services/RunQueue.ts"
import { Ring } from "../../../structure/Ring.ts"

/** Time that what clients send without waiting may take of one turn of the event loop, ms. */
const SHARE = 4

/** Requests of one client that are taken in a turn whatever the others send, and those between two looks at the clock. */
const STRIDE = 16

/** Requests that may wait for a later turn; more are taken in theirs. Each is some kilobytes over HTTP. */
const MOST_WAITING = 16_384

/** A client whose requests wait for a later turn of the event loop. */
export interface Reader {
  /** Takes the next request. False when none is left, or none can be taken now: then the reader asks for its turn again. */
  takeNext(): boolean
}

/** Calls back at the end of a turn of the event loop: see the run queue. */
export type AtTurnEnd = (typeof RunQueue.Service)["atTurnEnd"]

/**
 * Shares the event loop among clients that send many requests without waiting for answers. Node reads up to two megabytes
 * of one socket in a turn, which are a hundred thousand short requests: however cheap each is, they would keep all others
 * waiting for seconds.
 */
export class ReadingShare {
  /** When the reading of this turn was first looked at; 0 = not yet. `performance.now()` ms. */
  #since = 0
  #scheduled = false
  readonly #readers = new Ring<Reader>()
  /** Requests that wait, of all readers. */
  waiting = 0
  /** As the run queue's. */
  readonly atTurnEnd: AtTurnEnd

  constructor(atTurnEnd: AtTurnEnd) {
    this.atTurnEnd = atTurnEnd
  }

  /** Whether what many requests of one client take of this turn is spent; the first call starts the clock. */
  isSpent(): boolean {
    const now = performance.now()
    if (this.#since === 0) {
      this.#since = now
      this.atTurnEnd(this.#turnEnds)
    }
    return now - this.#since > SHARE && this.waiting < MOST_WAITING
  }

  readonly #turnEnds = (): void => {
    this.#since = 0
  }

  /** The reader has its turns from the next one on, until it has nothing left. It must not stand in line already. */
  goOn(reader: Reader): void {
    this.#readers.push(reader)
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(this.#serve)
  }

  readonly #serve = (): void => {
    this.#scheduled = false
    const until = performance.now() + SHARE
    for (let reader = this.#readers.shift(); reader !== undefined; reader = this.#readers.shift()) {
      let more = true
      for (let taken = 0; more && taken < STRIDE; taken++) more = reader.takeNext()
      if (more) this.goOn(reader)
      if (performance.now() >= until) break
    }
    if (this.#readers.length === 0 || this.#scheduled) return
    this.#scheduled = true
    setImmediate(this.#serve)
  }
}

/** How fast one client sends: whoever waits for its answers never comes to the clock. */
export class Pace {
  readonly #share: ReadingShare
  readonly #stride: number
  #count = 0
  /** A whole stride came in this turn. */
  #isFast = false

  /** @param stride what one client may send in a turn, whatever the others do */
  constructor(share: ReadingShare, stride: number = STRIDE) {
    this.#share = share
    this.#stride = stride
  }

  /** Something came. True when it, and what follows it, is to wait for a later turn. */
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
