import { it } from "vitest"
import type { Random } from "../../layers/tools/RandomSchema.ts"
import { FakeCluster } from "../cassandra/FakeCluster.ts"
import { lmdbStore } from "../lmdb/Stores.ts"
import { ConcurrentChanges, type Place } from "./ConcurrentChanges.ts"
import { MemoryCellStore } from "./MemoryCellStore.ts"

/** Runs of another seed each; RUNS=1000 for long, SEED=n RUNS=1 for one that failed. */
const RUNS = Number(process.env.RUNS ?? 2)
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const ROUNDS = 60

const cluster = async (random: Random) => {
  const nodes = new FakeCluster()
  nodes.weather = async () => {
    if (random.oneIn(3)) await new Promise((resolve) => setImmediate(resolve))
  }
  return nodes.store()
}

const places: ReadonlyArray<readonly [string, Place]> = [
  ["that are read at once", { open: async () => new MemoryCellStore(), hasSnapshots: true }],
  ["in small pieces", { open: async () => new MemoryCellStore({ pageSize: 3 }), hasSnapshots: true }],
  ["that are read later", { open: async () => new MemoryCellStore({ answersLater: true }), hasSnapshots: true }],
  ["in the files of lmdb", { open: () => lmdbStore({ sync: "none" }), hasSnapshots: true }],
  ["of a cluster without snapshots", { open: cluster, hasSnapshots: false }]
]

it.each(places)(
  "transactions that change the same few elements at once leave a graph that one after the other would, in cells %s",
  async (_, place) => {
    for (let seed = SEED; seed < SEED + RUNS; seed++) {
      try {
        await new ConcurrentChanges(seed, place).run(ROUNDS)
      } catch (error) {
        throw new Error(`SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
      }
    }
  },
  20_000 + RUNS * 20_000
)
