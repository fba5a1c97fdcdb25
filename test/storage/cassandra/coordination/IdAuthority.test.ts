import { describe, expect, it } from "vitest"
import { IdAuthority, type IdAuthorityOptions } from "../../../../src/storage/cassandra/coordination/IdAuthority.ts"
import { claimKey, type IdKind, readClaim } from "../../../../src/storage/janusgraph/format/IdBlocks.ts"
import type { IdBlock } from "../../../../src/storage/janusgraph/ids/IdSource.ts"
import { StorageUnavailable } from "../../../../src/structure/errors/StoreErrors.ts"
import type { Random } from "../../../fuzz/Random.ts"
import { withSeeds } from "../../../fuzz/Seeds.ts"
import { type SimulatedProcess, type SimulationOptions, simulate } from "./Simulation.ts"

const WAIT = 300

const options = (instance: string, more: Partial<IdAuthorityOptions> = {}): IdAuthorityOptions => ({
  instance,
  partitionBits: 5,
  blockSize: 100,
  partition: 3,
  tagBits: 4,
  tag: 0,
  wait: WAIT,
  timeout: 120_000,
  ...more
})

const authority = (process: SimulatedProcess, more: Partial<IdAuthorityOptions> = {}): IdAuthority =>
  new IdAuthority(process.columns, process.clock, options(process.name, more), () => process.random.next())

const countsOf = ({ count, first, step }: IdBlock): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, i) => first + i * step)

/** Lets every process claim a number of blocks at random times, and returns the blocks. */
const claimAll = async (
  seed: number,
  simulation: SimulationOptions,
  blocks: number,
  more: (random: Random) => Partial<IdAuthorityOptions> = () => ({})
): Promise<ReadonlyArray<IdBlock>> => {
  const { processes, time } = simulate(seed, simulation)
  const got: Array<IdBlock> = []
  const works: Array<Promise<void>> = []
  for (const process of processes) {
    const ids = authority(process, more(process.random))
    const work = async (): Promise<void> => {
      for (let i = 0; i < blocks; i++) {
        await time.wait(process.random.next() * WAIT)
        got.push(await ids.claim("vertex"))
      }
    }
    works.push(work())
  }
  await time.run()
  await Promise.all(works)
  return got
}

const expectDisjoint = (blocks: ReadonlyArray<IdBlock>): void => {
  const counts = blocks.flatMap(countsOf)
  expect(new Set(counts).size).toBe(counts.length)
}

/** Seeds of one test run. */
const SEEDS = 40
/** A network on which many claims are too slow needs more time for each block. */
const patient = () => ({ timeout: 3_600_000 })

