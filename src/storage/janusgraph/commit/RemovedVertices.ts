import { BigSet } from "../../../structure/containers/BigMap.ts"
import type { Ref } from "../../../structure/elements/Element.ts"
import { TransactionConflict } from "../../../structure/errors/StoreErrors.ts"
import type { Cells } from "../cells/Cells.ts"
import type { Relation } from "../format/Relations.ts"
import { prefixes, vertexExists } from "../format/RelationTypes.ts"
import { adjacencyOf } from "../rows/Adjacency.ts"
import type { EdgeTable } from "../rows/EdgeTable.ts"
import { headersOf } from "../rows/Headers.ts"
import { relationAt } from "../rows/PropertyCells.ts"
import { groupsOf } from "../rows/Row.ts"
import type { EdgeLabel } from "../schema/Schema.ts"
import type { Overlay } from "../transaction/Overlay.ts"
import type { TransactionView } from "../transaction/TransactionView.ts"
import { sameValue } from "./EntryMerge.ts"

const existsHeader = headersOf(vertexExists).out

/** Edges that are compared between two yields. */
const EDGES_PER_YIELD = 256

/**
 * True when the row of a removed vertex has a cell of the edge: a commit compares such rows as a whole. The row of an
 * in-vertex has no cells of unidirected edges.
 */
export const isInRemovedRow = ({ removedVertices }: Overlay, edges: EdgeTable, edge: Ref): boolean =>
  removedVertices.has(edges.out(edge)) ||
  (removedVertices.has(edges.in(edge)) && !(edges.type(edge) as EdgeLabel).unidirected)

/**
 * Checks the removed vertices of a transaction over a store without snapshots. Throws TransactionConflict unless each
 * vertex exists, its edges are exactly those that the transaction removes, and the edges have the properties that the
 * transaction has read. Otherwise an edge that was added since would lose an end, and the index entries of a changed
 * edge would stay. Yields after some edges. `rows` are the removed vertices with all their cells at the start of the
 * commit.
 */
export function* comparingRemoved(
  reading: TransactionView,
  own: Overlay,
  rows: ReadonlyArray<{ readonly ref: Ref; readonly cells: Cells }>
): Generator<void, void> {
  const found = new BigSet<Ref>()
  let compared = 0
  for (const { cells, ref } of rows) {
    const groups = groupsOf(cells)
    if (!groups.some(({ key }) => key === existsHeader.key)) throw gone(reading, ref)
    for (const group of groups) {
      if (group.prefix !== prefixes.edge) continue
      const type = reading.schema.type(group.typeId) as EdgeLabel | undefined
      const adjacency = type === undefined ? undefined : adjacencyOf(group, type)
      if (adjacency === undefined) throw changed(reading, ref)
      for (let at = 0; at < adjacency.relations.length; at++) {
        const edge = reading.edges.find(adjacency.relation(at))
        const isRemoved = own.removedEdges.has(edge)
        const cell = relationAt(group.bytes, adjacency.offsets[at]!, group.end, reading.schema.type)
        if (!isRemoved || !hasSameProperties(cell, reading.committedEdge(edge))) throw changed(reading, ref)
        found.add(edge)
        if (++compared % EDGES_PER_YIELD === 0) yield
      }
    }
  }
  for (const edge of own.removedEdges) {
    if (own.newEdgeSet.has(edge) || found.has(edge) || !isInRemovedRow(own, reading.edges, edge)) continue
    throw changed(reading, reading.edges.out(edge))
  }
}

const hasSameProperties = ({ properties }: Relation, other: Relation | undefined): boolean => {
  if (other === undefined || other.properties.size !== properties.size) return false
  for (const [key, value] of properties) if (!sameValue(other.properties.get(key), value)) return false
  return true
}

const gone = (reading: TransactionView, ref: Ref): TransactionConflict =>
  new TransactionConflict(`vertex ${reading.vertexRefs.id(ref)} was removed`)

const changed = (reading: TransactionView, ref: Ref): TransactionConflict =>
  new TransactionConflict(`the edges of vertex ${reading.vertexRefs.id(ref)}, which this transaction removes`)
