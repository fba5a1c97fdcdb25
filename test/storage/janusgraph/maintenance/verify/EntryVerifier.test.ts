import { expect, it } from "vitest"
import { graphStats } from "../../../../../src/layers/tools/Stats.ts"
import { verifyGraph } from "../../../../../src/layers/tools/Verification.ts"
import type { CellGraph } from "../../../../../src/storage/janusgraph/CellGraph.ts"
import type { CellSnapshot } from "../../../../../src/storage/janusgraph/cells/CellStore.ts"
import { CellCursor } from "../../../../../src/storage/janusgraph/cells/Cells.ts"
import { rowKey } from "../../../../../src/storage/janusgraph/format/RowKeys.ts"
import { ElementEntries } from "../../../../../src/storage/janusgraph/indexes/ElementEntries.ts"
import { dataTypeOf } from "../../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { context } from "../../../../layers/tools/Graphs.ts"
import { turnsDuring } from "../../../../Turns.ts"
import { settled } from "../../../Completion.ts"
import { findingsIn } from "../../Findings.ts"
import { cellGraph } from "../../Graphs.ts"
import { MemoryCellStore } from "../../MemoryCellStore.ts"

/** A graph with an ordered index of `element` by `since`, and edges with the label `knows`, which may have a sort key. */
const graphWith = async (element: "vertex" | "edge", isSorted = false): Promise<CellGraph> => {
  const graph = await cellGraph(new MemoryCellStore({ pageSize: 10 }))
  const editor = await graph.management.edit()
  const since = editor.makeKey("since", dataTypeOf("Integer"), "SINGLE")
  editor.makeLabel("knows", "MULTI", false, isSorted ? [since] : [])
  editor.makeIndex({ name: "bySince", element, kind: "ordered", unique: false, keys: [since] })
  await graph.management.commit(editor)
  return graph
}

/** Adds a vertex with `edges` out-edges. In the index, an edge of each of as many other vertices as `others` follows each. */
const addHub = async (graph: CellGraph, edges: number, others: number): Promise<number> => {
  const transaction = graph.begin()
  const [hub, sink] = [transaction.addVertex("person", undefined), transaction.addVertex("person", undefined)]
  const vertices = Array.from({ length: others }, () => transaction.addVertex("person", undefined))
  for (let at = 0; at < edges * 2; at++) {
    const out = at % 2 === 0 ? hub : vertices[((at - 1) / 2) % others]!
    transaction.setEdgeProperty(transaction.addEdge(out, "knows", sink, undefined), "since", at)
  }
  await settled(transaction.commit())
  return hub
}

/** The number of cells of a row that slices read during `work`. */
const cellsRead = (graph: CellGraph, key: Uint8Array, work: () => void): number => {
  const { cells } = graph.core
  const snapshotOf = cells.snapshot.bind(cells)
  let count = 0
  cells.snapshot = (): CellSnapshot => {
    const snapshot = snapshotOf()
    const slice = snapshot.slice.bind(snapshot)
    snapshot.slice = (query, slab) => {
      const page = slice(query, slab)
      const cursor = new CellCursor().over(page.cells)
      if (query.table === "edgestore" && Buffer.compare(query.key, key) === 0) while (cursor.next()) count++
      return page
    }
    return snapshot
  }
  work()
  cells.snapshot = snapshotOf
  return count
}

const EDGES = 1000

it.each([
  ["without a sort key", false],
  ["with a sort key", true]
])("The command verify reads each edge of a vertex a few times, %s", async (_, isSorted) => {
  const graph = await graphWith("edge", isSorted)
  const hub = await addHub(graph, EDGES, EDGES)
  const read = cellsRead(graph, rowKey(hub, graph.core.options.partitionBits), () =>
    expect(findingsIn(graph.core)).toEqual([])
  )
  expect(read / EDGES).toBeLessThan(6)
  await graph.close()
})

it.each([
  ["verify", (graph: CellGraph) => verifyGraph(graph, false, context())],
  ["stats", (graph: CellGraph) => graphStats(graph, undefined, context())]
])("The command %s lets others run while it reads the row of an ordered index", async (_, work) => {
  const graph = await graphWith("vertex")
  const turns = await turnsDuring(() => work(graph))
  const transaction = graph.begin()
  for (let at = 0; at < 5_000; at++) {
    transaction.setVertexProperty(transaction.addVertex("person", undefined), null, "since", at)
  }
  await settled(transaction.commit())
  // Each row of a vertex is short: 64 are read in one turn.
  expect(await turnsDuring(() => work(graph))).toBeGreaterThanOrEqual(turns + 5_000 / 64 + 7)
  await graph.close()
})

it("The command verify lets others run while it reads the edges of a vertex", async () => {
  const graph = await graphWith("edge")
  await addHub(graph, EDGES, 1)
  expect(await turnsDuring(() => verifyGraph(graph, false, context()))).toBeGreaterThanOrEqual(12)
  await graph.close()
})

it("The edges of a vertex that an index does not have are counted, so that others can run between them", async () => {
  const graph = await graphWith("edge")
  const transaction = graph.begin()
  const [hub, sink] = [transaction.addVertex("person", undefined), transaction.addVertex("person", undefined)]
  for (let at = 0; at < 100; at++) transaction.addEdge(hub, "knows", sink, undefined)
  await settled(transaction.commit())
  const { cells, options, schema } = graph.core
  const snapshot = cells.snapshot()
  const entries = new ElementEntries((query) => snapshot.slice(query), schema, options.partitionBits)
  expect([...entries.each(schema.indexes[0]!, hub)]).toEqual(Array.from({ length: 100 }, () => undefined))
  snapshot.close()
  await graph.close()
})

it("The command stats lets others run between rows of some pages", async () => {
  const graph = await graphWith("vertex")
  const turns = await turnsDuring(() => graphStats(graph, undefined, context()))
  const transaction = graph.begin()
  for (let at = 0; at < 60; at++) {
    const out = transaction.addVertex("person", undefined)
    for (let edge = 0; edge < 200; edge++) transaction.addEdge(out, "knows", out, undefined)
  }
  await settled(transaction.commit())
  // Each of 60 rows has 40 pages, and 64 pages are read in one turn.
  expect(await turnsDuring(() => graphStats(graph, undefined, context()))).toBeGreaterThanOrEqual(
    turns + Math.floor((60 * 40) / 64)
  )
  await graph.close()
})
