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
