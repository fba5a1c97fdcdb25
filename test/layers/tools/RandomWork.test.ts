import { expect, it } from "vitest"
import { seedOf, withSeed } from "../../fuzz/Seeds.ts"
import { type Place, RandomWork, type WorkKind, workKinds } from "./RandomWork.ts"

/** Seeds of one test run. RUNS=1000 for a long run; `SEED=n RUNS=1` repeats a failure. */
const RUNS = Number(process.env.RUNS ?? 3)
/** Further seeds of a run in which no work of some kind has succeeded yet. */
const MORE_RUNS = 12

it.each<Place>(["memory", "pieces", "lmdb"])(
  "A graph is consistent after concurrent transactions, schema changes, index builds, TTLs, imports and restores: %s",
  async (place) => {
    const first = seedOf("SEED")
    const done = new Map<WorkKind, number>()
    const missing = () => workKinds.filter((kind) => !done.has(kind))
    const most = RUNS + (process.env.SEED === undefined ? MORE_RUNS : 0)
    let runs = 0
    for (; runs < RUNS || (runs < most && missing().length > 0); runs++) {
      const seed = first + runs
      await withSeed("SEED", seed, () => new RandomWork(seed, place, done).run(300))
    }
    const counts = [...done].map(([kind, count]) => `${count} ${kind}`).join(", ")
    if (most > RUNS)
      expect(missing(), `none of ${runs} runs from SEED=${first} has it; they have ${counts}`).toEqual([])
  },
  20_000 + (RUNS + MORE_RUNS) * 5_000
)
