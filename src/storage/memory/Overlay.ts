import { BigMap, BigSet, type ReadonlyBigSet } from "../../structure/BigMap.ts"
import type { Ref } from "../../structure/Element.ts"
import { UnsupportedValue } from "../../structure/StoreErrors.ts"
import type { NaturalIds } from "../shared/IdManager.ts"
import type { Journal } from "../shared/Journal.ts"
import type { PropertyState } from "../shared/Properties.ts"
import { lookupKey } from "./IdTable.ts"
import type { Labels } from "./Labels.ts"

/** The properties of one element under one key, changed by a transaction. */
export interface Change {
  /** The state in the snapshot. */
  readonly base: PropertyState | undefined
  /** The state for the transaction. */
  state: PropertyState | undefined
  /** The whole state was set (SINGLE cardinality): conflicts with every other change of it. */
  replaced: boolean
  /** Values were added with SET cardinality: they conflict with an equal one. */
  distinct: boolean
  /** Index in {@link OwnElements.changedRefs}. */
  readonly place: number
}

/** The ref of the new element at a place of a transaction: -2, -3, ... (-1 means none). */
export const ownRef = (place: number): Ref => -2 - place
/** The place of a new element with a ref. */
export const ownPlace = (ref: Ref): number => -2 - ref

/** Property keys of one element, and of one transaction, at most: a read of an element visits all of them at once. */
export const MAX_KEYS = 20_000

/** No elements. */
export const NONE: ReadonlyBigSet<number> = new Set<number>()

/** What a transaction changed about vertices, or about edges. */
export class OwnElements {
  /** New elements by place: label number (its complement when removed again). */
  readonly labels: Array<number> = []
  /** Number of the id where it was counted; NaN where it is in {@link #otherIds}. */
  readonly #numbers: Array<number> = []
  #otherIds: BigMap<number, unknown> | null = null
  readonly #natural: NaturalIds
  /** Look-up key to ref, for the new elements below #indexed; created on demand. */
  #refs: BigMap<unknown, Ref> | null = null
  #indexed = 0
  #removed: BigSet<number> | null = null
  /** Changed properties by key and element. */
  readonly changes = new Map<string, BigMap<Ref, Change>>()
  /** The element and the key of every change, in the order of their first changes. */
  readonly changedRefs: Array<Ref> = []
  readonly changedKeys: Array<string> = []
  /** Change of the number of elements by label. */
  readonly countChanges = new Map<number, number>()

  readonly #journal: Journal

  constructor(natural: NaturalIds, journal: Journal) {
    this.#natural = natural
    this.#journal = journal
  }

  /** Committed elements that are removed. */
  get removed(): ReadonlyBigSet<number> {
    return this.#removed ?? NONE
  }

  isRemoved(ref: Ref): boolean {
    return ref < 0 ? this.labels[ownPlace(ref)]! < 0 : this.removed.has(ref)
  }

  label(ref: Ref): number {
    const label = this.labels[ownPlace(ref)]!
    return label >= 0 ? label : ~label
  }

  id(place: number): unknown {
    const number = this.#numbers[place]!
    return Number.isNaN(number) ? this.#otherIds!.get(place) : this.#natural.restore(number)
  }

  /** The number of a counted id; NaN for another one. */
  idNumber(place: number): number {
    return this.#numbers[place]!
  }

  /** The new element with a look-up key. */
  find(key: unknown): Ref | undefined {
    if (this.labels.length === 0) return undefined
    this.#refs ??= new BigMap()
    for (; this.#indexed < this.labels.length; this.#indexed++) {
      if (this.labels[this.#indexed]! >= 0) this.#refs.set(this.key(this.#indexed), ownRef(this.#indexed))
    }
    return this.#refs.get(key)
  }

  /** The look-up key of a new element's id. */
  key(place: number): unknown {
    const number = this.#numbers[place]!
    return Number.isNaN(number) ? lookupKey(this.#otherIds!.get(place)) : number
  }

  /** True when a client gave a new element an id that is this number. */
  isGiven(number: number): boolean {
    return this.#otherIds !== null && this.find(number) !== undefined
  }

  /** Adds an element with a counted id. */
  addCounted(label: number, number: number): Ref {
    const place = this.labels.push(label) - 1
    this.#numbers.push(number)
    this.#added(label)
    return ownRef(place)
  }

  add(label: number, id: unknown): Ref {
    const place = this.labels.push(label) - 1
    this.#numbers.push(Number.NaN)
    this.#otherIds ??= new BigMap()
    this.#otherIds.set(place, id)
    this.#added(label)
    return ownRef(place)
  }

  #added(label: number): void {
    this.#count(label, 1)
    if (this.#journal.isOpen) this.#journal.add(() => this.#undoAdd(label))
  }

  /** Undoes the addition of the last element. */
  #undoAdd(label: number): void {
    const place = this.labels.length - 1
    if (this.#indexed > place) {
      if (this.#refs!.get(this.key(place)) === ownRef(place)) this.#refs!.delete(this.key(place))
      this.#indexed = place
    }
    this.labels.pop()
    this.#numbers.pop()
    this.#otherIds?.delete(place)
    this.#count(label, -1)
  }

  remove(ref: Ref, label: number): void {
    if (ref >= 0) {
      this.#removed ??= new BigSet()
      this.#removed.add(ref)
    } else {
      const place = ownPlace(ref)
      this.labels[place] = ~label
      if (place < this.#indexed && this.#refs!.get(this.key(place)) === ref) this.#refs!.delete(this.key(place))
    }
    this.#count(label, -1)
    if (this.#journal.isOpen) this.#journal.add(() => this.#restore(ref, label))
  }

  /** Undoes the removal of an element. */
  #restore(ref: Ref, label: number): void {
    if (ref >= 0) this.#removed!.delete(ref)
    else {
      const place = ownPlace(ref)
      this.labels[place] = label
      if (place < this.#indexed) this.#refs!.set(this.key(place), ref)
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
          `A transaction writes at most ${MAX_KEYS} different property keys, and ${key} is one more. Commit in parts.`
        )
      }
      byRef = new BigMap()
      this.changes.set(key, byRef)
    }
    byRef.set(ref, change)
    this.changedRefs.push(ref)
    this.changedKeys.push(key)
    if (this.#journal.isOpen) {
      const changes = byRef
      this.#journal.add(() => {
        changes.delete(ref)
        this.changedRefs.pop()
        this.changedKeys.pop()
      })
    }
  }

  /** Keys of an element that are changed. */
  *keysOf(ref: Ref): IterableIterator<string> {
    for (const [key, byRef] of this.changes) if (byRef.has(ref)) yield key
  }

  #count(label: number, by: number): void {
    this.countChanges.set(label, (this.countChanges.get(label) ?? 0) + by)
  }
}

/** New edges of a transaction at one vertex in one direction, grouped by label as in an adjacency. */
class OwnGroups {
  readonly labels: Array<number> = []
  /** Refs of new edges, those removed again included: places do not move while a traversal reads them. */
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

/** The new edges of a transaction: their ends, and the edges of each vertex. */
export class OwnEdges {
  readonly outVertex: Array<Ref> = []
  readonly inVertex: Array<Ref> = []
  readonly #edges: OwnElements
  readonly #labels: Labels
  readonly #out = new BigMap<Ref, OwnGroups>()
  readonly #in = new BigMap<Ref, OwnGroups>()
  /** Number of edges in the maps, which are filled on demand: a transaction that only adds edges never fills them. */
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

  /** New edges at a vertex. */
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
