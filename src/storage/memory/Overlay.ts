import { BigMap, BigSet, type ReadonlyBigSet } from "../../structure/containers/BigMap.ts"
import type { Ref } from "../../structure/elements/Element.ts"
import { UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import type { NaturalIds } from "../shared/IdManager.ts"
import type { Journal } from "../shared/Journal.ts"
import { lookupKey } from "../shared/LookupKey.ts"
import type { PropertyChange } from "../shared/Properties.ts"
import type { Labels } from "./Labels.ts"
import { OwnValues } from "./OwnValues.ts"

/** The properties of one element under one key, changed by a transaction. */
export interface Change extends PropertyChange {
  /** True if values were added with SET cardinality. Such a value conflicts with an equal value of another transaction. */
  distinct: boolean
  /** Index in {@link OwnElements.changedRefs}. */
  readonly index: number
  /** Estimated bytes of the properties that the transaction added, as its journal counts them. */
  bytes: number
}

/** The ref of a new element of a transaction: -2 for index 0, -3 for index 1, ... The ref -1 means no element. */
export const ownRef = (index: number): Ref => -2 - index
/** The index of the new element with this ref. */
export const ownIndex = (ref: Ref): number => -2 - ref

/**
 * Maximum number of property keys of one element, and of keys that one transaction changes. A read of an element visits all its
 * keys without a yield.
 */
export const MAX_KEYS = 20_000

/** No elements. */
export const NONE: ReadonlyBigSet<number> = new Set<number>()

/** The changes of one transaction to vertices, or to edges. */
export class OwnElements {
  /** The label number of each new element, by index; the complement (~) of the number if the element was removed again. */
  readonly labels: Array<number> = []
  /** The number of each new element's id if a counter gave the id, by index; NaN if the id is in {@link #otherIds}. */
  readonly #numbers: Array<number> = []
  #otherIds: BigMap<number, unknown> | null = null
  readonly #natural: NaturalIds
  /** The refs of the new elements at indexes below #indexed, by look-up key. Created on demand. */
  #refs: BigMap<unknown, Ref> | null = null
  #indexed = 0
  #removed: BigSet<number> | null = null
  /** Changed properties by key and element. */
  readonly changes = new Map<string, BigMap<Ref, Change>>()
  /** The element of every change, in the order in which the changes were first made. */
  readonly changedRefs: Array<Ref> = []
  /** The property key of every change, in the same order. */
  readonly changedKeys: Array<string> = []
  /** What the transaction has changed under the keys by which it searches an index. */
  readonly #searched = new Map<string, OwnValues>()
  /** By label number, how much the transaction changes the number of elements. */
  readonly countChanges = new Map<number, number>()

  readonly #journal: Journal

  constructor(natural: NaturalIds, journal: Journal) {
    this.#natural = natural
    this.#journal = journal
  }

  /** Committed elements that the transaction removed. */
  get removed(): ReadonlyBigSet<number> {
    return this.#removed ?? NONE
  }

  isRemoved(ref: Ref): boolean {
    return ref < 0 ? this.labels[ownIndex(ref)]! < 0 : this.removed.has(ref)
  }

  label(ref: Ref): number {
    const label = this.labels[ownIndex(ref)]!
    return label >= 0 ? label : ~label
  }

  id(index: number): unknown {
    const number = this.#numbers[index]!
    return Number.isNaN(number) ? this.#otherIds!.get(index) : this.#natural.restore(number)
  }

  /** The number of an id that a counter gave; NaN for any other id. */
  idNumber(index: number): number {
    return this.#numbers[index]!
  }

  /** The new element whose id has this look-up key; undefined if there is none. */
  find(key: unknown): Ref | undefined {
    if (this.labels.length === 0) return undefined
    this.#refs ??= new BigMap()
    for (; this.#indexed < this.labels.length; this.#indexed++) {
      if (this.labels[this.#indexed]! >= 0) this.#refs.set(this.key(this.#indexed), ownRef(this.#indexed))
    }
    return this.#refs.get(key)
  }

  /** The look-up key of a new element's id. */
  key(index: number): unknown {
    const number = this.#numbers[index]!
    return Number.isNaN(number) ? lookupKey(this.#otherIds!.get(index)) : number
  }

  /** True if a client gave a new element an id that equals this number. */
  isGiven(number: number): boolean {
    return this.#otherIds !== null && this.find(number) !== undefined
  }

  /** Adds an element whose id a counter gave. */
  addCounted(label: number, number: number): Ref {
    const index = this.labels.push(label) - 1
    this.#numbers.push(number)
    this.#added(label)
    return ownRef(index)
  }

  /** Adds an element with any other id. */
  add(label: number, id: unknown): Ref {
    const index = this.labels.push(label) - 1
    this.#numbers.push(Number.NaN)
    this.#otherIds ??= new BigMap()
    this.#otherIds.set(index, id)
    this.#added(label)
    return ownRef(index)
  }

  #added(label: number): void {
    this.#count(label, 1)
    if (this.#journal.isOpen) this.#journal.add(() => this.#undoAdd(label))
  }

  /** Undoes the addition of the last element. */
  #undoAdd(label: number): void {
    const index = this.labels.length - 1
    if (this.#indexed > index) {
      if (this.#refs!.get(this.key(index)) === ownRef(index)) this.#refs!.delete(this.key(index))
      this.#indexed = index
    }
    this.labels.pop()
    this.#numbers.pop()
    this.#otherIds?.delete(index)
    this.#count(label, -1)
  }

  remove(ref: Ref, label: number): void {
    if (ref >= 0) {
      this.#removed ??= new BigSet()
      this.#removed.add(ref)
    } else {
      const index = ownIndex(ref)
      this.labels[index] = ~label
      if (index < this.#indexed && this.#refs!.get(this.key(index)) === ref) this.#refs!.delete(this.key(index))
    }
    this.#count(label, -1)
    if (this.#journal.isOpen) this.#journal.add(() => this.#restore(ref, label))
  }

  /** Undoes the removal of an element. */
  #restore(ref: Ref, label: number): void {
    if (ref >= 0) this.#removed!.delete(ref)
    else {
      const index = ownIndex(ref)
      this.labels[index] = label
      if (index < this.#indexed) this.#refs!.set(this.key(index), ref)
    }
    this.#count(label, 1)
  }

  change(key: string, ref: Ref): Change | undefined {
    return this.changes.get(key)?.get(ref)
  }

  addChange(key: string, ref: Ref, change: Change): void {
    let byRef = this.changes.get(key)
    if (byRef === undefined) {
      if (this.changes.size >= MAX_KEYS) {
        throw new UnsupportedValue(
          `A transaction writes at most ${MAX_KEYS} different property keys; ${key} exceeds the limit. Commit in parts.`
        )
      }
      byRef = new BigMap()
      this.changes.set(key, byRef)
    }
    byRef.set(ref, change)
    this.changedRefs.push(ref)
    this.changedKeys.push(key)
    this.noteChange(key, ref)
    if (this.#journal.isOpen) {
      const changes = byRef
      this.#journal.add(() => {
        changes.delete(ref)
        this.changedRefs.pop()
        this.changedKeys.pop()
      })
    }
  }

  /** Notes that a change gets another state now. */
  noteChange(key: string, ref: Ref): void {
    if (this.#searched.size > 0) this.#searched.get(key)?.note(ref)
  }

  /** The changes under a key by their values, for a search; null when there are none. */
  searched(key: string): OwnValues | null {
    if (!this.changes.has(key)) return null
    let values = this.#searched.get(key)
    if (values === undefined) {
      values = new OwnValues(this, key, this.#journal)
      this.#searched.set(key, values)
    }
    return values
  }

  /** The keys of an element that the transaction changed. */
  *keysOf(ref: Ref): IterableIterator<string> {
    for (const [key, byRef] of this.changes) if (byRef.has(ref)) yield key
  }

  #count(label: number, by: number): void {
    this.countChanges.set(label, (this.countChanges.get(label) ?? 0) + by)
  }
}

/** New edges of a transaction at one vertex in one direction, grouped by label. The labels have the order of an adjacency. */
class OwnGroups {
  readonly labels: Array<number> = []
  /** Refs of new edges by label. An edge that was removed again stays, so that positions do not move while a traversal reads. */
  readonly edges: Array<Array<Ref>> = []

  add(label: number, edge: Ref, labels: Labels): void {
    let at = this.labels.indexOf(label)
    if (at === -1) {
      at = this.labels.findIndex((other) => labels.before(label, other))
      if (at === -1) at = this.labels.length
      this.labels.splice(at, 0, label)
      this.edges.splice(at, 0, [])
    }
    this.edges[at]!.push(edge)
  }
}

/** The new edges of a transaction: their out- and in-vertices, and the edges of each vertex. */
export class OwnEdges {
  readonly outVertex: Array<Ref> = []
  readonly inVertex: Array<Ref> = []
  readonly #edges: OwnElements
  readonly #labels: Labels
  readonly #out = new BigMap<Ref, OwnGroups>()
  readonly #in = new BigMap<Ref, OwnGroups>()
  /** Number of edges in #out and #in. They are filled on demand: a transaction that only adds edges never fills them. */
  #indexed = 0

  readonly #journal: Journal

  constructor(edges: OwnElements, labels: Labels, journal: Journal) {
    this.#edges = edges
    this.#labels = labels
    this.#journal = journal
  }

  add(out: Ref, into: Ref): void {
    this.outVertex.push(out)
    this.inVertex.push(into)
    if (this.#journal.isOpen) this.#journal.add(() => this.#undoAdd())
  }

  /** Undoes the addition of the last edge. */
  #undoAdd(): void {
    this.outVertex.pop()
    this.inVertex.pop()
    if (this.#indexed <= this.outVertex.length) return
    this.#out.clear()
    this.#in.clear()
    this.#indexed = 0
  }

  /** The new edges at a vertex: its out-edges if `out` is true, otherwise its in-edges. */
  at(vertex: Ref, out: boolean): OwnGroups | undefined {
    for (; this.#indexed < this.outVertex.length; this.#indexed++) {
      const edge = ownRef(this.#indexed)
      const label = this.#edges.label(edge)
      groupsOf(this.#out, this.outVertex[this.#indexed]!).add(label, edge, this.#labels)
      groupsOf(this.#in, this.inVertex[this.#indexed]!).add(label, edge, this.#labels)
    }
    return (out ? this.#out : this.#in).get(vertex)
  }
}

const groupsOf = (map: BigMap<Ref, OwnGroups>, ref: Ref): OwnGroups => {
  let groups = map.get(ref)
  if (groups === undefined) {
    groups = new OwnGroups()
    map.set(ref, groups)
  }
  return groups
}
