import { expect, it, vi } from "vitest"
import { graphStats } from "../../../../src/layers/tools/Stats.ts"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { context } from "../../../layers/tools/Graphs.ts"
import { runLater } from "../../../process/run.ts"
import { turnsDuring } from "../../../Turns.ts"
import { settled } from "../../Completion.ts"
import { lmdbStore } from "../../lmdb/Stores.ts"
import { findingsIn } from "../Findings.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

/** Vertices with different values of `full`, which has an index, and an index of `empty`, which has no entries. */
const graphOf = async (vertices: number): Promise<CellGraph> => {
  const graph = await cellGraph(new MemoryCellStore())
  const transaction = graph.begin()
  for (let i = 0; i < vertices; i++) {
    transaction.setVertexProperty(transaction.addVertex("person", undefined), null, "full", i)
  }
  await settled(transaction.commit())
  await runLater(graph, "g.addV('person').property('empty', 1).property('empty', null)")
  for (const key of ["full", "empty"]) await graph.management.createIndex(key, "vertex")
  return graph
}

it("The removal of an index lets others run while it reads the entries of other indexes", async () => {
  const graph = await graphOf(5_000)
  // 1,024 rows are read at once.
  expect(await turnsDuring(() => graph.management.dropIndex("empty", "vertex"))).toBeGreaterThanOrEqual(5)
  await graph.close()
})

it.each(["ordered", "mixed", "equality"] as const)("Many commits remove a long row of an index (%s)", async (kind) => {
  const store = await lmdbStore({ sync: "none" })
  const graph = await cellGraph(store)
  const editor = await graph.management.edit()
  const [age, size] = ["age", "size"].map((name) => editor.makeKey(name, dataTypeOf("Integer"), "SINGLE"))
  editor.makeIndex({ name: "byAge", element: "vertex", kind, unique: false, keys: [age!] })
  editor.makeIndex({ name: "bySize", element: "vertex", kind, unique: false, keys: [size!] })
  await graph.management.commit(editor)
  const transaction = graph.begin()
  for (let at = 0; at < 20_000; at++) {
    const ref = transaction.addVertex("person", undefined)
    transaction.setVertexProperty(ref, null, "age", kind === "equality" && at % 10 > 0 ? 7 : at)
    if (at < 10) transaction.setVertexProperty(ref, null, "size", at)
  }
  await settled(transaction.commit())
  const commits = vi.spyOn(store, "commitLong")
  await graph.management.discard(graph.core.schema.indexes.find(({ name }) => name === "byAge")!.id)
  expect(commits.mock.calls.length).toBeGreaterThanOrEqual(4)
  const { indexes, tables } = await graphStats(graph, undefined, context())
  const table = tables.find((each) => each.table === (kind === "equality" ? "graphindex" : "engine_ranges"))!
  expect(indexes.map(({ name, entries }) => [name, entries])).toEqual([
    ["byAge", 0],
    ["bySize", 10]
  ])
  if (kind !== "equality") expect(table.rows).toBe(1)
  expect(findingsIn(graph.core)).toEqual([])
  await graph.close()
})
