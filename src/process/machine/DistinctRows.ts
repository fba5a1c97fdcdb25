import { keyOf, keyText } from "../../structure/collections/Equivalence.ts"
import { Edge, Vertex } from "../../structure/elements/Element.ts"
import type { RefColumn } from "../../structure/graph/GraphReads.ts"
import { joinedBulks } from "../../structure/numbers/Bulks.ts"
import type { Activation } from "../plan/Activation.ts"
import { Batch, type Kind, type LoopFrame, type PathNode, select, VALUE, VERTEX } from "../plan/Batch.ts"
import { KeySlots } from "../plan/KeySlots.ts"
import { Accumulator } from "../scalars/Accumulator.ts"
import { PathNumbers } from "./EqualRows.ts"

/** Number of origins for which an origin and a ref of 32 bits fit into one exact number. */
const MAX_PACKED_ORIGINS = 2 ** 21
/** Number of origins for which an origin and a larger ref fit into one exact number if the ref is below {@link LARGE_REFS}. */
const MAX_LARGE_REF_ORIGINS = 2 ** 13
const LARGE_REFS = 2 ** 40

/**
 * Merges rows of one kind of column: each distinct (object, path, origin) once, in order of the first, with the sum of the
 * bulks.
 */
export class DistinctRows {
  readonly kind: Kind
  readonly #activation: Activation
  readonly #loops: LoopFrame | null
  /** Refs or values by slot. Typed arrays grow by doubling. */
  #data: RefColumn | Array<unknown>
  #bulks = new Float64Array(64)
  readonly #origins: Array<number> | null
  /** Sacks by slot; an Accumulator where several rows have merged. */
  readonly #sacks: Array<unknown> | null
  /** Paths by slot; null if rows carry none. */
  readonly #paths: Array<PathNode | null> | null
  readonly #pathNumbers: PathNumbers
  readonly #slots: KeySlots
  #size = 0

  constructor(first: Batch, activation: Activation) {
    this.kind = first.kind
    this.#loops = first.loops
    this.#activation = activation
    this.#origins = first.origin === null ? null : []
    this.#sacks = first.sack === null ? null : []
    this.#paths = first.path === null ? null : []
    this.#pathNumbers = new PathNumbers(activation.transaction)
    this.#data = first.kind === VALUE ? [] : activation.transaction.newRefs(64)
    this.#slots = new KeySlots(first.data instanceof Int32Array && first.origin === null && first.path === null)
  }

  /** Number of distinct rows. */
  get size(): number {
    return this.#size
  }

  /** Whether the rows of a batch may be added. */
  fits(batch: Batch): boolean {
    return batch.kind === this.kind && this.#carriesSame(batch)
  }

  /** Whether the rows of a batch carry the same columns. */
  #carriesSame(batch: Batch): boolean {
    return (batch.origin === null) === (this.#origins === null) && (batch.path === null) === (this.#paths === null)
  }

  /** Adds the rows of a batch. */
  add(batch: Batch): void {
    const { data, length } = batch
    const counts = this.#activation.run.bulk
    if (
      this.#origins === null &&
      this.#sacks === null &&
      this.#paths === null &&
      counts &&
      data instanceof Int32Array
    ) {
      this.#addRefs(data, length, batch.bulk)
      return
    }
    for (let i = 0; i < length; i++) {
      const origin = batch.originOf(i)
      const path = batch.path === null ? null : batch.path[i]!
      const slot = this.#slots.slot(this.#key(data[i], origin, path), this.#size)
      if (slot < 0) {
        this.#append(data[i], counts ? batch.bulkOf(i) : 1, origin, batch.sack?.[i])
        this.#paths?.push(path)
      } else this.#merge(slot, batch, i)
    }
  }

