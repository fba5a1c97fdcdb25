import { afterEach, expect, it, vi } from "vitest"
import { BulkLoader } from "../../../../../src/storage/janusgraph/maintenance/bulk/BulkLoader.ts"
import { Geoshape } from "../../../../../src/structure/geoshapes/Geoshape.ts"
import { runLater } from "../../../../process/run.ts"
import { cellGraph } from "../../Graphs.ts"
import { MemoryCellStore } from "../../MemoryCellStore.ts"

afterEach(() => {
  vi.restoreAllMocks()
})

it("A vertex with many values of the cardinality SET has each once, and each is compared once", async () => {
  const graph = await cellGraph(new MemoryCellStore())
  const loader = new BulkLoader(graph.core, false)
  const places = Array.from({ length: 300 }, (_, i) => Geoshape.point((i % 200) / 10, 7))
  const properties = places.map(
    (value) => ({ id: undefined, key: "place", value, cardinality: "set", meta: null }) as const
  )
  const compared = vi.spyOn(Geoshape.prototype, "equivalenceKey")
  loader.vertex({ id: 1, label: "person", properties }, 0)
  // The first vertex is encoded again when it has defined the types of its keys.
  expect(compared.mock.calls.length).toBeLessThanOrEqual(2 * places.length)
  await loader.commit(undefined)
  expect(await runLater(graph, "g.V().properties('place').count()")).toEqual([200n])
  await graph.close()
})

it("A commit beside other requests lets them run after each row that it checks and changes", async () => {
  const store = new MemoryCellStore()
  const graph = await cellGraph(store)
  const loader = new BulkLoader(graph.core, true)
  const ids = Array.from({ length: 200 }, (_, i) => loader.vertex({ id: i, label: "person", properties: [] }, i))
  await loader.commit(undefined)
  for (const [i, id] of ids.entries()) {
    loader.edge({ id: undefined, label: "knows", out: i, in: 0, properties: new Map() }, id, ids[0]!, i)
  }
  let pauses = 0
  const { commitLong } = store
  store.commitLong = (work) =>
    commitLong.call(store, function* (batch) {
      const task = work(batch)
      for (let next = task.next(); next.done !== true; next = task.next()) {
        pauses++
        yield
      }
    })
  await loader.commit(undefined)
  expect(pauses).toBeGreaterThanOrEqual(ids.length)
  expect(await runLater(graph, "g.E().count()")).toEqual([200n])
  await graph.close()
})
