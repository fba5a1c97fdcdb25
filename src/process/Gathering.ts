import { keyOf, keyText } from "../structure/Equivalence.ts"
import type { RefColumn } from "../structure/GraphStore.ts"
import type { Activation } from "./Activation.ts"
import { Batch, concat, type Kind, select, VALUE } from "./Batch.ts"
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
const MANY = 4096
const ORIGINS = 2 ** 21

class Table {
  readonly kind: Kind
  readonly #activation: Activation
  readonly #first: Batch
  readonly #objects: Array<unknown> = []
  readonly #bulks: Array<number> = []
  readonly #origins: Array<number> | null
  readonly #sacks: Array<unknown> | null
  readonly #places = new Map<unknown, number>()
  /** By ref: place + 1, 0 where there is none. */
  #marks: Int32Array<ArrayBuffer> | null = null

  constructor(first: Batch, activation: Activation) {
    this.kind = first.kind
    this.#first = first
    this.#activation = activation
    this.#origins = first.origin === null ? null : []
    this.#sacks = first.sack === null ? null : []
  }

  get size(): number {
    return this.#objects.length
  }

  fits(batch: Batch): boolean {
    return batch.kind === this.kind && (batch.origin === null) === (this.#origins === null)
  }

  add(batch: Batch): void {
    const { data, length } = batch
    const { bulk: counts } = this.#activation.run
    for (let i = 0; i < length; i++) {
      const place = this.#place(data[i], batch.originOf(i))
      if (place < 0) {
        this.#objects.push(data[i])
        this.#bulks.push(counts ? batch.bulkOf(i) : 1)
        this.#origins?.push(batch.originOf(i))
        this.#sacks?.push(batch.sack?.[i])
      } else {
        if (counts) this.#bulks[place]! += batch.bulkOf(i)
        if (this.#sacks !== null) this.#mergeSack(place, batch.sack?.[i])
      }
    }
  }

  /** The place of an object, or -1 when it is new: then its place is made. */
  #place(object: unknown, origin: number): number {
    const next = this.#objects.length
    if (this.kind === VALUE) return this.#look(this.#origins === null ? keyOf(object) : valueKey(object, origin), next)
    const ref = object as number
    if (this.#origins !== null) return this.#look(origin < ORIGINS ? origin * 2 ** 32 + ref : `${origin},${ref}`, next)
    if (next === MANY && this.#marks === null) this.#mark()
    const marks = this.#marks
    if (marks === null || ref < 0) return this.#look(ref, next)
    if (ref >= marks.length) {
      this.#marks = grown(marks, ref)
      this.#marks[ref] = next + 1
      return -1
    }
    const place = marks[ref]! - 1
    if (place < 0) marks[ref] = next + 1
    return place
  }

  #look(key: unknown, next: number): number {
    const place = this.#places.get(key)
    if (place !== undefined) return place
    this.#places.set(key, next)
    return -1
  }

  /** Goes over to marks, where refs are small integers. */
  #mark(): void {
    if (!(this.#first.data instanceof Int32Array)) return
    let marks = new Int32Array(2 * MANY)
    for (const [ref, place] of this.#places as Map<number, number>) {
      if (ref < 0) continue
      if (ref >= marks.length) marks = grown(marks, ref)
      marks[ref] = place + 1
    }
    this.#marks = marks
  }

  #mergeSack(place: number, sack: unknown): void {
    const merge = this.#activation.run.sackMerge
    if (merge !== null) this.#sacks![place] = applyOperator(merge, this.#sacks![place], sack)
  }

  batch(): Batch {
    const length = this.#objects.length
    let data: RefColumn | Array<unknown>
    if (this.kind === VALUE) data = this.#objects
    else {
      data = this.#activation.transaction.newRefs(length)
      data.set(this.#objects as Array<number>)
    }
    const out = new Batch(this.kind, data, length)
    out.loops = this.#first.loops
    if (this.#bulks.some((bulk) => bulk !== 1)) out.bulk = Float64Array.from(this.#bulks)
    if (this.#origins !== null) out.origin = Int32Array.from(this.#origins)
    if (this.#sacks !== null) out.sack = this.#sacks
    return out
  }
}

const valueKey = (object: unknown, origin: number): string => `${origin},${keyText(object)}`

const grown = (marks: Int32Array<ArrayBuffer>, ref: number): Int32Array<ArrayBuffer> => {
  const out = new Int32Array(2 ** Math.ceil(Math.log2(ref + 2)))
  out.set(marks)
  return out
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
