import { it } from "vitest"
import { type Place, RandomWork } from "./RandomWork.ts"

/** RUNS=1000 for long, SEED=n for one that failed. */
const RUNS = Number(process.env.RUNS ?? 3)
const SEED = Number(process.env.SEED ?? 7)

it.each<Place>(["memory", "pieces", "lmdb"])(
  "whatever transactions, changes of schema and indexes, times to live, imports and restores do at once, nothing is wrong afterwards: %s",
  async (place) => {
    for (let seed = SEED; seed < SEED + RUNS; seed++) {
      try {
        await new RandomWork(seed, place).run(300)
      } catch (error) {
        throw new Error(`SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
      }
    }
  },
  20_000 + RUNS * 5_000
)
