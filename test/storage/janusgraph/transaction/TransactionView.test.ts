import { expect, it, vi } from "vitest"
import { rowKey } from "../../../../src/storage/janusgraph/format/RowKeys.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { VertexRow } from "../../../../src/storage/janusgraph/rows/Row.ts"
import { run } from "../../../process/run.ts"
import { settled } from "../../Completion.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

it("The properties of a vertex with a long row are one range, however many keys the schema has", async () => {
  const store = new MemoryCellStore({ pageSize: 10 })
  const graph = await cellGraph(store)
  const editor = await graph.management.edit()
  for (let at = 0; at < 200; at++) editor.makeKey(`key${at}`, dataTypeOf("Integer"), at === 7 ? "LIST" : "SINGLE")
  await graph.management.commit(editor)
  const transaction = graph.begin()
  const ref = transaction.addVertex("person", undefined)
  const expected = new Map<string, ReadonlyArray<number>>()
  for (let at = 0; at < 24; at++) {
    const name = `key${at < 12 ? at : 7}`
    transaction.setVertexProperty(ref, null, name, at)
    expected.set(name, [...(expected.get(name) ?? []), at])
  }
  transaction.addEdge(ref, "knows", ref, undefined)
  await settled(transaction.commit())
  const key = rowKey(ref, graph.core.options.partitionBits)
  const snapshotOf = store.snapshot.bind(store)
  let slices = 0
  vi.spyOn(store, "snapshot").mockImplementation(() => {
    const snapshot = snapshotOf()
    const slice = snapshot.slice.bind(snapshot)
    snapshot.slice = (query) => {
      if (query.table === "edgestore" && Buffer.compare(query.key, key) === 0) slices++
      return slice(query)
    }
    return snapshot
  })
  const [found] = run(graph, "g.V().valueMap()") as ReadonlyArray<Map<string, ReadonlyArray<number>>>
  expect([...found!].sort()).toEqual([...expected].sort())
  expect(slices).toBeLessThan(10)
  expect(run(graph, "g.V().out().count()")).toEqual([1n])
  await graph.close()
})

it("The properties of a vertex whose edges begin in the first page are not read again", async () => {
  const store = new MemoryCellStore({ pageSize: 10 })
  const graph = await cellGraph(store)
  const transaction = graph.begin()
  const ref = transaction.addVertex("person", undefined)
  transaction.setVertexProperty(ref, null, "name", "marko")
  for (let at = 0; at < 30; at++) transaction.addEdge(ref, "knows", ref, undefined)
  await settled(transaction.commit())
  const added = vi.spyOn(VertexRow.prototype, "addProperties")
  const [found] = run(graph, "g.V().valueMap()") as ReadonlyArray<Map<string, ReadonlyArray<string>>>
  expect([...found!]).toEqual([["name", ["marko"]]])
  expect(added).not.toHaveBeenCalled()
  added.mockRestore()
  await graph.close()
})
