import type { CellSnapshot, Page, SliceQuery } from "../cells/CellStore.ts"
import type { Schema } from "./Schema.ts"
import { buildSchema, listedIds, listQueries, schemaRowQuery } from "./SchemaRead.ts"
import { readSchemaVertex } from "./SchemaVertex.ts"

/** Fetches slices from a snapshot of a store that answers later. */
export const fetchPages = (snapshot: CellSnapshot, queries: ReadonlyArray<SliceQuery>): Promise<ReadonlyArray<Page>> =>
  new Promise((resolve, reject) => {
    snapshot.fetch(queries, (error, pages) => (error === undefined ? resolve(pages) : reject(error)))
  })

/** Fetches the schema from a snapshot of a store that answers later. */
export const fetchSchema = async (snapshot: CellSnapshot): Promise<Schema> => {
  const lists = await fetchPages(snapshot, listQueries)
  const ids = listedIds(lists.map(({ cells }) => cells))
  const rows = await fetchPages(snapshot, ids.map(schemaRowQuery))
  return buildSchema(
    snapshot.schemaVersion,
    rows.map(({ cells }, at) => readSchemaVertex(ids[at]!, cells))
  )
}
