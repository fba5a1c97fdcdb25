import type { CellSnapshot, SliceQuery } from "../cells/CellStore.ts"
import { ByteWriter } from "../format/ByteWriter.ts"
import type { Id } from "../format/Ids.ts"
import type { RelationIdentifier } from "../format/RelationIds.ts"
import { edgeCell, encodeRelation } from "../format/Relations.ts"
import { rowKey } from "../format/RowKeys.ts"
import { EDGES_END, EDGES_START, headersOf } from "../rows/Headers.ts"
import { groupsOf } from "../rows/Row.ts"
import type { EdgeLabel } from "../schema/Schema.ts"
import { after } from "../schema/SchemaRead.ts"
import type { TransactionReading } from "./TransactionReading.ts"

/** Fetches the cells of edges by their ids from a store that answers later, and adds the edges to the transaction. */
export const fetchEdges = (
  reading: TransactionReading,
  snapshot: CellSnapshot,
  partitionBits: number,
  ids: ReadonlyArray<RelationIdentifier>,
  done: (error: Error | undefined) => void
): void => {
  const wanted: Array<RelationIdentifier> = []
  const queries: Array<SliceQuery> = []
  for (const id of ids) {
    const type = reading.schema.type(id.type)
    if (id.into === undefined || type?.isKey || reading.edges.find(id.relation) !== -1) continue
    const column = type === undefined ? undefined : exactColumn(id, type as EdgeLabel)
    const { bytes, end } = type === undefined ? { bytes: EDGES_START, end: EDGES_END } : headersOf(type).out
    const slice = column === undefined ? { start: bytes, end } : { start: column, end: after(column) }
    wanted.push(id)
    queries.push({ table: "edgestore", key: rowKey(id.out, partitionBits), ...slice })
  }
  if (queries.length === 0) {
    done(undefined)
    return
  }
  snapshot.fetch(queries, (error, pages) => {
    if (error === undefined) {
      wanted.forEach((id, at) => {
        reading.fetchedEdges.add(id.relation)
        for (const group of groupsOf(pages[at]!.cells)) {
          const type = reading.schema.type(group.typeId)
          if (type !== undefined && !group.isIn) reading.internFrom(group, id, type as EdgeLabel)
        }
      })
    }
    done(error)
  })
}

/**
 * The column of an edge in the row of its out-vertex; undefined where the id does not determine the column, because the
 * label has a sort key.
 */
export const exactColumn = (id: RelationIdentifier, type: EdgeLabel): Uint8Array | undefined => {
  if (type.multiplicity === "MULTI" && type.sortKey.length > 0) return undefined
  const writer = new ByteWriter(64)
  const columnEnd = encodeRelation(writer, edgeCell(type, false, id.relation as Id, id.into!))
  return writer.copy(0, columnEnd)
}
