import type { Ref } from "../../structure/elements/Element.ts"
import type { RefColumn } from "../../structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"

/** A column of refs of vertices. */
export const VERTEX = 0
/** A column of refs of edges. */
export const EDGE = 1
/** A column of any values; elements are handles. */
export const VALUE = 2
/** The content of a column. */
export type Kind = typeof VERTEX | typeof EDGE | typeof VALUE

/** A column of refs or of values. */
export type Data = RefColumn | readonly unknown[]

/** One object in the path of a traverser. All traversers with the same path up to it share the node. */
export class PathNode {
  readonly kind: Kind
  /** The ref (VERTEX, EDGE) or the value. */
  readonly object: unknown
  /** Labels of as() of the step; null = none. */
  readonly labels: readonly string[] | null
  readonly previous: PathNode | null
  /** Number of nodes from the first to this one. */
  readonly length: number
  constructor(kind: Kind, object: unknown, labels: readonly string[] | null, previous: PathNode | null) {
    this.kind = kind
    this.object = object
    this.labels = labels
    this.previous = previous
    this.length = previous === null ? 1 : previous.length + 1
  }
}

/** The number of rounds of a repeat() that the rows of a batch have completed. One object for each (repeat, round, outer round). */
export class LoopFrame {
  /** The index and name of the repeat() step this frame belongs to. */
  readonly position: number
  readonly loopName: string | null
  /** Completed rounds. */
  readonly count: number
  readonly outer: LoopFrame | null
  #next: LoopFrame | undefined
  /**
   * The first frame lives as long as the run, for rows that enter later. A strong reference from it to the later frames would
   * make an endless loop fill the memory.
   */
  #second: WeakRef<LoopFrame> | undefined
  #inner: Map<object, LoopFrame> | undefined
  constructor(position: number, loopName: string | null, count: number, outer: LoopFrame | null) {
    this.position = position
    this.loopName = loopName
    this.count = count
    this.outer = outer
  }
  /** The frame of the next round. */
  next(): LoopFrame {
    if (this.count === 0) {
      let second = this.#second?.deref()
      if (second === undefined) {
        second = new LoopFrame(this.position, this.loopName, 1, this.outer)
        this.#second = new WeakRef(second)
      }
      return second
    }
    this.#next ??= new LoopFrame(this.position, this.loopName, this.count + 1, this.outer)
    return this.#next
  }
  /** The first round of a repeat() inside this round; `repeat` is its step. */
  enter(repeat: object, position: number, loopName: string | null): LoopFrame {
    this.#inner ??= new Map()
    let frame = this.#inner.get(repeat)
    if (frame === undefined) this.#inner.set(repeat, (frame = new LoopFrame(position, loopName, 0, this)))
    return frame
  }
}

/**
 * Rows between two steps, as columns. An optional column is null when the plan does not need it or all rows have the default
 * value.
 */
export class Batch {
  readonly kind: Kind
  /** At least `length` entries; further entries are undefined. */
  readonly data: Data
  readonly length: number
  /** Number of equal traversers that each row stands for; null = 1 each. */
  bulk: Float64Array | null = null
  /** In a child traversal: the row of the parent's batch that each row comes from; null = 0 for all. */
  origin: Int32Array | null = null
  /** The last node of the path of each row. */
  path: ReadonlyArray<PathNode | null> | null = null
  sack: readonly unknown[] | null = null
  loops: LoopFrame | null = null

  constructor(kind: Kind, data: Data, length: number) {
    this.kind = kind
    this.data = data
    this.length = length
  }

  /** The value of a row: a handle for a ref. */
  value(row: number, transaction: GraphTransaction): unknown {
    const raw = this.data[row]
    return this.kind === VALUE
      ? raw
      : this.kind === VERTEX
        ? transaction.vertex(raw as Ref)
        : transaction.edge(raw as Ref)
  }

  /** The bulk of a row. */
  bulkOf(row: number): number {
    return this.bulk === null ? 1 : this.bulk[row]!
  }

  /** The origin of a row. */
  originOf(row: number): number {
    return this.origin === null ? 0 : this.origin[row]!
  }
}

/** Rows `rows[0..length)` of a column of values. */
const gatherValues = (data: ArrayLike<unknown>, rows: ArrayLike<number>, length: number): Array<unknown> => {
  const out = new Array<unknown>(length)
  for (let i = 0; i < length; i++) out[i] = data[rows[i]!]
  return out
}

const gatherRefs = (data: RefColumn, rows: ArrayLike<number>, length: number): RefColumn => {
  if (data instanceof Int32Array) {
    const out = new Int32Array(length)
    for (let i = 0; i < length; i++) out[i] = data[rows[i]!]!
    return out
  }
  const out = new Float64Array(length)
  for (let i = 0; i < length; i++) out[i] = data[rows[i]!]!
  return out
}

/** A column of the rows `rows[0..length)` of a column of any kind. */
export const gather = (data: Data, rows: ArrayLike<number>, length: number): Data =>
  Array.isArray(data) ? gatherValues(data, rows, length) : gatherRefs(data as RefColumn, rows, length)

/** True when rows carry nothing but their object: then a step need not record the row that a result comes from. */
export const carriesNothing = (batch: Batch): boolean =>
  batch.bulk === null && batch.origin === null && batch.path === null && batch.sack === null

