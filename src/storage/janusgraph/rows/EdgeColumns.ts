import { ByteWriter } from "../format/ByteWriter.ts"
import type { Id } from "../format/Ids.ts"
import { isPartitionedId } from "../format/PartitionedVertices.ts"
import type { RelationIdentifier } from "../format/RelationIds.ts"
import { edgeCell, encodeRelation } from "../format/Relations.ts"
import type { EdgeLabel } from "../schema/Schema.ts"

/**
 * The column of an edge in the row of its out-vertex; undefined where the id does not determine the column, because the
 * label has a sort key, or because a vertex is partitioned.
 */
export const exactColumn = (id: RelationIdentifier, type: EdgeLabel): Uint8Array | undefined => {
  if (type.multiplicity === "MULTI" && type.sortKey.length > 0) return undefined
  if (isPartitionedId(id.out) || isPartitionedId(id.into!)) return undefined
  const writer = new ByteWriter(64)
  const columnEnd = encodeRelation(writer, edgeCell(type, false, id.relation as Id, id.into!))
  return writer.copy(0, columnEnd)
}
