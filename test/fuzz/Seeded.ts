import { randomInt } from "node:crypto"
import { Random } from "./Random.ts"

/** Seeds are below this, so that one is short enough to be typed. */
const SEEDS = 1_000_000_000

/**
 * Runs a random test with a seed of its own for each run; a failure names the seed in its message. `SEED=n` in the
 * environment repeats that run.
 */
export const seeded = async (run: (random: Random) => void | Promise<void>): Promise<void> => {
  const seed = Number(process.env.SEED ?? randomInt(SEEDS))
  try {
    await run(new Random(seed, 0))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`${message}\nRepeat this run with SEED=${seed}.`, { cause: error })
  }
}
