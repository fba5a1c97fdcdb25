import { it } from "vitest"
import { withSeeds } from "../../fuzz/Seeds.ts"
import { type Place, RandomWork } from "./RandomWork.ts"

/** Seeds of one test run. RUNS=1000 for a long run; `SEED=n RUNS=1` repeats a failure. */
const RUNS = Number(process.env.RUNS ?? 3)

it.each<Place>(["memory", "pieces", "lmdb"])(
  "A graph is consistent after concurrent transactions, schema changes, index builds, TTLs, imports and restores: %s",
  (place) => withSeeds(RUNS, (seed) => new RandomWork(seed, place).run(300)),
  20_000 + RUNS * 5_000
)
