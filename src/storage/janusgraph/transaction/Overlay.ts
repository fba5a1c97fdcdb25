import { BigMap, BigSet } from "../../../structure/containers/BigMap.ts"
import type { Ref } from "../../../structure/elements/Element.ts"
import { Journal } from "../../shared/Journal.ts"
import type { PropertyState } from "../../shared/Properties.ts"
import type { Id } from "../format/Ids.ts"
import type { EdgeLabel, PropertyKey } from "../schema/Schema.ts"
import { ChangeLog } from "./ChangeLog.ts"

/** Estimated bytes of a new type or constraint. */
const TYPE_BYTES = 500

/** A change of the values of one property key of a vertex. */
export interface PropertyChange {
  readonly key: PropertyKey
  /** The values in the snapshot. */
  readonly base: PropertyState | undefined
  /** The values after the change. */
  state: PropertyState | undefined
  /** The time of its first write; see {@link ChangeLog}. */
  readonly since: number
  /** All values were replaced: the change conflicts with every other change of the key. */
  replaced: boolean
  /** Values were added with SET cardinality: the change conflicts with another one that adds an equal value. */
  distinct: boolean
  /** Estimated bytes of the properties that the transaction added, as its journal counts them. */
  bytes: number
}

/** A change of a property of an edge; undefined stands for no value. */
export interface EdgePropertyChange {
  readonly key: PropertyKey
  readonly base: unknown
  value: unknown
  /** The time of its first write; see {@link ChangeLog}. */
  readonly since: number
  /** Estimated bytes of the value, as the journal of the transaction counts them; 0 for the value in the snapshot. */
  bytes: number
}

/**
 * A schema constraint that a transaction adds, in a graph that makes its constraints automatically. Types are given by
 * name.
 */
export type NewConstraint =
  | {
      readonly kind: "property"
      readonly of: "vertex" | "edge"
      readonly label: string
      readonly key: string
    }
  | { readonly kind: "connection"; readonly edge: string; readonly out: string; readonly into: string }

/** The changes of a transaction to one vertex. */
export class OwnVertex {
  /**
   * True if the transaction created the vertex. The snapshot may have a row with the same id. That row belongs to a vertex that
   * the transaction removed before.
   */
  readonly isNew: boolean
  /** The label of a new vertex. */
  readonly label: string
  /** The time when a new vertex was made; see {@link ChangeLog}. */
  readonly since: number
  removed = false
  /** True if {@link Overlay.newVertices} has the vertex, or an earlier one with its id. */
  isListed = false
  /** Changed properties by the name of their key. */
  readonly changes = new Map<string, PropertyChange>()
  /** New edges, including removed ones, so that their indexes do not change during an iteration. */
  readonly out: Array<Ref> = []
  readonly in: Array<Ref> = []

  constructor(isNew: boolean, label: string, since = 0) {
    this.isNew = isNew
    this.label = label
    this.since = since
  }
}

/** The changes of a transaction. */
export class Overlay {
  readonly journal: Journal
  readonly vertices = new BigMap<Ref, OwnVertex>()
  readonly vertexLog: ChangeLog
  readonly edgeLog: ChangeLog
  /** New vertices in the order of their creation, including removed ones. Two with the same id are there once. */
  readonly newVertices: Array<Ref> = []
  /** Removed vertices of the snapshot with their labels, including those whose id was used again. */
  readonly removedVertices = new BigMap<Ref, string>()
  /** New edges in the order of their creation, including removed ones. */
  readonly newEdges: Array<Ref> = []
  readonly newEdgeSet = new BigSet<Ref>()
  /** Removed edges, of the snapshot and new ones. */
  readonly removedEdges = new BigSet<Ref>()
  readonly removedRelations = new BigSet<Id>()
  readonly edgeChanges = new BigMap<Ref, Map<string, EdgePropertyChange>>()
  /** New types by name. The commit may find that another transaction has added the same type with another id. */
  readonly newKeys = new Map<string, PropertyKey>()
  readonly newLabels = new Map<string, EdgeLabel>()
  readonly newVertexLabels = new Map<string, number>()
  /** New constraints, by a text that identifies each. */
  readonly newConstraints = new Map<string, NewConstraint>()
  /** Changes of the number of vertices by label. */
  readonly vertexCounts = new Map<string, number>()
  /** Changes of the number of edges by label. */
  readonly edgeCounts = new Map<string, number>()

  constructor(journal: Journal = new Journal()) {
    this.journal = journal
    this.vertexLog = new ChangeLog(journal)
    this.edgeLog = new ChangeLog(journal)
  }

  /** Adds `by` to the count of a label. */
  count(counts: Map<string, number>, label: string, by: number): void {
    const count = (counts.get(label) ?? 0) + by
    // The label may be a new one that a rollback to a savepoint removes.
    if (count === 0) counts.delete(label)
    else counts.set(label, count)
  }

  /** Adds a new type or constraint. A rollback to a savepoint removes it. */
  addType<A>(types: Map<string, A>, name: string, type: A): void {
    types.set(name, type)
    this.journal.count(TYPE_BYTES)
    if (this.journal.isOpen) this.journal.add(() => types.delete(name))
  }
}
