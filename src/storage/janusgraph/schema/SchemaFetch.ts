import type { CellSnapshot } from "../cells/CellStore.ts"
import type { Schema } from "./Schema.ts"
import { buildSchema, listedIds, listQueries, schemaRowQuery } from "./SchemaRead.ts"
import { readSchemaVertex } from "./SchemaVertex.ts"

/**
 * Fetches the newest schema from a snapshot of a store that answers later. An outdated replica may not have what other processes have been
 * told, and nobody would read the schema again.
 */
export const fetchSchema = async (snapshot: CellSnapshot): Promise<Schema> => {
  const lists = await snapshot.fetch(listQueries, true)
  const ids = listedIds(lists.map(({ cells }) => cells))
  const rows = await snapshot.fetch(ids.map(schemaRowQuery), true)
  return buildSchema(
    snapshot.schemaVersion,
    rows.map(({ cells }, at) => readSchemaVertex(ids[at]!, cells))
  )
}
