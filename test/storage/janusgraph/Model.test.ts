import { expect, it } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { MANY_RUNS_MS } from "../../Limits.ts"
import { compareWithModel } from "../ModelRun.ts"
import { modelGraph } from "./Graphs.ts"
import { MemoryCellStore, type MemoryCellStoreOptions } from "./MemoryCellStore.ts"

const vertexId = (name: number): bigint => BigInt(1000 + name) * 2n ** 8n

it.each<readonly [string, MemoryCellStoreOptions, number]>([
  ["synchronous reads", {}, 1_000_000],
  ["synchronous reads, small pages and no cache", { pageSize: 3 }, 0],
  ["asynchronous reads", { answersLater: true }, 1_000_000]
])(
  "A graph over cells with %s behaves as the model does",
  (_, options, cacheBytes) =>
    compareWithModel({
      givesIds: false,
      runs: 6,
      // When two transactions create the same label, one of them is kept, and the ids of some edges change.
      edgeKey: (id) => String(id).split("-")[0],
      open: () => modelGraph(new MemoryCellStore(options), { cacheBytes }),
      check: (graph) => expect(((graph as CellGraph).core.cells as MemoryCellStore).open).toBe(0)
    }),
  MANY_RUNS_MS
)

it.each<readonly [string, MemoryCellStoreOptions]>([
  ["synchronous reads", {}],
  ["asynchronous reads", { answersLater: true }]
])(
  "A graph over cells with %s behaves as the model does when clients use the ids of vertices again",
  (_, options) =>
    compareWithModel({
      givesIds: false,
      vertexId,
      runs: 6,
      edgeKey: (id) => String(id).split("-")[0],
      open: () => modelGraph(new MemoryCellStore(options), { userVertexIds: true, cacheBytes: 1_000_000 })
    }),
  MANY_RUNS_MS
)