describe("Claims of id blocks", () => {
  it("never overlap while clocks differ by less than the wait", async () => {
    await withSeeds(SEEDS, async (seed) => {
      const network = (random: Random) => ({ delay: () => random.next() * 60 })
      const got = await claimAll(seed, { processes: 2 + (seed % 4), skew: 200, network }, 4)
      expect(got.length).toBe(4 * (2 + (seed % 4)))
      expectDisjoint(got)
    })
  })

  it("never overlap when some writes take longer than the wait, or get no answer", async () => {
    await withSeeds(SEEDS, async (seed) => {
      const network = (random: Random) => ({
        delay: () => (random.chance(0.2) ? random.next() * 4 * WAIT : random.next() * 20),
        failures: 0.1
      })
      const got = await claimAll(seed, { processes: 3, skew: 25, network }, 4, patient)
      expect(got.length).toBe(12)
      expectDisjoint(got)
    })
  })

  it("never overlap whatever the clocks say, also when the read of the newest claim is slow", async () => {
    await withSeeds(SEEDS, async (seed) => {
      const network = (random: Random) => ({
        delay: () => (random.chance(0.2) ? random.next() * 3 * WAIT : random.next() * 20),
        failures: 0.05
      })
      const got = await claimAll(seed, { processes: 4, skew: 30_000, network }, 4, patient)
      expect(got.length).toBe(16)
      expectDisjoint(got)
    })
  })

  it("never overlap when processes crash during a claim", async () => {
    await withSeeds(SEEDS, async (seed) => {
      const network = (random: Random) => ({ delay: () => random.next() * 60 })
      const { processes, time } = simulate(seed, { processes: 4, skew: 150, network })
      const got: Array<IdBlock> = []
      for (const [number, process] of processes.entries()) {
        if (number < 2) time.at(process.random.next() * 3000, () => (process.columns.crashed = true))
        const ids = authority(process)
        const work = async (): Promise<void> => {
          for (let i = 0; i < 5; i++) got.push(await ids.claim("relation"))
        }
        work().catch(() => undefined)
      }
      await time.run()
      expect(got.length).toBeGreaterThanOrEqual(10)
      expectDisjoint(got)
    })
  })

  it("differ in their tags when instances choose random tags", async () => {
    const network = (random: Random) => ({ delay: () => random.next() * 60 })
    await withSeeds(10, async (seed) => {
      const got = await claimAll(seed, { processes: 4, skew: 200, network }, 4, () => ({ tag: "random" }))
      expect(new Set(got.map(({ first }) => first % 16)).size).toBeGreaterThan(3)
      expectDisjoint(got)
    })
  })

  it("leave only the winner's claim, in JanusGraph's format", async () => {
    const network = () => ({ delay: () => 5 })
    const { keyspace, processes, time } = simulate(1, { processes: 3, skew: 100, network })
    const got: Array<IdBlock> = []
    for (const process of processes)
      authority(process)
        .claim("vertex")
        .then((block) => got.push(block))
    await time.run()
    const claims = keyspace.read({ table: "janusgraph_ids", key: claimKey("vertex", 3, 5) })
    expect(claims.map(({ column }) => readClaim(column).end)).toEqual([301n, 201n, 101n])
    expect(new Set(claims.map(({ column }) => readClaim(column).instance)).size).toBe(3)
    expect(claims.every(({ value }) => value.length === 0)).toBe(true)
    expect(got.map(({ first }) => first).sort((a, b) => a - b)).toEqual([16, 1616, 3216])
  })

  it("start after the newest claim in the row of their kind", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 1, skew: 0, network: () => ({ delay: () => 1 }) })
    // Rows that JanusGraph 1.1 wrote: partition 0, kinds 3 and 4; partition 1, kind 2.
    const write = (key: string, column: string): void =>
      keyspace.apply(
        [
          {
            table: "janusgraph_ids",
            key: Buffer.from(key, "hex"),
            additions: [{ column: Buffer.from(column, "hex"), value: Buffer.alloc(0) }],
            deletions: []
          }
        ],
        1n
      )
    write("0000000000000003", "fffffffffffd8eff000660c3f66131fe666d742d637261736865642d32")
    write("0000000000000003", "fffffffffffec77f000660c3f2f048f6666d742d7772697465722d31")
    write("0000000000000004", "ffffffffffffff05000660c3f65c0373666d742d637261736865642d32")
    write("0800000000000002", "ffffffffffffff37000660c3f33206d5666d742d7772697465722d31")
    const ids = authority(processes[0]!, { partition: 0, blockSize: 10_000 })
    const got = new Map<IdKind, IdBlock>()
    const work = async (): Promise<void> => {
      for (const kind of ["relation", "schema", "partitionedVertex", "vertex"] as const)
        got.set(kind, await ids.claim(kind))
    }
    const done = work()
    await time.run()
    await done
    expect(got.get("relation")).toEqual({ first: 160_001 * 16, step: 16, count: 80_000, partition: 0 })
    expect(got.get("schema")).toEqual({ first: 251 * 16, step: 16, count: 50, partition: 0 })
    expect(got.get("partitionedVertex")).toEqual({ first: 201 * 16, step: 16, count: 100, partition: 1 })
    expect(got.get("vertex")).toEqual({ first: 16, step: 16, count: 10_000, partition: 0 })
  })

  it("fail with the reason when the store is too slow for them", async () => {
    const network = () => ({ delay: () => 200 })
    const { keyspace, processes, time } = simulate(1, { processes: 1, skew: 0, network })
    const failed = authority(processes[0]!, { timeout: 5000 })
      .claim("vertex")
      .then(
        () => "claimed",
        (error: Error) => `${error instanceof StorageUnavailable} ${error.message}`
      )
    await time.run()
    expect(await failed).toMatch(
      /^true .*within 5000 ms: the read of the newest claim of ids and the write of the next one took 800 ms.*ids.authority.wait-time/
    )
    expect(keyspace.read({ table: "janusgraph_ids", key: claimKey("vertex", 3, 5) })).toEqual([])
  })

  it("fail at once when the ids of a partition are used up", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 1, skew: 0, network: () => ({ delay: () => 1 }) })
    const column = Buffer.alloc(17)
    column.writeBigInt64BE(-(2n ** 41n), 0)
    const key = claimKey("vertex", 3, 5)
    const additions = [{ column, value: Buffer.alloc(0) }]
    keyspace.apply([{ table: "janusgraph_ids", key, additions, deletions: [] }], 1n)
    const failed = authority(processes[0]!)
      .claim("vertex")
      .catch((error: Error) => error.message)
    await time.run()
    expect(await failed).toMatch(/All ids \(vertex\) of the partition 3/)
    expect(time.now).toBeLessThan(WAIT)
  })
})
