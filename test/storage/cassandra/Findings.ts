import { type CellGraph, openCellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import type { RowPage, Table } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { CellCursor } from "../../../src/storage/janusgraph/cells/Cells.ts"
import { CellVerifier } from "../../../src/storage/janusgraph/maintenance/verify/CellVerifier.ts"
import { MemoryCellStore } from "../janusgraph/MemoryCellStore.ts"
import { settled } from "../Settling.ts"

const rowsOf = async (graph: CellGraph, table: Table): Promise<ReadonlyArray<RowPage>> => {
  const scan = graph.core.cells.snapshot().scan(table)
  const all: Array<RowPage> = []
  for (;;) {
    const rows = await new Promise<ReadonlyArray<RowPage>>((resolve, reject) => {
      scan.fetch(500, (error, rows) => (error === undefined ? resolve(rows) : reject(error)))
    })
    if (rows.length === 0) return all
    all.push(...rows)
  }
}

/** What is wrong with the cells of a graph: they are copied, and looked at as those of a graph on disk are. */
export const findingsOf = async (graph: CellGraph): Promise<ReadonlyArray<string>> => {
  const copy = new MemoryCellStore()
  for (const table of ["edgestore", "graphindex", "system_properties", "engine_ranges"] as const) {
    for (const { cells, key } of await rowsOf(graph, table)) {
      const changes: Array<{ readonly column: Uint8Array; readonly value: Uint8Array }> = []
      const cursor = new CellCursor().over(cells)
      while (cursor.next()) changes.push({ column: cursor.column(), value: cursor.value() })
      await settled(copy.commit((batch) => batch.change(table, key, changes)))
    }
  }
  const copied = await openCellGraph(copy, { ...graph.core.options, readOnly: true }, "verifier")
  const findings: Array<string> = []
  const snapshot = copy.snapshot()
  const verifier = new CellVerifier(copied.core, snapshot, ({ kind, where }) => findings.push(`${kind}: ${where}`))
  for (const _ of verifier.work()) {
    // All of it.
  }
  snapshot.close()
  // Ids are claimed by another protocol here, in other partitions.
  return findings.filter((finding) => !finding.startsWith("ids in use"))
}
