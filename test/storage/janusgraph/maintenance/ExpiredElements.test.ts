import { afterEach, describe, expect, it, vi } from "vitest"
import { verifyGraph } from "../../../../src/layers/tools/Verification.ts"
import { Pending } from "../../../../src/scheduling/Pending.ts"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import type { CellStore } from "../../../../src/storage/janusgraph/cells/CellStore.ts"
import { CellCursor } from "../../../../src/storage/janusgraph/cells/Cells.ts"
import { sliceOf } from "../../../../src/storage/janusgraph/cells/Slices.ts"
import { rowKey } from "../../../../src/storage/janusgraph/format/RowKeys.ts"
import { removeExpired } from "../../../../src/storage/janusgraph/maintenance/ExpiredElements.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { headersOf } from "../../../../src/storage/janusgraph/rows/Headers.ts"
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
  // Its edges sort before those of the next label.
  editor.makeLabel("likes", "MULTI", false, [])
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

/** Removes what has expired, without a refused vertex. */
const removed = (graph: CellGraph, pause = () => Promise.resolve()) =>
  removeExpired(graph, {
    pause,
    refuse: (where) => expect.unreachable(where)
  })

/** Replaces both methods that commit. `before` runs before each commit. */
const beforeCommits = (store: CellStore, before: () => Promise<unknown>): void => {
  for (const method of ["commit", "commitLong"] as const) {
    const commit: (work: never) => Pending = store[method].bind(store)
    store[method] = (work: unknown) =>
      Pending.fromPromise(before().then(() => Pending.toPromise(commit(work as never))))
  }
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

/** Removes the first cell of the out-edges of a vertex, as a disk failure may. */
const damage = ({ core }: CellGraph, id: number): void => {
  const met = core.newestSchema().labels.get("met")!
  const { bytes, end } = headersOf(met).out
  const key = rowKey(id, core.options.partitionBits)
  core.cells.commitNow((batch) => {
    const cursor = new CellCursor().over(batch.slice(sliceOf("edgestore", key, bytes, end)).cells)
    expect(cursor.next()).toBe(true)
    batch.change("edgestore", key, [{ column: Uint8Array.from(cursor.column()), value: null }])
  })
  core.cache.clear()
}

afterEach(() => void vi.restoreAllMocks())

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
    expect(await removed(graph)).toEqual({ vertices: 0, edges: 0, values: 0 })
    clock.now += 10_000
    const asked = "g.V().union(label(), values(), outE().label())"
    const visible = await all(asked)
    expect(await removed(graph)).toEqual({ vertices: 1, edges: 3, values: 3 })
    expect(await all(asked)).toEqual(visible)
    expect(cellsOf(graph)).toBe(before)
    expect(await verifyGraph(graph, false, context())).toContain("Nothing is wrong.")
    expect(await removed(graph)).toEqual({ vertices: 0, edges: 0, values: 0 })
    await graph.close()
  })

  it("does not take along the unique value that another vertex has since", async () => {
    const { all, clock, graph } = await opened(await store())
    await runLater(graph, "g.addV('mortal').property('name', 'm').iterate()")
    clock.now += 10_000
    await runLater(graph, "g.addV('a').property('name', 'm').iterate()")
    expect(await removed(graph)).toEqual({ vertices: 1, edges: 0, values: 0 })
    expect(await all("g.V().has('name', 'm').label()")).toEqual(["a"])
    await expect(runLater(graph, "g.addV('a').property('name', 'm')")).rejects.toThrow("byName")
    expect(await verifyGraph(graph, false, context())).toContain("Nothing is wrong.")
    await graph.close()
  })

  it("stays if a client gives it a new lifetime meanwhile", async () => {
    const cells = await store()
    const { all, clock, graph } = await opened(cells)
    await runLater(graph, "g.addV('a').property('mood', 'x').property(set, 'tag', 's').iterate()")
    clock.now += 10_000
    let writes = 0
    beforeCommits(cells, async () => {
      if (writes++ === 0) await runLater(graph, "g.V().property('mood', 'x').property(set, 'tag', 's').iterate()")
    })
    expect(await removed(graph)).toEqual({ vertices: 0, edges: 0, values: 0 })
    expect(writes).toBeGreaterThan(1)
    expect(await all("g.V().values()")).toEqual(["s", "x"])
    expect(await verifyGraph(graph, false, context())).toContain("Nothing is wrong.")
    await graph.close()
  })

  it("is removed in several commits from a vertex with many edges, by verify --remove-expired only", async () => {
    const { all, clock, graph } = await opened(await store())
    const edges = (label: string) =>
      runLater(graph, `g.V().hasLabel('a').as('a').repeat(__.addE('${label}').to('a').inV()).times(1200).iterate()`)
    await runLater(graph, "g.addV('a').as('a').addV('mortal').as('m').addE('met').from('a').iterate()")
    await edges("met")
    clock.now += 10_000
    await edges("knows")
    const before = cellsOf(graph)
    const repaired = await verifyGraph(graph, true, context(true))
    expect(repaired).toContain("Nothing is wrong.")
    expect(repaired).not.toContain("expired")
    expect(cellsOf(graph)).toBe(before)
    const report = await verifyGraph(graph, true, context(true), true)
    expect(report).toContain("Removed what has expired: 1 vertex, 1,201 edges and 0 values.\n")
    expect(report).toContain("Nothing is wrong.")
    expect(await all("g.E().count()")).toEqual(["1200"])
    await graph.close()
  })

  it("is removed around damage, which is reported", async () => {
    const { all, clock, graph } = await opened(await store())
    await runLater(
      graph,
      `g.addV('a').property('mood', 'x').as('a').addV('b').property('mood', 'y').as('b')
        .addE('met').from('a').addV('c').property('mood', 'z').as('c').addE('met').to('a').iterate()`
    )
    const [out] = await runLater(graph, "g.V().hasLabel('a').id()")
    damage(graph, Number(out))
    clock.now += 10_000
    const message = await verifyGraph(graph, false, context(), true).catch((error: Error) => error.message)
    expect(message).toMatch(/1 x an edge that only one of its vertices has:/)
    expect(message).toMatch(
      /1 x something expired that cannot be removed:\n {2}vertex \d+: edge met of vertex \d+ .* removed or changed/
    )
    expect(message).toContain("Removed what has expired: 0 vertices, 1 edge and 2 values.\n")
    expect(message).toMatch(
      /2 findings\. Run verify --repair to repair them\. Run verify --remove-expired again to remove the rest of .*\.$/
    )
    const report = await verifyGraph(graph, true, context(), true)
    expect(report).toContain("Removed what has expired: 0 vertices, 1 edge and 1 value.\n")
    expect(report).toContain("Nothing is wrong.")
    expect(await all("g.V().union(label(), values(), outE().label())")).toEqual(["a", "b", "c"])
    await graph.close()
  })

  it("stays in a read-only graph", async () => {
    const cells = await store()
    const { graph } = await opened(cells)
    const readOnly = await cellGraph(cells, { readOnly: true })
    await expect(verifyGraph(readOnly, false, context(), true)).rejects.toThrow("is read-only")
    await graph.close()
  })

  it("is removed by transactions of limited size, from one vertex or from many", async () => {
    const cells = await store()
    const { clock, graph } = await opened(cells)
    await runLater(graph, "g.inject(1).repeat(__.addV('a')).times(60).iterate()")
    const loops = "repeat(__.as('v').addE('met').to('v').inV()).times(100)"
    await runLater(graph, `g.V().${loops}.iterate()`)
    clock.now += 10_000
    let commits = 0
    beforeCommits(cells, async () => commits++)
    expect(await removed(graph)).toEqual({ vertices: 0, edges: 6000, values: 0 })
    expect(commits).toBeGreaterThanOrEqual(6)
    expect(await verifyGraph(graph, false, context())).toContain("Nothing is wrong.")
    await graph.close()
  })
})

