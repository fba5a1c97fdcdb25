import { type CellGraph, openCellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { type RowPage, type Table, tables } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { CellCursor } from "../../../src/storage/janusgraph/cells/Cells.ts"
import { settled } from "../Completion.ts"
import { findingsIn } from "../janusgraph/Findings.ts"
import { MemoryCellStore } from "../janusgraph/MemoryCellStore.ts"

const rowsOf = async (graph: CellGraph, table: Table): Promise<ReadonlyArray<RowPage>> => {
  const snapshot = graph.core.cells.snapshot()
  try {
    const scan = snapshot.scan(table)
    const all: Array<RowPage> = []
    for (;;) {
      const rows = await scan.fetch(500)
      if (rows.length === 0) return all
      all.push(...rows)
    }
  } finally {
    snapshot.close()
  }
}

/** Copies the cells of a graph into a synchronous store. */
const copyOf = async (graph: CellGraph): Promise<MemoryCellStore> => {
  const copy = new MemoryCellStore()
  for (const table of tables) {
    for (const { cells, key } of await rowsOf(graph, table)) {
      const changes: Array<{ readonly column: Uint8Array; readonly value: Uint8Array }> = []
      const cursor = new CellCursor().over(cells)
      while (cursor.next()) changes.push({ column: cursor.column(), value: cursor.value() })
      await settled(copy.commit((batch) => batch.change(table, key, changes)))
    }
  }
  return copy
}

/** What `verify` finds in the cells of a graph. Those of an asynchronous store are copied first. */
export const findingsOf = async (graph: CellGraph): Promise<ReadonlyArray<string>> => {
  const { answersLater } = graph.core.cells
  const cells = answersLater ? await copyOf(graph) : graph.core.cells
  const { core } = answersLater
    ? await openCellGraph(cells, { ...graph.core.options, readOnly: true }, "verifier")
    : graph
  const findings = findingsIn(core)
  // A cluster claims ids with another protocol, in other partitions.
  const { idSource } = graph.core.cells
  return idSource === undefined ? findings : findings.filter((finding) => !finding.startsWith("ids in use"))
}
