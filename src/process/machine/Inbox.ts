import { BulkSet, GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { Keyed } from "../../structure/Equivalence.ts"
import type { GraphTransaction } from "../../structure/GraphStore.ts"
import { bytesOf } from "../../structure/HeldBytes.ts"
import { BigDecimal, BigInteger, productEffort } from "../../structure/Numbers.ts"
import { type Batch, concat, type LoopFrame, slice, VALUE } from "../plan/Batch.ts"

/** Places before the first batch that are kept empty at most: a queue is moved up when half of it is that. */
const SPARE = 1024

/** Members of collections, and characters by the dozen, that one call of a step gets at most, unless one row has more. */
const LARGE = 4096
/** Shorter texts do not count. */
const LONG_TEXT = 128
/** Numbers of fewer digits do not count: 2^128. */
const LONG_NUMBER = 1n << 128n

/** Large integers count by the time that a product takes: 65,536 bits as 5,000 members, half of them as a quarter. */
const sizeOfNumber = (value: bigint, factor: number): number =>
  value < LONG_NUMBER && value > -LONG_NUMBER ? 0 : 4 + factor * productEffort(value)

/** 0 for what is small. */
const sizeOf = (value: unknown): number => {
  if (typeof value === "string") return value.length < LONG_TEXT ? 0 : value.length >> 4
  if (typeof value !== "object" || value === null) return 0
  if (Array.isArray(value)) return value.length
  if (value instanceof Keyed) {
    return value instanceof GremlinMap || value instanceof GremlinSet || value instanceof BulkSet ? value.size : 1
  }
  if (value instanceof BigInteger) return sizeOfNumber(value.value, 1)
  // A quotient of BigDecimals takes longer than a product.
  return value instanceof BigDecimal ? sizeOfNumber(value.unscaled, 4) : 0
}

/** One batch for those that follow each other in the same round. */
export const joined = (batches: ReadonlyArray<Batch>, transaction: GraphTransaction): Array<Batch> => {
  const out: Array<Batch> = []
  let from = 0
  for (let to = 1; to <= batches.length; to++) {
    const { kind, loops } = batches[from]!
    if (to < batches.length && batches[to]!.loops === loops && batches[to]!.kind === kind) continue
    out.push(concat(batches.slice(from, to), transaction))
    from = to
  }
  return out
}

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

  /** Puts a batch before those of other rounds, behind those of its own that are at the head of the queue. */
  pushFirst(batch: Batch): void {
    if (this.#long !== null) this.#putBack(this.#restOfLong())
    let at = this.#head
    while (at < this.#waiting.length && this.#waiting[at]!.loops === batch.loops) at++
    if (at > this.#head) this.#waiting.splice(at, 0, batch)
    else this.#putBack(batch)
  }

  /** The batch to work on next, at most `width` rows of it. It stays in front until {@link done}. */
  next(width: number): Batch {
    if (this.#front === null) {
      if (this.#gone > 0 && this.#gone >= this.#scouted) this.#scouted = this.#gone = 0
      if (this.#long !== null) return (this.#front = this.#cut(this.#nextOfLong(width)))
      const batch = this.#take()
      if (batch.length <= width) return (this.#front = this.#cut(batch))
      this.#front = batch
    }
    if (this.#front.length > width) {
      // Only a front that was put there by a step, behind which a long one is left, is longer than that.
      if (this.#long !== null) this.#putBack(this.#restOfLong())
      this.#long = this.#front
      this.#longFrom = 0
      this.#front = this.#cut(this.#nextOfLong(width))
    }
    return this.#front
  }

  /** What the values of the front are, in members of collections and characters by the dozen; 0 where all are small. */
  frontSize = 0

  /** Of a batch with large values only so many rows that a step has not too much to do with them in one call. */
  #cut(batch: Batch): Batch {
    this.frontSize = 0
    const values = batch.kind === VALUE ? (batch.data as ReadonlyArray<unknown>) : null
    const { sack } = batch
    if (values === null && sack === null) return batch
    for (let row = 0; row < batch.length; row++) {
      const size = (values === null ? 0 : sizeOf(values[row])) + (sack === null ? 0 : sizeOf(sack[row]))
      if (size === 0) continue
      this.frontSize += size
      if (this.frontSize <= LARGE || row + 1 === batch.length) continue
      if (this.#long === null) {
        this.#long = batch
        this.#longFrom = row + 1
      } else this.#longFrom -= batch.length - row - 1
      return slice(batch, 0, row + 1)
    }
    return batch
  }

  /** The next rows of the long batch, which is let go of with its last ones. */
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
    if (this.#scouted > 0) this.#gone += this.#front!.length
    this.#front = null
  }

  /** Rows that a {@link Scout} has taken, and how many of them are done: with the last one, until the next row comes. */
  #scouted = 0
  #gone = 0

  /** Whether a scout went ahead of the row in front. */
  get isScouted(): boolean {
    return this.#scouted > 0
  }

  /** The front and what waits behind it, about `limit` rows, for a scout; null when there is no second row. */
  takeForScout(limit: number): ReadonlyArray<Batch> | null {
    const batches = [this.#front!]
    let rows = this.#front!.length
    const add = (batch: Batch, from: number): void => {
      const to = Math.min(batch.length, from + limit - rows)
      if (to > from) batches.push(slice(batch, from, to))
      rows += to - from
    }
    if (this.#long !== null) add(this.#long, this.#longFrom)
    for (let at = this.#head; at < this.#waiting.length && rows < limit; at++) add(this.#waiting[at]!, 0)
    if (rows < 2) return null
    this.#scouted = rows
    this.#gone = 0
    return batches
  }

  /** Takes away what waits behind the front in the same round. */
  takeRound(loops: LoopFrame | null): ReadonlyArray<Batch> {
    if (this.#long !== null) this.#putBack(this.#restOfLong())
    this.#scouted = Math.min(this.#scouted, this.#gone + (this.#front?.length ?? 0))
    const taken = [...this.waiting()].filter((batch) => batch.loops === loops)
    if (taken.length > 0) {
      this.#waiting = [...this.waiting()].filter((batch) => batch.loops !== loops)
      this.#head = 0
    }
    return taken
  }

  /** Makes one batch of those that wait behind each other in one round, where nothing is in front. */
  join(transaction: GraphTransaction): void {
    if (this.#front !== null || this.#long !== null || this.#waiting.length - this.#head < 2) return
    this.#waiting = joined([...this.waiting()], transaction)
    this.#head = 0
  }

  /** Drops everything but the front. */
  clear(): void {
    this.#scouted = this.#gone = 0
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
  /** Bytes of the values that are more than a few. */
  valueBytes: number
}

/** Values up to this size are counted with their rows. */
const SMALL = 64

/** Where the first and the last are one object, as the sacks of withSack() are, all rows are taken to share it. */
const bytesOfColumn = (values: ReadonlyArray<unknown>, length: number): number => {
  if (length > 1 && typeof values[0] === "object" && values[0] === values[length - 1]) return bytesOf(values[0])
  const bytes = (bytesOf(values[0]) + bytesOf(values[length >> 1]) + bytesOf(values[length - 1])) / 3
  return bytes > SMALL ? bytes * length : 0
}

/** One row speaks for all of a batch: their paths began together and are of about the same length. */
const add = ({ data, kind, length, path, sack }: Batch, sum: WaitingRows): void => {
  sum.rows += length
  if (kind === VALUE) sum.valueBytes += bytesOfColumn(data as ReadonlyArray<unknown>, length)
  if (sack !== null) sum.valueBytes += bytesOfColumn(sack, length)
  if (path !== null) sum.pathNodes += length * (path[0]?.length ?? 0)
}