  /**
   * Merges the rows of a batch of another kind that have the same elements as rows of this one: an element is a ref or a value. Returns
   * the other rows.
   */
  absorb(batch: Batch): Batch {
    if (this.#size === 0 || !this.#carriesSame(batch)) return batch
    const others: Array<number> = []
    for (let i = 0; i < batch.length; i++) {
      const object = this.#counterpart(batch, i)
      const path = batch.path === null ? null : batch.path[i]!
      const slot = object === undefined ? -1 : this.#slots.find(this.#key(object, batch.originOf(i), path))
      if (slot < 0) others.push(i)
      else this.#merge(slot, batch, i)
    }
    return others.length === batch.length ? batch : select(batch, others, others.length)
  }

  /** The object of a row as this kind of column has it; undefined if it never does. */
  #counterpart(batch: Batch, row: number): unknown {
    const { transaction } = this.#activation
    const value = batch.value(row, transaction)
    if (this.kind === VALUE) return value
    const isSame = this.kind === VERTEX ? value instanceof Vertex : value instanceof Edge
    return isSame && (value as Vertex | Edge).source === transaction ? (value as Vertex | Edge).ref : undefined
  }

  #merge(slot: number, batch: Batch, row: number): void {
    if (this.#activation.run.bulk) this.#bulks[slot]! += batch.bulkOf(row)
    if (this.#sacks !== null) this.#mergeSack(slot, batch.sack?.[row])
  }

  /** The common case: refs without origins and sacks. */
  #addRefs(refs: Int32Array, length: number, bulk: Float64Array | null): void {
    const slots = this.#slots
    for (let i = 0; i < length; i++) {
      const ref = refs[i]!
      const by = bulk === null ? 1 : bulk[i]!
      const slot = slots.slotOfRef(ref, this.#size)
      if (slot < 0) this.#append(ref, by, 0, undefined)
      else this.#bulks[slot]! += by
    }
  }

  #key(object: unknown, origin: number, path: PathNode | null): unknown {
    if (this.#paths !== null) {
      return `${this.#pathNumbers.of(path)},${origin},${this.kind === VALUE ? keyText(object) : (object as number)}`
    }
    if (this.#origins === null) return this.kind === VALUE ? keyOf(object) : object
    if (this.kind === VALUE) return `${origin},${keyText(object)}`
    return refKey(object as number, origin)
  }

  #append(object: unknown, bulk: number, origin: number, sack: unknown): void {
    const slot = this.#size++
    if (slot === this.#bulks.length) this.#grow()
    this.#data[slot] = object as number
    this.#bulks[slot] = bulk
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

  #mergeSack(slot: number, sack: unknown): void {
    const merge = this.#activation.run.sackMerge
    if (merge === null) return
    const sacks = this.#sacks!
    if (!(sacks[slot] instanceof Accumulator)) sacks[slot] = new Accumulator(sacks[slot])
    ;(sacks[slot] as Accumulator).apply(merge, sack)
  }

  /** The merged rows. */
  batch(): Batch {
    const length = this.#size
    const data = this.#data
    const out = new Batch(this.kind, Array.isArray(data) ? data : data.subarray(0, length), length)
    out.loops = this.#loops
    const bulks = this.#bulks.subarray(0, length)
    if (bulks.some((bulk) => bulk !== 1)) out.bulk = joinedBulks(bulks)
    out.path = this.#paths
    if (this.#origins !== null) out.origin = Int32Array.from(this.#origins)
    if (this.#sacks !== null) {
      out.sack = this.#sacks.map((sack) => (sack instanceof Accumulator ? sack.share() : sack))
    }
    return out
  }
}

/** The key of a ref with its origin: a number where both fit. The keys of large refs are below those of the others. */
const refKey = (ref: number, origin: number): number | string => {
  if ((ref | 0) === ref) {
    if (origin < MAX_PACKED_ORIGINS) return origin * 2 ** 32 + ref
  } else if (ref > 0 && ref < LARGE_REFS && origin < MAX_LARGE_REF_ORIGINS) return -1 - origin * LARGE_REFS - ref
  return `${origin},${ref}`
}
