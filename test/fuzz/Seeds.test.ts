import { afterEach, describe, expect, it } from "vitest"
import { seedOf, withSeed, withSeeds } from "./Seeds.ts"

describe("The seed of a random test", () => {
  const before = process.env.SEED
  afterEach(() => {
    if (before === undefined) delete process.env.SEED
    else process.env.SEED = before
  })

  it("is the one of the environment variable, and otherwise different in each run", () => {
    process.env.SEED = "7"
    expect(seedOf("SEED")).toBe(7)
    for (const wrong of ["x", "-1", "1.5", String(2 ** 32)]) {
      process.env.SEED = wrong
      expect(() => seedOf("SEED")).toThrow(`SEED=${wrong}`)
    }
    delete process.env.SEED
    expect(new Set(Array.from({ length: 20 }, () => seedOf("SEED"))).size).toBeGreaterThan(18)
  })

  it("is in the message of a failure, also if a test runs with several seeds", async () => {
    const failing = (): void => expect(1).toBe(2)
    await expect(withSeed("RACE_SEED", 5, failing)).rejects.toThrow(/^RACE_SEED=5: expected 1 to be 2/)
    process.env.SEED = "20"
    const seeds: Array<number> = []
    const third = (seed: number): void => {
      seeds.push(seed)
      if (seed === 22) failing()
    }
    await expect(withSeeds(5, third)).rejects.toThrow(/^SEED=22: expected/)
    expect(seeds).toEqual([20, 21, 22])
  })
})
