import type { LogEntry } from "../documents/LogEntry.ts"
import type { VertexId } from "../format/Ids.ts"

/** A property or an edge as JanusGraph's logs of transactions have it: the cell in the row of the vertex that it belongs to. */
export interface LoggedRelation {
  /** The vertex of the property, or the out-vertex of the edge. */
  readonly vertex: VertexId
  readonly column: Uint8Array
  readonly value: Uint8Array
}

/** What the logs of transactions have of a commit. A changed relation is removed and added. */
export interface LoggedRelations {
  readonly added: ReadonlyArray<LoggedRelation>
  readonly removed: ReadonlyArray<LoggedRelation>
  /** The log of the user to which the commit is written; undefined for none. */
  readonly userLog: string | undefined
  /** The documents of search engines that the commit changes; undefined for none. */
  readonly documents: LogEntry | undefined
}

/** Collects the relations that a commit adds and removes, except those of the schema. */
export class RelationLog {
  readonly added: Array<LoggedRelation> = []
  readonly removed: Array<LoggedRelation> = []
}
