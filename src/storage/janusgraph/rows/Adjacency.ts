import { CellCursor } from "../cells/Cells.ts"
import { ByteReader } from "../format/ByteReader.ts"
import type { VertexId } from "../format/Ids.ts"
import { isUnique, type RelationType } from "../format/RelationTypes.ts"
import { Adjacency } from "./DecodedEdges.ts"
import type { Group } from "./Row.ts"

const cursor = new CellCursor()
const reader = new ByteReader(new Uint8Array(0))

/** The edges of a group. They are decoded by the first call and kept with the group. */
export const adjacencyOf = (group: Group, type: RelationType): Adjacency => {
  if (group.adjacency !== null) return group.adjacency
  const adjacency = new Adjacency()
  const { bytes, isIn } = group
  const { others, relations, offsets } = adjacency
  const multi = type.multiplicity === "MULTI"
  const unique = !multi && isUnique(type.multiplicity, isIn)
  cursor.within(bytes, group.start, group.end)
  reader.over(bytes, 0, bytes.length)
  while (cursor.next()) {
    reader.at = cursor.columnEnd
    if (multi) {
      relations.push(adjacency.keptRelation(reader.backward()))
      others.push(adjacency.keptVertex(reader.vertexIdBackward()))
    } else if (unique) {
      others.push(adjacency.keptVertex(reader.vertexId()))
      relations.push(adjacency.keptRelation(reader.varint()))
    } else {
      others.push(adjacency.keptVertex(reader.vertexIdBackward()))
      reader.at = cursor.columnEnd
      relations.push(adjacency.keptRelation(reader.varint()))
    }
    offsets.push(cursor.at)
  }
  group.adjacency = adjacency
  return adjacency
}

/**
 * Reads the vertices at the other ends of the edges of a group without keeping them, for a group that is read only
 * once.
 */
export const eachOther = (group: Group, type: RelationType, give: (id: VertexId) => void): void => {
  const { bytes, isIn } = group
  const multi = type.multiplicity === "MULTI"
  const unique = !multi && isUnique(type.multiplicity, isIn)
  cursor.within(bytes, group.start, group.end)
  reader.over(bytes, 0, bytes.length)
  while (cursor.next()) {
    reader.at = cursor.columnEnd
    if (multi) {
      reader.skipBackward()
      give(reader.vertexIdBackward())
    } else give(unique ? reader.vertexId() : reader.vertexIdBackward())
  }
}
