import { it } from "vitest"
import { MANY_RUNS_MS } from "../../Limits.ts"
import { modelGraph } from "../janusgraph/Graphs.ts"
import { compareWithModel } from "../ModelRun.ts"
import { lmdbStore } from "./Stores.ts"

it.each([
  ["with", 1_000_000],
  ["without", 0]
])(
  "A graph over lmdb %s a cache behaves as the model does",
  (_, cacheBytes) =>
    compareWithModel({
      givesIds: false,
      runs: 4,
      edgeKey: (id) => String(id).split("-")[0],
      // This test does not check durability.
      open: async () => modelGraph(await lmdbStore({ sync: "none" }), { cacheBytes })
    }),
  MANY_RUNS_MS
)
