import { Random } from "./Random.ts"

/** Exclusive upper limit of a random first seed. The seeds that follow it also fit into 32 bits. */
const SEED_LIMIT = 2 ** 31 - 2 ** 16

/** The seed of a random test: the environment variable `name`, or a new one in each run. */
export const seedOf = (name: string): number => {
  const given = process.env[name]
  if (given === undefined) return Math.floor(Math.random() * SEED_LIMIT)
  const seed = Number(given)
  if (Number.isSafeInteger(seed) && seed >= 0 && seed < SEED_LIMIT) return seed
  throw new Error(`${name}=${given}: a seed is a whole number from 0, below ${SEED_LIMIT}.`)
}

/** Runs a random test. The message of a failure begins with the variable that repeats it, such as `SEED=7`. */
export const withSeed = async <A>(name: string, seed: number, run: () => A | Promise<A>): Promise<A> => {
  try {
    return await run()
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    error.message = `${name}=${seed}: ${error.message}`
    throw error
  }
}

/** Runs a random test with `count` consecutive seeds. The first is the environment variable SEED, or a new one. */
export const withSeeds = async (count: number, run: (seed: number) => void | Promise<void>): Promise<void> => {
  const first = seedOf("SEED")
  for (let seed = first; seed < first + count; seed++) await withSeed("SEED", seed, () => run(seed))
}

/** Runs a random test once; the generator has a new seed in each run. */
export const withRandom = (run: (random: Random) => void | Promise<void>): Promise<void> =>
  withSeeds(1, (seed) => run(new Random(seed, 0)))

/** Steps of a random test; `STEPS=10` in the environment runs ten times as many. */
export const steps = (count: number): number => count * Number(process.env.STEPS ?? 1)
