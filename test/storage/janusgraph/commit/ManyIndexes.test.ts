import { expect, it, vi } from "vitest"
import { CommitState } from "../../../../src/storage/janusgraph/commit/CommitState.ts"
import { readCounts, readCountsOf } from "../../../../src/storage/janusgraph/commit/Counters.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { runLater } from "../../../process/run.ts"
import { findingsIn } from "../Findings.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

it("A commit looks only at the indexes of the keys that it writes", async () => {
  const graph = await cellGraph(new MemoryCellStore())
  const editor = await graph.management.edit()
  const [a, b, c] = ["a", "b", "c"].map((name) => editor.makeKey(name, dataTypeOf("Integer"), "SINGLE"))
  for (const element of ["vertex", "edge"] as const) {
    const make = (name: string, keys: ReadonlyArray<typeof a>, kind: "equality" | "ordered" | "mixed"): void => {
      editor.makeIndex({ name: `${element} ${name}`, element, kind, unique: false, keys: keys.map((key) => key!) })
    }
    make("by b", [b], "equality")
    make("by a and b", [a, b], "ordered")
    make("by a", [a], "equality")
    make("by b or c", [b, c], "mixed")
  }
  await graph.management.commit(editor)
  const calls = vi.spyOn(CommitState.prototype, "replaceEntries")
  const asked = async (script: string): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
    calls.mockClear()
    await runLater(graph, script)
    expect(findingsIn(graph.core)).toEqual([])
    return calls.mock.calls.map(([indexes]) => indexes.map(({ name }) => name))
  }
  expect(await asked("g.addV('person').property('a', 1)")).toEqual([["vertex by a and b", "vertex by a"]])
  expect(await asked("g.addV('person')")).toEqual([[]])
  expect(await asked("g.V().has('a', 1).property('c', 1)")).toEqual([["vertex by b or c"]])
  expect(await asked("g.V().has('a', 1).as('x').addE('knows').to('x').property('c', 1)")).toEqual([["edge by b or c"]])
  expect(await asked("g.E().property('c', null).property('a', 2)")).toEqual([
    ["edge by a and b", "edge by a", "edge by b or c"]
  ])
  expect(await asked("g.V().has('a', 1).property('b', 2)")).toEqual([
    ["vertex by b", "vertex by a and b", "vertex by b or c"]
  ])
  expect(await asked("g.V().has('a', 1).drop()")).toEqual([
    ["vertex by b", "vertex by a and b", "vertex by a", "vertex by b or c"],
    ["edge by a and b", "edge by a"]
  ])
  await graph.close()
})

it("The counts of few labels are read without the others", async () => {
  const store = new MemoryCellStore()
  const graph = await cellGraph(store)
  for (let at = 0; at < 12; at++) await runLater(graph, `g.addV('label${at}')`)
  const snapshot = store.snapshot()
  const all = readCounts(snapshot, "vertex")
  const labels = [...all.keys()]
  expect(labels).toHaveLength(12)
  for (const part of [labels.slice(0, 3), labels]) {
    const found = readCountsOf(snapshot, "vertex", new Map(part.map((label) => [label, 1])))
    expect([...found]).toEqual(part.map((label) => [label, 1]))
  }
  expect(readCountsOf(snapshot, "vertex", new Map([[1, 1]])).size).toBe(0)
  snapshot.close()
  await graph.close()
})