/** The rows of a batch with other sacks; null = without sacks. */
export const withSacks = (batch: Batch, sacks: readonly unknown[] | null): Batch => {
  const out = carry(batch, null, new Batch(batch.kind, batch.data, batch.length))
  out.sack = sacks
  return out
}

/** Copies the carried columns (bulk, origin, path, sack, loops) of some rows from `from` to `to`; null = all rows. */
export const carry = (from: Batch, rows: ArrayLike<number> | null, to: Batch): Batch => {
  to.loops = from.loops
  if (rows === null) {
    to.bulk = from.bulk
    to.origin = from.origin
    to.path = from.path
    to.sack = from.sack
    return to
  }
  const length = to.length
  if (from.bulk !== null) {
    const bulk = new Float64Array(length)
    for (let i = 0; i < length; i++) bulk[i] = from.bulk[rows[i]!]!
    to.bulk = bulk
  }
  if (from.origin !== null) {
    const origin = new Int32Array(length)
    for (let i = 0; i < length; i++) origin[i] = from.origin[rows[i]!]!
    to.origin = origin
  }
  if (from.path !== null) {
    const path = new Array<PathNode | null>(length)
    for (let i = 0; i < length; i++) path[i] = from.path[rows[i]!]!
    to.path = path
  }
  if (from.sack !== null) to.sack = gatherValues(from.sack, rows, length)
  return to
}

/** A batch of the rows `rows[0..length)` of another. `rows` may be a scratch buffer. */
export const select = (batch: Batch, rows: ArrayLike<number>, length: number): Batch =>
  carry(batch, rows, new Batch(batch.kind, gather(batch.data, rows, length), length))

/** Rows [from, to) of a batch. Typed columns share the memory of the batch. */
export const slice = (batch: Batch, from: number, to: number): Batch => {
  const data = Array.isArray(batch.data) ? batch.data.slice(from, to) : (batch.data as RefColumn).subarray(from, to)
  const out = new Batch(batch.kind, data, to - from)
  out.loops = batch.loops
  out.bulk = batch.bulk === null ? null : batch.bulk.subarray(from, to)
  out.origin = batch.origin === null ? null : batch.origin.subarray(from, to)
  out.path = batch.path === null ? null : batch.path.slice(from, to)
  out.sack = batch.sack === null ? null : batch.sack.slice(from, to)
  return out
}

/** One batch with the rows of several, in order. Batches of different kinds become one of kind VALUE. */
export const concat = (batches: ReadonlyArray<Batch>, transaction: GraphTransaction): Batch => {
  const first = batches[0]!
  if (batches.length === 1) return first
  let length = 0
  let kind = first.kind
  for (const batch of batches) {
    length += batch.length
    if (batch.kind !== kind) kind = VALUE
  }
  const out = new Batch(kind, concatData(batches, kind, length, transaction), length)
  out.loops = first.loops
  if (batches.some((batch) => batch.bulk !== null)) {
    out.bulk = new Float64Array(length)
    fill(batches, (batch, at) => {
      if (batch.bulk === null) out.bulk!.fill(1, at, at + batch.length)
      else out.bulk!.set(batch.bulk, at)
    })
  }
  if (batches.some((batch) => batch.origin !== null)) {
    const origin = new Int32Array(length)
    fill(batches, (batch, at) => {
      if (batch.origin !== null) origin.set(batch.origin, at)
    })
    out.origin = origin
  }
  if (batches.some((batch) => batch.path !== null)) {
    out.path = batches.flatMap((batch) => batch.path ?? new Array<PathNode | null>(batch.length).fill(null))
  }
  if (batches.some((batch) => batch.sack !== null)) {
    out.sack = batches.flatMap((batch) => batch.sack ?? new Array<unknown>(batch.length).fill(null))
  }
  return out
}

const fill = (batches: ReadonlyArray<Batch>, each: (batch: Batch, at: number) => void): void => {
  let at = 0
  for (const batch of batches) {
    each(batch, at)
    at += batch.length
  }
}

const concatData = (batches: ReadonlyArray<Batch>, kind: Kind, length: number, transaction: GraphTransaction): Data => {
  if (kind === VALUE) {
    const values = new Array<unknown>(length)
    fill(batches, (batch, at) => {
      for (let i = 0; i < batch.length; i++) values[at + i] = batch.value(i, transaction)
    })
    return values
  }
  const refs = transaction.newRefs(length)
  fill(batches, ({ data, length: rows }, at) => {
    for (let i = 0; i < rows; i++) refs[at + i] = data[i] as number
  })
  return refs
}

/** The values of all rows; handles for refs. This is the column itself if it holds values, so it must not be changed. */
export const valuesOf = (batch: Batch, transaction: GraphTransaction): ReadonlyArray<unknown> => {
  if (batch.kind === VALUE) return batch.data as ReadonlyArray<unknown>
  const out = new Array<unknown>(batch.length)
  const refs = batch.data
  if (batch.kind === VERTEX) for (let i = 0; i < out.length; i++) out[i] = transaction.vertex(refs[i] as Ref)
  else for (let i = 0; i < out.length; i++) out[i] = transaction.edge(refs[i] as Ref)
  return out
}
