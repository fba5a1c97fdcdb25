import { it } from "vitest"
import type { Random } from "../../layers/tools/RandomSchema.ts"
import { FakeCluster } from "../cassandra/FakeCluster.ts"
import { lmdbStore } from "../lmdb/Stores.ts"
import { ConcurrentChanges, type Place } from "./ConcurrentChanges.ts"
import { MemoryCellStore } from "./MemoryCellStore.ts"

/** The number of runs, each with another seed. RUNS=1000 makes a long test; SEED=n RUNS=1 repeats a failed run. */
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
  ["with synchronous reads", { open: async () => new MemoryCellStore(), hasSnapshots: true }],
  ["with small pages", { open: async () => new MemoryCellStore({ pageSize: 3 }), hasSnapshots: true }],
  ["with asynchronous reads", { open: async () => new MemoryCellStore({ answersLater: true }), hasSnapshots: true }],
  ["in lmdb", { open: () => lmdbStore({ sync: "none" }), hasSnapshots: true }],
  ["in a cluster without snapshots", { open: cluster, hasSnapshots: false }]
]

it.each(places)(
  "Concurrent transactions on the same few elements have the same result as some serial order, over cells %s",
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
