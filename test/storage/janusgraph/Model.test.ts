import { expect, it } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { compareWithModel } from "../ModelRun.ts"
import { modelGraph } from "./Graphs.ts"
import { MemoryCellStore, type MemoryCellStoreOptions } from "./MemoryCellStore.ts"

it.each<readonly [string, MemoryCellStoreOptions, number]>([
  ["at once", {}, 1_000_000],
  ["at once, rows in small pieces, nothing cached", { pageSize: 3 }, 0],
  ["later", { answersLater: true }, 1_000_000]
])(
  "does what a naive graph does over cells that are answered %s",
  (_, options, cacheBytes) =>
    compareWithModel({
      givesIds: false,
      runs: 6,
      // Two transactions may make the same label, of which one is kept: then the ids of some edges change.
      edgeKey: (id) => String(id).split("-")[0],
      open: () => modelGraph(new MemoryCellStore(options), { cacheBytes }),
      check: (graph) => expect(((graph as CellGraph).core.cells as MemoryCellStore).open).toBe(0)
    }),
  120_000
)