describe("What has expired in a graph on disk", () => {
  it("is removed without reading the living edges of a hub for each commit", async () => {
    const cells = await lmdbStore({ sync: "none" })
    const { clock, graph } = await opened(cells)
    await runLater(graph, "g.addV('hub').addV('b').iterate()")
    const edges = (label: string, times: number) =>
      runLater(
        graph,
        `g.V().hasLabel('b').as('b').V().hasLabel('hub').repeat(__.as('h').addE('${label}').to('b').outV()).times(${times}).iterate()`
      )
    for (let at = 0; at < 4; at++) {
      await edges("likes", 3000)
      await edges("met", 3000)
    }
    let bytes = 0
    const snapshot = cells.snapshot.bind(cells)
    cells.snapshot = () => {
      const opened = snapshot()
      const slice = opened.slice.bind(opened)
      opened.slice = (query, slab) => {
        const page = slice(query, slab)
        bytes += page.cells.end - page.cells.start
        return page
      }
      return opened
    }
    expect(await removed(graph)).toEqual({ vertices: 0, edges: 0, values: 0 })
    const once = bytes
    clock.now += 10_000
    expect(await removed(graph)).toEqual({ vertices: 0, edges: 12_000, values: 0 })
    expect(bytes - once).toBeLessThan(2 * once)
    await graph.close()
  })

  it("leaves the event loop to others also while nothing of many vertices has expired", async () => {
    const { graph } = await opened(await lmdbStore({ sync: "none" }))
    await runLater(graph, "g.inject(1).repeat(__.addV('a')).times(300).iterate()")
    let pauses = 0
    let now = 0
    vi.spyOn(performance, "now").mockImplementation(() => ++now)
    await removed(graph, async () => void pauses++)
    expect(pauses).toBeGreaterThan(50)
    vi.restoreAllMocks()
    await graph.close()
  })

  it("stays where the command is stopped", async () => {
    const { clock, graph } = await opened(await lmdbStore({ sync: "none" }))
    await runLater(graph, "g.inject(1).repeat(__.addV('mortal')).times(300).iterate()")
    clock.now += 10_000
    let now = 0
    vi.spyOn(performance, "now").mockImplementation(() => ++now)
    await expect(removed(graph, () => Promise.reject(new Error("stopped")))).rejects.toThrow("stopped")
    vi.restoreAllMocks()
    await graph.close()
  })
})
