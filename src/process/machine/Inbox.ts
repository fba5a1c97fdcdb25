import { BulkSet, GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import { Keyed } from "../../structure/collections/Equivalence.ts"
import { Path } from "../../structure/elements/Path.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import { bytesOf } from "../../structure/memory/HeldBytes.ts"
import { BigDecimal, BigInteger, productEffort } from "../../structure/numbers/Numbers.ts"
import { type Batch, concat, type LoopFrame, slice, VALUE } from "../plan/Batch.ts"

/** The queue is compacted when at least this many slots and half of it are empty. */
const MAX_EMPTY_SLOTS = 1024

/**
 * Limit of the size of the values in one call of a step, unless one row has more. A member of a collection counts 1, as do 16
 * characters of a text.
 */
const MAX_VALUE_SIZE = 4096
/** Shorter paths do not count. A place of a longer one counts 1. */
const LONG_PATH_PLACES = 64
/** Shorter texts do not count. */
const LONG_TEXT_CHARS = 128
/** Integers of smaller magnitude do not count. */
const LONG_NUMBER = 1n << 128n

/** The size of an integer: proportional to the time of a multiplication. 65,536 bits count as 5,000 members. */
const sizeOfNumber = (value: bigint, factor: number): number =>
  value < LONG_NUMBER && value > -LONG_NUMBER ? 0 : 4 + factor * productEffort(value)

/** The size of a value; 0 for small ones. */
const sizeOf = (value: unknown): number => {
  if (typeof value === "string") return value.length < LONG_TEXT_CHARS ? 0 : value.length >> 4
  if (typeof value !== "object" || value === null) return 0
  if (Array.isArray(value)) return value.length
  if (value instanceof Keyed) {
    return value instanceof GremlinMap || value instanceof GremlinSet || value instanceof BulkSet ? value.size : 1
  }
  if (value instanceof Path) return value.objects.length
  if (value instanceof BigInteger) return sizeOfNumber(value.value, 1)
  // A division of BigDecimals takes longer than a multiplication.
  return value instanceof BigDecimal ? sizeOfNumber(value.unscaled, 4) : 0
}

/** The size of the path of each row. The paths of a batch have about the same length. */
const sizeOfPath = ({ path }: Batch): number => {
  const places = path?.[0]?.length ?? 0
  return places < LONG_PATH_PLACES ? 0 : places
}

/** Joins adjacent batches of the same round and kind. */
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

/** The queue of batches before one step. The front is the batch that the step works on. */
export class Inbox {
  #front: Batch | null = null
  /** The queue; slots before #head are empty. */
  #waiting: Array<Batch | undefined> = []
  #head = 0
  /** A batch that is larger than the width of the step, of which the front is a part. */
  #long: Batch | null = null
  /** The first row of #long that was not in the front. */
  #longFrom = 0

  /** Whether no rows wait, the front included. */
  get isEmpty(): boolean {
    return this.#front === null && this.#head === this.#waiting.length && this.#long === null
  }

  /** The batch that the step works on; null before {@link next}. */
  get front(): Batch | null {
    return this.#front
  }

  set front(batch: Batch | null) {
    this.#front = batch
  }

  /** Appends a batch. */
  push(batch: Batch): void {
    // Adding to an empty array would reserve room for more batches than mostly come.
    if (this.#waiting.length === 0) this.#waiting = [batch]
    else this.#waiting.push(batch)
  }

  /** Inserts a batch before those of other rounds, after batches of its round at the head of the queue. */
  pushFirst(batch: Batch): void {
    if (this.#long !== null) this.#putBack(this.#restOfLong())
    let at = this.#head
    while (at < this.#waiting.length && this.#waiting[at]!.loops === batch.loops) at++
    if (at > this.#head) this.#waiting.splice(at, 0, batch)
    else this.#putBack(batch)
  }

  /** The batch to work on next, with at most `width` rows. It stays in front until {@link done}. */
  next(width: number): Batch {
    if (this.#front === null) {
      if (this.#gone > 0 && this.#gone >= this.#scouted) this.#scouted = this.#gone = 0
      if (this.#long !== null) return (this.#front = this.#cut(this.#nextOfLong(width)))
      const batch = this.#take()
      if (batch.length <= width) return (this.#front = this.#cut(batch))
      this.#front = batch
    }
    if (this.#front.length > width) {
      // While a part of a long batch remains, only a front that the step itself has set is larger than the width.
      if (this.#long !== null) this.#putBack(this.#restOfLong())
      this.#long = this.#front
      this.#longFrom = 0
      this.#front = this.#cut(this.#nextOfLong(width))
    }
    return this.#front
  }

  /** Size of the values and paths of the front, in the unit of {@link MAX_VALUE_SIZE}; 0 if all are small. */
  frontSize = 0

  /** Cuts a batch with large values or long paths, so that one call of the step does not take too long. */
  #cut(batch: Batch): Batch {
    this.frontSize = 0
    const values = batch.kind === VALUE ? (batch.data as ReadonlyArray<unknown>) : null
    const { sack } = batch
    const path = sizeOfPath(batch)
    if (values === null && sack === null && path === 0) return batch
    for (let row = 0; row < batch.length; row++) {
      const size = path + (values === null ? 0 : sizeOf(values[row])) + (sack === null ? 0 : sizeOf(sack[row]))
      if (size === 0) continue
      this.frontSize += size
      if (this.frontSize <= MAX_VALUE_SIZE || row + 1 === batch.length) continue
      if (this.#long === null) {
        this.#long = batch
        this.#longFrom = row + 1
      } else this.#longFrom -= batch.length - row - 1
      return slice(batch, 0, row + 1)
    }
    return batch
  }

  /** The next rows of the long batch. */
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
    } else if (this.#head > MAX_EMPTY_SLOTS && this.#head * 2 > this.#waiting.length) {
      this.#waiting.splice(0, this.#head)
      this.#head = 0
    }
    return batch
  }

  #putBack(batch: Batch): void {
    if (this.#head > 0) this.#waiting[--this.#head] = batch
    else this.#waiting.unshift(batch)
  }

  /** Removes the front. */
  done(): void {
    if (this.#scouted > 0) this.#gone += this.#front!.length
    this.#front = null
  }

  /** Rows that a {@link Scout} has taken. */
  #scouted = 0
  /** Those of them that are done. */
  #gone = 0

  /** Whether a scout has already processed the row in front. */
  get isScouted(): boolean {
    return this.#scouted > 0
  }

  /** The front and about `limit` rows in total, for a scout; null if there is no second row. The rows stay in the queue. */
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

  /** Removes and returns the batches after the front that are in this round. */
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

  /** Joins adjacent batches of the same round, if there is no front. */
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

  /** The batches after the front. */
  *waiting(): Generator<Batch> {
    for (let at = this.#head; at < this.#waiting.length; at++) yield this.#waiting[at]!
  }

  /** Adds the waiting rows to `sum`. */
  addTo(sum: WaitingRows): void {
    sum.batches += this.#waiting.length - this.#head
    for (let at = this.#head; at < this.#waiting.length; at++) addRows(this.#waiting[at]!, sum)
    if (this.#front !== null) addRows(this.#front, sum)
    if (this.#long !== null) addRows(this.#long, sum)
  }
}

/** The number of batches, rows and path nodes that wait in a run. Shared path nodes count for each row. */
export interface WaitingRows {
  batches: number
  rows: number
  pathNodes: number
  /** Bytes of large values. */
  valueBytes: number
}

/** The size of smaller values is part of the size of a row. */
const SMALL_VALUE_BYTES = 64

/** Estimated from three values. If the first and last are the same object, as sacks may be, it counts once for all rows. */
const bytesOfColumn = (values: ReadonlyArray<unknown>, length: number): number => {
  if (length > 1 && typeof values[0] === "object" && values[0] === values[length - 1]) return bytesOf(values[0])
  const bytes = (bytesOf(values[0]) + bytesOf(values[length >> 1]) + bytesOf(values[length - 1])) / 3
  return bytes > SMALL_VALUE_BYTES ? bytes * length : 0
}

/** Adds the rows of a batch to `sum`. The paths of a batch have about the same length, so that of the first row counts for all. */
export const addRows = ({ data, kind, length, path, sack }: Batch, sum: WaitingRows): void => {
  sum.rows += length
  if (kind === VALUE) sum.valueBytes += bytesOfColumn(data as ReadonlyArray<unknown>, length)
  if (sack !== null) sum.valueBytes += bytesOfColumn(sack, length)
  if (path !== null) sum.pathNodes += length * (path[0]?.length ?? 0)
}
