import { it } from "vitest"
import { Random } from "../../fuzz/Random.ts"
import { seedOf, withSeed } from "../../fuzz/Seeds.ts"
import { modelGraph } from "../janusgraph/Graphs.ts"
import { compareWithModel } from "../ModelRun.ts"
import { FakeCluster } from "./FakeCluster.ts"

it("A graph over a cluster behaves as a naive graph, in whatever order its answers arrive", () => {
  const seed = seedOf("ANSWERS_SEED")
  return withSeed("ANSWERS_SEED", seed, () =>
    compareWithModel({
      givesIds: false,
      runs: 3,
      // Two transactions see what is committed between their reads.
      together: 1,
      edgeKey: (id) => String(id).split("-")[0],
      open: async () => {
        const cluster = new FakeCluster()
        const random = new Random(seed, 0)
        cluster.weather = async () => {
          if (random.chance(0.3)) await new Promise((resolve) => setImmediate(resolve))
        }
        return modelGraph(await cluster.store())
      }
    })
  )
})
