import { nextTurn } from "../../../scheduling/NextTurn.ts"
import type { Page, RowPage } from "../cells/CellStore.ts"
import { CellCursor, type Cells } from "../cells/Cells.ts"
import { sliceOf } from "../cells/Slices.ts"
import { isSchemaId, type VertexId } from "../format/Ids.ts"
import { isPartitionedId } from "../format/PartitionedVertices.ts"
import { edgeIdText } from "../format/RelationIds.ts"
import { decodeRelation, type Relation } from "../format/Relations.ts"
import { prefixes } from "../format/RelationTypes.ts"
import { idOfRowKey } from "../format/RowKeys.ts"
import type { GraphCore } from "../GraphCore.ts"
import { someRows } from "../management/IndexBuild.ts"
import { untilDone } from "../management/PatientWork.ts"
import type { Schema } from "../schema/Schema.ts"
import { after, lastColumn } from "../schema/SchemaRead.ts"
import { documentName, vertexName } from "./DocumentNames.ts"

/** Rows that are read at once. */
const ROWS_PER_READ = 64

/** The vertices of a part of a graph, and the names of the documents of its elements. */
interface ElementNames {
  readonly vertices: number
  readonly names: ReadonlyArray<string>
}

/**
 * The names of the documents that the elements of a graph may have, part by part. It includes elements whose documents this server
 * does not write for another reason than their names, and not those of partitioned vertices.
 */
export async function* elementNames(core: GraphCore, element: "vertex" | "edge"): AsyncGenerator<ElementNames> {
  const { partitionBits } = core.options
  let last: Uint8Array | undefined
  for (;;) {
    const rows = await someRows(core, "edgestore", last, ROWS_PER_READ)
    if (rows.length === 0) return
    last = Uint8Array.from(rows.at(-1)!.key)
    const vertices = rows.map((row) => ({ row, id: idOfRowKey(row.key, partitionBits) }))
    const known = vertices.filter(({ id }) => !isSchemaId(id) && !isPartitionedId(id))
    if (element === "vertex") {
      yield { vertices: known.length, names: known.flatMap(({ id }) => documentName(vertexName(id)) ?? []) }
      continue
    }
    for (const { id, row } of known) {
      for await (const cells of pagesOf(core, row)) yield { vertices: 0, names: edgesOf(core.schema, id, cells) }
    }
    yield { vertices: known.length, names: [] }
  }
}

/** All cells of a row of vertices, in pages. */
async function* pagesOf(core: GraphCore, { cells, key, more }: RowPage): AsyncGenerator<Cells> {
  const row = Uint8Array.from(key)
  let [page, left]: [Cells, boolean] = [cells, more]
  for (;;) {
    const start = left ? after(lastColumn(page)) : undefined
    yield page
    if (start === undefined) return
    const next = await untilDone(core, () => slice(core, row, start))
    page = next.cells
    left = next.more
  }
}

const slice = async ({ cells }: GraphCore, key: Uint8Array, start: Uint8Array): Promise<Page> => {
  if (!cells.answersLater) await nextTurn()
  const snapshot = cells.snapshot()
  try {
    if (!cells.answersLater) return snapshot.slice(sliceOf("edgestore", key, start))
    const [page] = await snapshot.fetch([sliceOf("edgestore", key, start, undefined, 1000)])
    return page!
  } finally {
    snapshot.close()
  }
}

const edgesOf = (schema: Schema, id: VertexId, cells: Cells): ReadonlyArray<string> => {
  const names: Array<string> = []
  const cursor = new CellCursor().over(cells)
  while (cursor.next()) {
    const { bytes, columnEnd, columnStart, valueEnd } = cursor
    let edge: Relation
    try {
      edge = decodeRelation(bytes, columnStart, columnEnd, valueEnd, schema.type)
    } catch {
      // verify reports the cell, and no document is made from it.
      continue
    }
    if (edge.prefix !== prefixes.edge || edge.isIn || isPartitionedId(edge.other!)) continue
    const name = documentName(edgeIdText(edge.relation, id, edge.type.id, edge.other!))
    if (name !== undefined) names.push(name)
  }
  return names
}
