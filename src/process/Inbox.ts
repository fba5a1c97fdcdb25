import { type Batch, type LoopFrame, slice } from "./Batch.ts"

/** Places before the first batch that are kept empty at most: a queue is moved up when half of it is that. */
const SPARE = 1024

/** What waits before a step, in order. The batch in front is the one that is worked on. */
export class Inbox {
  #front: Batch | null = null
  /** From #head on; what is before was taken. */
  #waiting: Array<Batch | undefined> = []
  #head = 0
  /** A batch that is too long to be worked on at once, and the first row of it that did not come to the front. */
  #long: Batch | null = null
  #longFrom = 0

  get isEmpty(): boolean {
    return this.#front === null && this.#head === this.#waiting.length && this.#long === null
  }

  get front(): Batch | null {
    return this.#front
  }

  set front(batch: Batch | null) {
    this.#front = batch
  }

  push(batch: Batch): void {
    this.#waiting.push(batch)
  }

  /** The batch to work on next, at most `width` rows of it. It stays in front until {@link done}. */
  next(width: number): Batch {
    if (this.#front === null) {
      if (this.#long !== null) return (this.#front = this.#nextOfLong(width))
      this.#front = this.#take()
    }
    if (this.#front.length > width) {
      // Only a front that was put there by a step, behind which a long one is left, is longer than that.
      if (this.#long !== null) this.#putBack(this.#restOfLong())
      this.#long = this.#front
      this.#longFrom = 0
      this.#front = this.#nextOfLong(width)
    }
    return this.#front
  }

  #nextOfLong(width: number): Batch {
    const long = this.#long!
    const from = this.#longFrom
    const to = Math.min(long.length, from + width)
    this.#longFrom = to
    if (to === long.length) this.#long = null
    return slice(long, from, to)
  }

  #restOfLong(): Batch {
    const rest = slice(this.#long!, this.#longFrom, this.#long!.length)
    this.#long = null
    return rest
  }

  #take(): Batch {
    const batch = this.#waiting[this.#head]!
    this.#waiting[this.#head++] = undefined
    if (this.#head === this.#waiting.length) {
      this.#waiting.length = 0
      this.#head = 0
    } else if (this.#head > SPARE && this.#head * 2 > this.#waiting.length) {
      this.#waiting.splice(0, this.#head)
      this.#head = 0
    }
    return batch
  }

  #putBack(batch: Batch): void {
    if (this.#head > 0) this.#waiting[--this.#head] = batch
    else this.#waiting.unshift(batch)
  }

  done(): void {
    this.#front = null
  }

  /** Takes away what waits behind the front in the same round. */
  takeRound(loops: LoopFrame | null): ReadonlyArray<Batch> {
    if (this.#long !== null) this.#putBack(this.#restOfLong())
    const taken = [...this.waiting()].filter((batch) => batch.loops === loops)
    if (taken.length > 0) {
      this.#waiting = [...this.waiting()].filter((batch) => batch.loops !== loops)
      this.#head = 0
    }
    return taken
  }

  /** Drops everything but the front. */
  clear(): void {
    this.#waiting = []
    this.#head = 0
    this.#long = null
  }

  /** What is behind the front. */
  *waiting(): Generator<Batch> {
    for (let at = this.#head; at < this.#waiting.length; at++) yield this.#waiting[at]!
  }

  /** Adds up what waits into `sum`. */
  addTo(sum: WaitingRows): void {
    sum.batches += this.#waiting.length - this.#head
    for (let at = this.#head; at < this.#waiting.length; at++) add(this.#waiting[at]!, sum)
    if (this.#front !== null) add(this.#front, sum)
    if (this.#long !== null) add(this.#long, sum)
  }
}

/** What waits in a run: batches, rows, and the nodes of their paths if no two shared one. */
export interface WaitingRows {
  batches: number
  rows: number
  pathNodes: number
}

/** One row speaks for all of a batch: their paths began together and are of about the same length. */
const add = ({ length, path }: Batch, sum: WaitingRows): void => {
  sum.rows += length
  if (path !== null) sum.pathNodes += length * (path[0]?.length ?? 0)
}
