import { CellCursor } from "../cells/Cells.ts"
import { ByteReader } from "../format/ByteReader.ts"
import { vertexExists, vertexLabelEdge } from "../format/RelationTypes.ts"
import { headersOf } from "./Headers.ts"
import type { VertexRow } from "./Row.ts"
import type { RowSource } from "./RowSource.ts"

const existsHeader = headersOf(vertexExists).out
const labelHeader = headersOf(vertexLabelEdge).out
const labelReader = new ByteReader(new Uint8Array(0))
const labelCursor = new CellCursor()

/** True when the row has the cell that every vertex has: a row without it belongs to no vertex. */
export const rowExists = (rows: RowSource, row: VertexRow): boolean => rows.group(row, existsHeader) !== undefined

/** The id of the label of a vertex; 0 for the default label, which has no cell. */
export const labelIdOf = (rows: RowSource, row: VertexRow): number => {
  if (row.label === -1) {
    const group = rows.group(row, labelHeader)
    row.label = 0
    if (group !== undefined) {
      labelCursor.within(group.bytes, group.start, group.end).next()
      labelReader.over(group.bytes, labelCursor.columnEnd, labelCursor.valueEnd)
      row.label = Number(labelReader.varint())
    }
  }
  return row.label
}
