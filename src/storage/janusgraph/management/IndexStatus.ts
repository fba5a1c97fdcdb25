import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { SchemaStatus } from "../format/EnumAttributes.ts"
import type { GraphIndex, RelationIndex, Schema } from "../schema/Schema.ts"

/** Lookups of indexes in a schema by their ids. An id names a graph index or a vertex-centric index. */

/** The graph index with this id; undefined for a vertex-centric index and for an unknown id. */
export const indexOf = (schema: Schema, id: number): GraphIndex | undefined => schema.indexTable.index(id)

/** The vertex-centric index whose type has this id; undefined for a graph index and for an unknown id. */
export const relationIndexOf = (schema: Schema, id: number): RelationIndex | undefined =>
  schema.indexTable.relationIndex(id)

/** The name of an index of either kind; undefined when there is none. */
export const nameOf = (schema: Schema, id: number): string | undefined =>
  indexOf(schema, id)?.name ?? relationIndexOf(schema, id)?.type.name

/** The number of keys of a graph index; 0 for a vertex-centric index, to which no keys can be added. */
export const fieldCountOf = (schema: Schema, id: number): number => indexOf(schema, id)?.fields.length ?? 0

/** The status of an index of either kind; undefined when there is none. */
export const statusOf = (schema: Schema, id: number): SchemaStatus | undefined => {
  const index = indexOf(schema, id)
  return index?.engineStatus ?? index?.status ?? relationIndexOf(schema, id)?.status
}

/** True for the status of an index that was dropped or is being removed. */
export const isGone = (status: SchemaStatus | undefined): boolean => status === undefined || status === "DISCARDED"

/** The error of work on an index that another transaction has dropped. */
export const wasDropped = (): UnsupportedValue =>
  new UnsupportedValue("The index was dropped by another management transaction. Open the management again.")
