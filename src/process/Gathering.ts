import { keyOf, keyText } from "../structure/Equivalence.ts"
import type { RefColumn } from "../structure/GraphStore.ts"
import type { Activation } from "./Activation.ts"
import { Batch, concat, type Kind, type LoopFrame, select, VALUE } from "./Batch.ts"
import { applyOperator } from "./Operators.ts"

/** What a barrier holds until everything before it is through. */
export interface Gathering {
  add(batch: Batch): void
  /** What was taken in, in order. Called once. */
  take(): ReadonlyArray<Batch>
}

/** How a barrier that may merge treats equal rows. */
export type Merging = "refs" | "values"

/**
 * A place to gather rows in. Equal rows become one with the sum of their bulks, at the place of the first, where nothing
 * that rows carry would be lost: "refs" merges elements only (values may be equal and yet not the same: properties),
 * "values" everything, as barrier() does.
 */
export const gathering = (activation: Activation, merging: Merging | null): Gathering => {
  const { plan, run } = activation
  const merges = merging !== null && plan.path < 2 && (!plan.sack || run.sackMerge !== null)
  return merges ? new MergedRows(activation, merging) : new KeptRows(activation)
}

class KeptRows implements Gathering {
  readonly #activation: Activation
  readonly #batches: Array<Batch> = []
  constructor(activation: Activation) {
    this.#activation = activation
  }
  add(batch: Batch): void {
    this.#batches.push(batch)
    this.#activation.run.hold(batch.length * 48)
  }
  take(): ReadonlyArray<Batch> {
    return this.#batches
  }
}

/** Rows of one kind of column, each distinct (object, origin) once. */
class MergedRows implements Gathering {
  readonly #activation: Activation
  readonly #merging: Merging
  /** One table for each kind, and a list for rows that are not merged, in the order in which they were first needed. */
  readonly #parts: Array<Table | Batch> = []
  #current: Table | undefined
  constructor(activation: Activation, merging: Merging) {
    this.#activation = activation
    this.#merging = merging
  }

