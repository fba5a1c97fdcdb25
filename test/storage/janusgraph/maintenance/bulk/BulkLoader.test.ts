import { afterEach, expect, it, vi } from "vitest"
import { BulkLoader } from "../../../../../src/storage/janusgraph/maintenance/bulk/BulkLoader.ts"
import { LmdbBatch } from "../../../../../src/storage/lmdb/LmdbBatch.ts"
import { Geoshape } from "../../../../../src/structure/geoshapes/Geoshape.ts"
import { runLater } from "../../../../process/run.ts"
import { lmdbStore } from "../../../lmdb/Stores.ts"
import { cellGraph } from "../../Graphs.ts"
import { MemoryCellStore } from "../../MemoryCellStore.ts"

afterEach(() => {
  vi.restoreAllMocks()
})

function* eachPause(work: Iterable<unknown>, paused: () => void): Generator<void> {
  for (const _ of work) {
    paused()
    yield
  }
}

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
  const graph = await cellGraph(await lmdbStore({ sync: "none" }))
  const loader = new BulkLoader(graph.core, true)
  const ids = Array.from({ length: 200 }, (_, i) => loader.vertex({ id: i, label: "person", properties: [] }, i))
  await loader.commit(undefined)
  for (const [i, id] of ids.entries()) {
    loader.edge({ id: undefined, label: "knows", out: i, in: 0, properties: new Map() }, id, ids[0]!, i)
  }
  // The work of the commit checks the rows before it hands them over, and the batch changes them afterwards.
  let pauses = 0
  let checking = 0
  let changing = 0
  const store = graph.core.cells
  const commitLong = store.commitLong.bind(store)
  store.commitLong = (work) =>
    commitLong(function* (batch) {
      yield* eachPause({ [Symbol.iterator]: () => work(batch) }, () => void pauses++)
    })
  const { apply, changeRows } = LmdbBatch.prototype
  vi.spyOn(LmdbBatch.prototype, "changeRows").mockImplementation(function (this: LmdbBatch, table, rows) {
    checking = pauses
    changeRows.call(this, table, rows)
  })
  vi.spyOn(LmdbBatch.prototype, "apply").mockImplementation(function* (this: LmdbBatch) {
    yield* eachPause(apply.call(this), () => void changing++)
  })
  await loader.commit(undefined)
  expect(checking).toBeGreaterThanOrEqual(ids.length)
  expect(changing).toBeGreaterThanOrEqual(ids.length)
  expect(await runLater(graph, "g.E().count()")).toEqual([200n])
  await graph.close()
})
