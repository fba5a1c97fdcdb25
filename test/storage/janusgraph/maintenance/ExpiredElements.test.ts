import { describe, expect, it } from "vitest"
import { verifyGraph } from "../../../../src/layers/tools/Verification.ts"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import type { CellStore } from "../../../../src/storage/janusgraph/cells/CellStore.ts"
import { removeExpired } from "../../../../src/storage/janusgraph/maintenance/ExpiredElements.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { context } from "../../../layers/tools/Graphs.ts"
import { runLater } from "../../../process/run.ts"
import { lmdbStore } from "../../lmdb/Stores.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

/** Vertices with the label `mortal`, edges `met` and values of `mood` and `tag` live ten seconds. */
const opened = async (store: CellStore) => {
  const clock = { now: 1_000_000 }
  const graph = await cellGraph(store, { clock: () => clock.now })
  const editor = await graph.management.edit()
  const name = editor.makeKey("name", dataTypeOf("String"), "SINGLE")
  const mood = editor.makeKey("mood", dataTypeOf("String"), "SINGLE")
  const tag = editor.makeKey("tag", dataTypeOf("String"), "SET")
  const since = editor.makeKey("since", dataTypeOf("Integer"), "SINGLE")
  const met = editor.makeLabel("met", "MULTI", false, [])
  editor.makeLabel("knows", "MULTI", false, [])
  for (const type of [mood, tag, met, editor.makeVertexLabel("mortal", true, false)]) editor.setTimeToLive(type, 10)
  editor.makeIndex({ unique: true, kind: "equality", name: "byName", element: "vertex", keys: [name] })
  editor.makeIndex({ unique: false, kind: "equality", name: "byMood", element: "vertex", keys: [mood] })
  editor.makeIndex({ unique: false, kind: "equality", name: "bySince", element: "edge", keys: [since] })
  await graph.management.commit(editor)
  return { graph, clock, all: async (asked: string) => (await runLater(graph, asked)).map(text).sort() }
}

const cellsOf = (graph: CellGraph): number => {
  const snapshot = graph.core.cells.snapshot()
  let bytes = 0
  for (const table of ["edgestore", "graphindex", "engine_ranges"] as const) {
    const scan = snapshot.scan(table)
    for (let rows = scan.next(64); rows.length > 0; rows = scan.next(64)) {
      for (const { cells } of rows) bytes += cells.end - cells.start
    }
  }
  snapshot.close()
  return bytes
}

const stores: ReadonlyArray<readonly [string, () => Promise<CellStore>]> = [
  ["in memory", async () => new MemoryCellStore()],
  ["on disk", () => lmdbStore({ sync: "none" })]
]

describe.each(stores)("What has expired in a graph over cells (%s)", (_, store) => {
  it("is removed with its index entries, and what lives stays", async () => {
    const { all, clock, graph } = await opened(await store())
    await runLater(graph, "g.addV('a').property('name', 'n').as('a').addV('b').addE('knows').from('a').iterate()")
    const before = cellsOf(graph)
    await runLater(
      graph,
      `g.V().hasLabel('a').as('a').property(single, 'mood', 'x').property(set, 'tag', 's').property(set, 'tag', 't')
        .addV('mortal').property('name', 'm').as('m').addE('knows').from('a').property('since', 1)
        .addE('knows').from('m').to('m').V().hasLabel('b').addE('met').from('a').property('since', 2).iterate()`
    )
    expect(await removeExpired(graph, () => Promise.resolve())).toEqual({ vertices: 0, edges: 0, values: 0 })
    clock.now += 10_000
    const asked = "g.V().union(label(), values(), outE().label())"
    const visible = await all(asked)
    expect(await removeExpired(graph, () => Promise.resolve())).toEqual({ vertices: 1, edges: 3, values: 3 })
    expect(await all(asked)).toEqual(visible)
    expect(cellsOf(graph)).toBe(before)
    expect(await verifyGraph(graph, false, context())).toContain("Nothing is wrong.")
    expect(await removeExpired(graph, () => Promise.resolve())).toEqual({ vertices: 0, edges: 0, values: 0 })
    await graph.close()
  })

  it("does not take along the unique value that another vertex has since", async () => {
    const { all, clock, graph } = await opened(await store())
    await runLater(graph, "g.addV('mortal').property('name', 'm').iterate()")
    clock.now += 10_000
    await runLater(graph, "g.addV('a').property('name', 'm').iterate()")
    expect(await removeExpired(graph, () => Promise.resolve())).toEqual({ vertices: 1, edges: 0, values: 0 })
    expect(await all("g.V().has('name', 'm').label()")).toEqual(["a"])
    await expect(runLater(graph, "g.addV('a').property('name', 'm')")).rejects.toThrow("byName")
    expect(await verifyGraph(graph, false, context())).toContain("Nothing is wrong.")
    await graph.close()
  })

  it("stays if a client gives it a new lifetime meanwhile", async () => {
    const { all, clock, graph } = await opened(await store())
    await runLater(graph, "g.addV('a').property('mood', 'x').property(set, 'tag', 's').iterate()")
    clock.now += 10_000
    let writes = 0
    const removed = await removeExpired(graph, async () => {
      if (writes++ === 0) await runLater(graph, "g.V().property('mood', 'x').property(set, 'tag', 's').iterate()")
    })
    expect(writes).toBeGreaterThan(0)
    expect(removed).toEqual({ vertices: 0, edges: 0, values: 0 })
    expect(await all("g.V().values()")).toEqual(["s", "x"])
    expect(await verifyGraph(graph, false, context())).toContain("Nothing is wrong.")
    await graph.close()
  })

  it("is removed in several commits from a vertex with many edges, by verify --repair", async () => {
    const { all, clock, graph } = await opened(await store())
    const edges = (label: string) =>
      runLater(graph, `g.V().hasLabel('a').as('a').repeat(__.addE('${label}').to('a').inV()).times(1200).iterate()`)
    await runLater(graph, "g.addV('a').as('a').addV('mortal').as('m').addE('met').from('a').iterate()")
    await edges("met")
    clock.now += 10_000
    await edges("knows")
    const report = await verifyGraph(graph, true, context(true))
    expect(report).toContain("Removed what has expired: 1 vertex, 1,201 edges and 0 values.\n")
    expect(report).toContain("Nothing is wrong.")
    expect(await all("g.E().count()")).toEqual(["1200"])
    await graph.close()
  })
})
