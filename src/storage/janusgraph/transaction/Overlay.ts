import { BigMap, BigSet } from "../../../structure/BigMap.ts"
import type { Ref } from "../../../structure/Element.ts"
import { Journal } from "../../shared/Journal.ts"
import type { PropertyState } from "../../shared/Properties.ts"
import type { Id } from "../format/Ids.ts"
import type { EdgeLabel, PropertyKey } from "../schema/Schema.ts"

/** The properties of a vertex under one key, changed by a transaction. */
export interface PropertyChange {
  readonly key: PropertyKey
  /** What the snapshot has. */
  readonly base: PropertyState | undefined
  state: PropertyState | undefined
  /** The whole state was set: conflicts with every other change of it. */
  replaced: boolean
  /** Values were added with SET cardinality: they conflict with an equal one. */
  distinct: boolean
}

/** A property of an edge, changed by a transaction; undefined = none. */
export interface EdgePropertyChange {
  readonly key: PropertyKey
  readonly base: unknown
  value: unknown
}

/**
 * What the schema is to allow from a transaction on, whose graph makes its constraints as they are needed; by names.
 */
export type NewConstraint =
  | {
      readonly kind: "property"
      readonly of: "vertex" | "edge"
      readonly label: string
      readonly key: string
    }
  | { readonly kind: "connection"; readonly edge: string; readonly out: string; readonly into: string }

/** What a transaction changed about one vertex. */
export class OwnVertex {
  /** Made by the transaction; a row that is there was of a vertex that the transaction removed. */
  readonly isNew: boolean
  readonly label: string
  removed = false
  readonly changes = new Map<string, PropertyChange>()
  /** New edges, also those removed again: places do not move while a traversal is inside. */
  readonly out: Array<Ref> = []
  readonly in: Array<Ref> = []

  constructor(isNew: boolean, label: string) {
    this.isNew = isNew
    this.label = label
  }
}

/** Everything that a transaction changed. */
export class Overlay {
  readonly journal: Journal
  readonly vertices = new BigMap<Ref, OwnVertex>()
  /** New vertices in the order they were made, also those removed again. */
  readonly newVertices: Array<Ref> = []
  /** Vertices of the snapshot that were removed, even if their id was used again since, with their labels. */
  readonly removedVertices = new BigMap<Ref, string>()
  readonly newEdges: Array<Ref> = []
  readonly newEdgeSet = new BigSet<Ref>()
  /** Edges of the snapshot that were removed, and new ones removed again. */
  readonly removedEdges = new BigSet<Ref>()
  readonly removedRelations = new BigSet<Id>()
  readonly edgeChanges = new BigMap<Ref, Map<string, EdgePropertyChange>>()
  /** Types that the schema does not have yet; the commit may find that others made them meanwhile, with other ids. */
  readonly newKeys = new Map<string, PropertyKey>()
  readonly newLabels = new Map<string, EdgeLabel>()
  readonly newVertexLabels = new Map<string, number>()
  /** By a text that tells one from another. */
  readonly newConstraints = new Map<string, NewConstraint>()
  /** By how much the number of elements with a label changed. */
  readonly vertexCounts = new Map<string, number>()
  readonly edgeCounts = new Map<string, number>()

  constructor(journal: Journal = new Journal()) {
    this.journal = journal
  }

  count(counts: Map<string, number>, label: string, by: number): void {
    const count = (counts.get(label) ?? 0) + by
    // A label that came to nothing may be one that was taken back.
    if (count === 0) counts.delete(label)
    else counts.set(label, count)
  }

  /** A type or constraint that the schema does not have yet. */
  addType<A>(types: Map<string, A>, name: string, type: A): void {
    types.set(name, type)
    if (this.journal.isOpen) this.journal.add(() => types.delete(name))
  }
}
