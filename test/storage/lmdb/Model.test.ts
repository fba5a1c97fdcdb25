import { it } from "vitest"
import { modelGraph } from "../janusgraph/Graphs.ts"
import { compareWithModel } from "../ModelRun.ts"
import { lmdbStore } from "./Stores.ts"

it.each([
  ["with", 1_000_000],
  ["without", 0]
])(
  "does what a naive graph does over lmdb, %s a cache",
  (_, cacheBytes) =>
    compareWithModel({
      givesIds: false,
      runs: 4,
      edgeKey: (id) => String(id).split("-")[0],
      // What is tested here is not whether the disk has it.
      open: async () => modelGraph(await lmdbStore({ sync: "none" }), { cacheBytes })
    }),
  120_000
)
