import type { Ref } from "../../structure/Element.ts"
import type { Labels } from "./Labels.ts"
import type { PropertyState } from "./Properties.ts"

/** The properties of one element under one key, changed by a transaction. */
export interface Change {
  /** What the snapshot has. */
  readonly base: PropertyState | undefined
  /** What the transaction has now. */
  state: PropertyState | undefined
  /** The whole state was set (SINGLE cardinality): conflicts with every other change of it. */
  replaced: boolean
  /** Values were added with SET cardinality: they conflict with an equal one. */
  distinct: boolean
}

/** Elements made by a transaction have the refs -2, -3, ... (-1 means none). */
export const ownRef = (place: number): Ref => -2 - place
export const ownPlace = (ref: Ref): number => -2 - ref

/** What a transaction changed about vertices, or about edges. */
export class OwnElements {
  /** New elements: label number (its complement when removed again) and id. */
  readonly labels: Array<number> = []
  readonly ids: Array<unknown> = []
  /** From look-up key to ref, for new elements. */
  readonly byKey = new Map<unknown, Ref>()
  /** Committed elements that are removed. */
  readonly removed = new Set<number>()
  /** Changed properties by key and element. */
  readonly changes = new Map<string, Map<Ref, Change>>()
  /** Keys changed of each element, in the order of their first change. */
  readonly keys = new Map<Ref, Array<string>>()
  /** By how much the number of elements with a label changed. */
  readonly countChanges = new Map<number, number>()

  isRemoved(ref: Ref): boolean {
    return ref < 0 ? this.labels[ownPlace(ref)]! < 0 : this.removed.size > 0 && this.removed.has(ref)
  }

  label(ref: Ref): number {
    const label = this.labels[ownPlace(ref)]!
    return label >= 0 ? label : ~label
  }

  add(label: number, id: unknown, key: unknown): Ref {
    const ref = ownRef(this.labels.length)
    this.labels.push(label)
    this.ids.push(id)
    this.byKey.set(key, ref)
    this.#count(label, 1)
    return ref
  }

  remove(ref: Ref, label: number, key: unknown): void {
    if (ref >= 0) this.removed.add(ref)
    else {
      this.labels[ownPlace(ref)] = ~label
      if (this.byKey.get(key) === ref) this.byKey.delete(key)
    }
    this.#count(label, -1)
  }

  change(key: string, ref: Ref): Change | undefined {
    return this.changes.get(key)?.get(ref)
  }

  setChange(key: string, ref: Ref, change: Change): void {
    let byRef = this.changes.get(key)
    if (byRef === undefined) {
      byRef = new Map()
      this.changes.set(key, byRef)
    }
    if (byRef.has(ref)) {
      byRef.set(ref, change)
      return
    }
    byRef.set(ref, change)
    const keys = this.keys.get(ref)
    if (keys === undefined) this.keys.set(ref, [key])
    else keys.push(key)
  }

  #count(label: number, by: number): void {
    this.countChanges.set(label, (this.countChanges.get(label) ?? 0) + by)
  }
}

/** New edges of a transaction at one vertex in one direction, grouped by label as {@link Adjacency} does. */
export class OwnGroups {
  readonly labels: Array<number> = []
  /** Refs of new edges, also of those removed again: places do not move while a traversal is inside. */
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

/** New edges of a transaction: their ends, and by vertex. */
export class OwnEdges {
  readonly outVertex: Array<Ref> = []
  readonly inVertex: Array<Ref> = []
  readonly out = new Map<Ref, OwnGroups>()
  readonly in = new Map<Ref, OwnGroups>()

  add(out: Ref, label: number, into: Ref, edge: Ref, labels: Labels): void {
    this.outVertex.push(out)
    this.inVertex.push(into)
    groupsOf(this.out, out).add(label, edge, labels)
    groupsOf(this.in, into).add(label, edge, labels)
  }
}

const groupsOf = (map: Map<Ref, OwnGroups>, ref: Ref): OwnGroups => {
  let groups = map.get(ref)
  if (groups === undefined) {
    groups = new OwnGroups()
    map.set(ref, groups)
  }
  return groups
}