  add(batch: Batch): void {
    // Rows that passed a label, in a plan that keeps labelled objects only, differ by what they remember.
    if (batch.path !== null || (batch.kind === VALUE && this.#merging === "refs")) {
      this.#parts.push(batch)
      this.#activation.run.hold(batch.length * 48)
      return
    }
    if (this.#current === undefined || !this.#current.fits(batch)) {
      this.#current = this.#parts.find((part): part is Table => part instanceof Table && part.fits(batch))
      if (this.#current === undefined) this.#parts.push((this.#current = new Table(batch, this.#activation)))
    }
    const before = this.#current.size
    this.#current.add(batch)
    this.#activation.run.hold((this.#current.size - before) * 48)
  }

  take(): ReadonlyArray<Batch> {
    return this.#parts.map((part) => (part instanceof Table ? part.batch() : part))
  }
}

/** Entries from which on a mark for each ref is cheaper than a Map. */
const MANY = 1024
const ORIGINS = 2 ** 21

/** Numbers under keys that are refs, or refs with an origin, or keys of values: the place of each in a table. */
class Places {
  readonly #places = new Map<unknown, number>()
  /** By ref: place + 1, 0 where there is none. */
  #marks: Int32Array<ArrayBuffer> | null = null
  readonly #marksRefs: boolean
  /** `marksRefs`: keys are refs that are small integers, save a few. */
  constructor(marksRefs: boolean) {
    this.#marksRefs = marksRefs
  }

  /** The place of a key, or -1 when it is new: then `next` is its place from now on. */
  place(key: unknown, next: number): number {
    const marks = this.#marks
    if (marks !== null && (key as number) >= 0) {
      if ((key as number) >= marks.length) {
        this.#marks = grown(marks, key as number)
        this.#marks[key as number] = next + 1
        return -1
      }
      const place = marks[key as number]! - 1
      if (place < 0) marks[key as number] = next + 1
      return place
    }
    const place = this.#places.get(key)
    if (place !== undefined) return place
    this.#places.set(key, next)
    if (next === MANY && this.#marksRefs) this.#mark()
    return -1
  }

  /** The same for a ref, where {@link Places} was told that keys are refs. */
  placeOfRef(ref: number, next: number): number {
    const marks = this.#marks
    if (marks === null || ref < 0 || ref >= marks.length) return this.place(ref, next)
    const place = marks[ref]!
    if (place === 0) marks[ref] = next + 1
    return place - 1
  }

  #mark(): void {
    let marks = new Int32Array(2 * MANY)
    for (const [ref, place] of this.#places as Map<number, number>) {
      if (ref < 0) continue
      if (ref >= marks.length) marks = grown(marks, ref)
      marks[ref] = place + 1
    }
    this.#marks = marks
  }
}

const grown = (marks: Int32Array<ArrayBuffer>, ref: number): Int32Array<ArrayBuffer> => {
  const out = new Int32Array(2 ** Math.ceil(Math.log2(ref + 2)))
  out.set(marks)
  return out
}

/** Distinct rows of one kind of column. */
class Table {
  readonly kind: Kind
  readonly #activation: Activation
  readonly #loops: LoopFrame | null
  /** Refs or values by place, and what goes with them; typed arrays for refs, which grow by doubling. */
  #data: RefColumn | Array<unknown>
  #bulks = new Float64Array(64)
  readonly #origins: Array<number> | null
  readonly #sacks: Array<unknown> | null
  readonly #places: Places
  #size = 0

  constructor(first: Batch, activation: Activation) {
    this.kind = first.kind
    this.#loops = first.loops
    this.#activation = activation
    this.#origins = first.origin === null ? null : []
    this.#sacks = first.sack === null ? null : []
    this.#data = first.kind === VALUE ? [] : activation.transaction.newRefs(64)
    this.#places = new Places(first.data instanceof Int32Array && first.origin === null)
  }

  get size(): number {
    return this.#size
  }

  fits(batch: Batch): boolean {
    return batch.kind === this.kind && (batch.origin === null) === (this.#origins === null)
  }

  add(batch: Batch): void {
    const { data, length } = batch
    const counts = this.#activation.run.bulk
    if (this.#origins === null && this.#sacks === null && counts && data instanceof Int32Array) {
      this.#addRefs(data, length, batch.bulk)
      return
    }
    for (let i = 0; i < length; i++) {
      const origin = batch.originOf(i)
      const place = this.#places.place(this.#key(data[i], origin), this.#size)
      if (place < 0) this.#append(data[i], counts ? batch.bulkOf(i) : 1, origin, batch.sack?.[i])
      else {
        if (counts) this.#bulks[place]! += batch.bulkOf(i)
        if (this.#sacks !== null) this.#mergeSack(place, batch.sack?.[i])
      }
    }
  }

  /** The common case, without a look at what is not there. */
  #addRefs(refs: Int32Array, length: number, bulk: Float64Array | null): void {
    const places = this.#places
    for (let i = 0; i < length; i++) {
      const ref = refs[i]!
      const by = bulk === null ? 1 : bulk[i]!
      const place = places.placeOfRef(ref, this.#size)
      if (place < 0) this.#append(ref, by, 0, undefined)
      else this.#bulks[place]! += by
    }
  }

  #key(object: unknown, origin: number): unknown {
    if (this.#origins === null) return this.kind === VALUE ? keyOf(object) : object
    if (this.kind === VALUE) return `${origin},${keyText(object)}`
    return origin < ORIGINS ? origin * 2 ** 32 + (object as number) : `${origin},${object as number}`
  }

  #append(object: unknown, bulk: number, origin: number, sack: unknown): void {
    const place = this.#size++
    if (place === this.#bulks.length) this.#grow()
    this.#data[place] = object as number
    this.#bulks[place] = bulk
    this.#origins?.push(origin)
    this.#sacks?.push(sack)
  }

  #grow(): void {
    const bulks = new Float64Array(this.#bulks.length * 2)
    bulks.set(this.#bulks)
    this.#bulks = bulks
    if (Array.isArray(this.#data)) return
    const refs = this.#activation.transaction.newRefs(bulks.length)
    refs.set(this.#data)
    this.#data = refs
  }

  #mergeSack(place: number, sack: unknown): void {
    const merge = this.#activation.run.sackMerge
    if (merge !== null) this.#sacks![place] = applyOperator(merge, this.#sacks![place], sack)
  }

  batch(): Batch {
    const length = this.#size
    const data = this.#data
    const out = new Batch(this.kind, Array.isArray(data) ? data : data.subarray(0, length), length)
    out.loops = this.#loops
    const bulks = this.#bulks.subarray(0, length)
    if (bulks.some((bulk) => bulk !== 1)) out.bulk = bulks
    if (this.#origins !== null) out.origin = Int32Array.from(this.#origins)
    if (this.#sacks !== null) out.sack = this.#sacks
    return out
  }
}

/** Which refs were seen: for dedup(). */
export class RefSet {
  readonly #places: Places
  #size = 0
  constructor(refs: RefColumn) {
    this.#places = new Places(refs instanceof Int32Array)
  }

  /** True the first time a ref comes. */
  add(ref: number): boolean {
    if (this.#places.placeOfRef(ref, this.#size) >= 0) return false
    this.#size++
    return true
  }
}

/** Rows of several batches as one list, for barriers that keep only some of what comes. */
export class RowList {
  readonly batches: Array<Batch> = []
  readonly rows: Array<number> = []

  get length(): number {
    return this.rows.length
  }

  add(batch: Batch, row: number): void {
    this.batches.push(batch)
    this.rows.push(row)
  }

  /** Forgets the first `count` rows. */
  drop(count: number): void {
    this.batches.splice(0, count)
    this.rows.splice(0, count)
  }
}

/** One batch of the rows of lists, in order; null when they are all empty. */
export const assemble = (lists: ReadonlyArray<RowList>, activation: Activation): Batch | null => {
  const parts: Array<Batch> = []
  for (const { batches, rows } of lists) {
    let from = 0
    while (from < rows.length) {
      const batch = batches[from]!
      let to = from + 1
      while (to < rows.length && batches[to] === batch) to++
      parts.push(select(batch, rows.slice(from, to), to - from))
      from = to
    }
  }
  return parts.length === 0 ? null : concat(parts, activation.transaction)
}
