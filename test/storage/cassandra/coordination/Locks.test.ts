import { describe, expect, it, vi } from "vitest"
import type { Column } from "../../../../src/storage/cassandra/ColumnStore.ts"
import { type LockOptions, Locks } from "../../../../src/storage/cassandra/coordination/Locks.ts"
import { type LockTarget, lockRow } from "../../../../src/storage/cassandra/coordination/LockTargets.ts"
import { NotApplied } from "../../../../src/storage/cassandra/Failures.ts"
import {
  StorageFailure,
  StorageUnavailable,
  TransactionConflict
} from "../../../../src/structure/errors/StoreErrors.ts"
import type { Random } from "../../../fuzz/Random.ts"
import { withSeeds } from "../../../fuzz/Seeds.ts"
import { type SimulatedProcess, type SimulationOptions, simulate } from "./Simulation.ts"

const WAIT = 100
const KEY = Buffer.from("the key")
const COLUMN = Buffer.from([0])

const locksOf = (process: SimulatedProcess, more: Partial<LockOptions> = {}): Locks =>
  new Locks(process.columns, process.clock, {
    instance: process.name,
    wait: WAIT,
    expiry: 300_000,
    retries: 3,
    ...more
  })

const target = (expected: Uint8Array | undefined, column: Uint8Array = COLUMN): LockTarget => ({
  table: "graphindex",
  key: KEY,
  column,
  expected
})

const claimRow = { table: "graphindex_lock_", key: lockRow({ key: KEY, column: COLUMN }) } as const

/**
 * The result of a run of counting: the counter, the number of increments, and the largest number of holders at the same
 * time.
 */
interface Counted {
  readonly value: number
  readonly raised: number
  readonly mostAtOnce: number
}

const numberOf = (cell: Column | undefined): number => Number(Buffer.from(cell?.value ?? "0").toString())

/** Every process reads a counter without a lock and increments it under one, each time it gets the lock. */
const count = async (
  seed: number,
  simulation: SimulationOptions,
  rounds: number,
  more: Partial<LockOptions> = {}
): Promise<Counted> => {
  const { keyspace, processes, time } = simulate(seed, simulation)
  let raised = 0
  let atOnce = 0
  let mostAtOnce = 0
  const works: Array<Promise<void>> = []
  for (const process of processes) {
    const locks = locksOf(process, more)
    const raise = async (): Promise<void> => {
      const [cell] = await process.columns.slice({ table: "graphindex", key: KEY })
      await locks.during([target(cell?.value)], async (beginWrite) => {
        mostAtOnce = Math.max(mostAtOnce, ++atOnce)
        try {
          beginWrite()
          const additions = [{ column: COLUMN, value: Buffer.from(String(numberOf(cell) + 1)) }]
          const mutation = { table: "graphindex", key: KEY, additions, deletions: [] } as const
          await process.columns.mutate([mutation], process.clock.now())
          raised++
        } finally {
          atOnce--
        }
      })
    }
    const work = async (): Promise<void> => {
      for (let i = 0; i < rounds; i++) {
        await time.wait(process.random.next() * 2 * WAIT)
        await raise().catch((error) => {
          if (!(error instanceof TransactionConflict || error instanceof StorageFailure)) throw error
        })
      }
    }
    works.push(work())
  }
  await time.run()
  await Promise.all(works)
  const [cell] = keyspace.read({ table: "graphindex", key: KEY })
  expect(keyspace.read(claimRow)).toEqual([])
  return { value: numberOf(cell), raised, mostAtOnce }
}

/** Seeds of one test run. */
const SEEDS = 40

describe("Locks on cells", () => {
  it("are never held by two, and lose no change, while clocks differ by less than the wait minus the duration of a write", async () => {
    let all = 0
    await withSeeds(SEEDS, async (seed) => {
      const network = (random: Random) => ({ delay: () => random.next() * 15 })
      const { mostAtOnce, raised, value } = await count(seed, { processes: 2 + (seed % 4), skew: 60, network }, 12)
      expect([mostAtOnce, value]).toEqual([1, raised])
      all += raised
    })
    expect(all).toBeGreaterThan(SEEDS * 5)
  })

  it("are never held by two when some writes take longer than the wait", async () => {
    await withSeeds(SEEDS, async (seed) => {
      const delay = (random: Random) => (random.chance(0.3) ? random.next() * 3 * WAIT : 2 + random.next() * 10)
      const network = (random: Random) => ({ delay: () => delay(random) })
      const { mostAtOnce, raised, value } = await count(seed, { processes: 3, skew: 2, network }, 12)
      expect([mostAtOnce, value]).toEqual([1, raised])
    })
  })

  it("leave no claim when requests for claims get no answer, although some of them arrive", async () => {
    let all = 0
    await withSeeds(SEEDS, async (seed) => {
      const delay = (random: Random) => (random.chance(0.2) ? random.next() * 2 * WAIT : 2 + random.next() * 10)
      const network = (random: Random) => ({ delay: () => delay(random), failures: 0.1, failing: claimRow.table })
      // So many attempts that no claim stays because its removal failed each time.
      const { mostAtOnce, raised, value } = await count(seed, { processes: 3, skew: 2, network }, 12, { retries: 20 })
      expect([mostAtOnce, value]).toEqual([1, raised])
      all += raised
    })
    expect(all).toBeGreaterThan(SEEDS)
  })

  it("are claimed, compared and released with the consistency level of system operations", async () => {
    const { processes, time } = simulate(1, { processes: 1, skew: 0, network: () => ({ delay: () => 1 }) })
    const { columns } = processes[0]!
    const held = locksOf(processes[0]!).during([target(undefined)], async () => undefined)
    await time.run()
    await held
    expect(columns.requests).toEqual([
      { kind: "write", table: "graphindex_lock_", consistency: "system" },
      { kind: "read", table: "graphindex_lock_", consistency: "system" },
      { kind: "read", table: "graphindex", consistency: "system" },
      { kind: "write", table: "graphindex_lock_", consistency: "system" }
    ])
  })

  it("are decided without the claims, and the removed claims, from before the expiry time", async () => {
    const { processes, time } = simulate(1, { processes: 1, skew: 0, network: () => ({ delay: () => 1 }) })
    const { clock, columns } = processes[0]!
    const slice = vi.spyOn(columns, "slice")
    const begun = clock.now()
    const held = locksOf(processes[0]!, { expiry: 60_000 }).during([target(undefined)], async () => undefined)
    await time.run()
    await held
    const [query] = slice.mock.calls.map(([each]) => each).filter(({ table }) => table === "graphindex_lock_")
    const start = Buffer.from(query!.start!).readBigInt64BE(0)
    expect(start).toBeLessThanOrEqual(begun - 59_000_000n)
    expect(start).toBeGreaterThanOrEqual(begun - 60_000_000n)
  })

  it("are refused when the cell was changed since it was read", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 1, skew: 0, network: () => ({ delay: () => 1 }) })
    const put = (value: string): void =>
      keyspace.apply(
        [{ table: "graphindex", key: KEY, additions: [{ column: COLUMN, value: Buffer.from(value) }], deletions: [] }],
        BigInt(time.now + 1) * 1000n
      )
    const locks = locksOf(processes[0]!)
    const ended: Array<string> = []
    const attempt = (expected: string | undefined): Promise<void> =>
      locks
        .during([target(expected === undefined ? undefined : Buffer.from(expected))], async () => {
          ended.push("held")
        })
        .catch((error: Error) => {
          ended.push(error instanceof TransactionConflict ? "conflict" : error.message)
        })
    const work = async (): Promise<void> => {
      await attempt("a")
      await attempt(undefined)
      put("a")
      await attempt(undefined)
      await attempt("a")
      put("b")
      await attempt("a")
    }
    const done = work()
    await time.run()
    await done
    expect(ended).toEqual(["conflict", "held", "conflict", "held", "conflict"])
    expect(keyspace.read(claimRow)).toEqual([])
  })

  it("of one process exclude each other at once, without a request to the store", async () => {
    const { processes, time } = simulate(1, { processes: 1, skew: 0, network: () => ({ delay: () => 1 }) })
    const [process] = processes
    const locks = locksOf(process!)
    const ended: Array<string> = []
    const first = locks.during([target(undefined)], async () => {
      const { writes } = process!.columns
      await locks
        .during([target(undefined, Buffer.from([1])), target(undefined)], async () => undefined)
        .catch((error) => ended.push((error as Error).message))
      expect(process!.columns.writes).toBe(writes)
      // The locks after the refused one are not taken.
      await locks.during([target(undefined, Buffer.from([1]))], async () => {
        ended.push("the other cell")
      })
    })
    await time.run()
    await first
    expect(ended[0]).toContain("another transaction of this server")
    expect(ended[1]).toBe("the other cell")
  })

  it("of a crashed process expire after the expiry time, and not before", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 2, skew: 0, network: () => ({ delay: () => 1 }) })
    const [dead, living] = processes
    time.at(500, () => (dead!.columns.crashed = true))
    locksOf(dead!)
      .during([target(undefined)], () => new Promise(() => undefined))
      .catch(() => undefined)
    const ended: Array<string> = []
    const locks = locksOf(living!)
    const attempt = () =>
      locks
        .during([target(undefined)], async () => {
          ended.push("held")
        })
        .catch((error) => ended.push((error as Error).message))
    for (const at of [1000, 299_000, 301_000]) time.at(at, attempt)
    await time.run()
    expect(ended).toEqual([expect.stringContaining("process-0"), expect.stringContaining("process-0"), "held"])
    expect(keyspace.read(claimRow).length).toBe(1)
  })

  it("of a worker of the same server that has ended do not count when none of its writes can arrive any more", async () => {
    const writesLast = 12_000
    const { keyspace, processes, time } = simulate(1, { processes: 2, skew: 0, network: () => ({ delay: () => 1 }) })
    const [dead, living] = processes
    const late = {
      table: "graphindex",
      key: KEY,
      additions: [{ column: COLUMN, value: Buffer.from("late") }],
      deletions: []
    } as const
    locksOf(dead!)
      .during([target(undefined)], () => {
        // It was sent directly before the death.
        const stamp = dead!.clock.now()
        time.at(500 + writesLast - 1, () => keyspace.apply([late], stamp))
        return new Promise(() => undefined)
      })
      .catch(() => undefined)
    time.at(500, () => (dead!.columns.crashed = true))
    const hasEnded = (name: string): boolean => name === dead!.name && dead!.columns.crashed
    const locks = locksOf(living!, { siblings: { hasEnded, writesLast } })
    const ended: Array<string> = []
    const attempt = (expected: string | undefined) =>
      locks
        .during([target(expected === undefined ? undefined : Buffer.from(expected))], async () => {
          ended.push(`held at ${Math.round(time.now / 1000)} s`)
        })
        .catch((error) => ended.push((error as Error).message))
    for (const at of [200, 1000]) time.at(at, () => attempt(undefined))
    time.at(20_000, () => attempt("late"))
    await time.run()
    expect(ended).toEqual([
      expect.stringContaining("process-0"),
      expect.stringContaining("that is locked was changed"),
      "held at 20 s"
    ])
    expect(keyspace.read(claimRow)).toEqual([])
  })

  it("of an ended worker stay until its last write has ended, also when a refused commit has read them", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 3, skew: 0, network: () => ({ delay: () => 1 }) })
    const [dead, other, mine] = processes
    const hold = (process: SimulatedProcess, lasts: Promise<unknown>, more: Partial<LockOptions> = {}) =>
      locksOf(process, more)
        .during([target(undefined)], async () => {
          await lasts
        })
        .catch((error: Error) => error.message)
    void hold(dead!, new Promise(() => undefined))
    time.at(500, () => (dead!.columns.crashed = true))
    const hasEnded = (name: string): boolean => name === dead!.name && dead!.columns.crashed
    let outcome: unknown
    // The claim of another server comes between: it waits for its own turn.
    time.at(1000, () => void hold(other!, new Promise(() => undefined)))
    time.at(1001, async () => {
      outcome = await hold(mine!, Promise.resolve(), { siblings: { hasEnded, writesLast: 12_000 } })
    })
    let claims: ReadonlyArray<string> = []
    time.at(5000, () => {
      claims = keyspace.read(claimRow).map(({ column }) => Buffer.from(column).subarray(8).toString())
    })
    await time.run()
    expect(outcome).toContain(`${other!.name} is committing`)
    expect(claims).toContain(dead!.name)
  })

  it("fail the work that holds them for too long", async () => {
    const { processes, time } = simulate(1, { processes: 1, skew: 0, network: () => ({ delay: () => 1 }) })
    const locks = locksOf(processes[0]!, { expiry: 10_000 })
    const failed = locks
      .during([target(undefined)], async (beginWrite) => {
        beginWrite()
        await time.wait(9_900)
        beginWrite()
      })
      .catch((error) => error)
    await time.run()
    expect(await failed).toBeInstanceOf(TransactionConflict)
    expect((await failed).message).toContain("storage.lock.expiry-time=10000")
  })

  it("are held for the expiry time without twice the wait, and no longer", async () => {
    const expiry = 10_000
    const limit = expiry - 2 * WAIT
    for (const when of ["before the work", "before the write"] as const) {
      const outcomes: Array<string> = []
      for (const held of [limit - 1, limit, limit + 1]) {
        const { processes, time } = simulate(1, { processes: 1, skew: 0, network: () => ({ delay: () => 1 }) })
        const [process] = processes
        // The last request before the work compares the cell. All requests before the work are answered within the wait.
        const { slice } = process!.columns
        process!.columns.slice = async (...given) => {
          const answer = await slice.apply(process!.columns, given)
          if (when === "before the work" && given[0].table === "graphindex") await time.wait(held - time.now)
          return answer
        }
        const done = locksOf(process!, { expiry })
          .during([target(undefined)], async (beginWrite) => {
            outcomes.push("begun")
            if (when === "before the write") await time.wait(held - time.now)
            beginWrite()
            outcomes.push("written")
          })
          .catch((error) => outcomes.push(error instanceof TransactionConflict ? "refused" : String(error)))
        await time.run()
        await done
      }
      const late = when === "before the work" ? ["refused"] : ["begun", "refused"]
      expect(outcomes, when).toEqual(["begun", "written", ...late, ...late])
    }
  })

  it.each([2, 1])("stay until they expire after a write whose outcome is unknown, with %i processes", async (count) => {
    const { keyspace, processes, time } = simulate(1, { processes: 2, skew: 0, network: () => ({ delay: () => 1 }) })
    const [first, second] = processes
    const locks = locksOf(first!)
    const others = locksOf(second!)
    const mutation = (value: string) =>
      ({
        table: "graphindex",
        key: KEY,
        additions: [{ column: COLUMN, value: Buffer.from(value) }],
        deletions: []
      }) as const
    const how = count === 1 ? "alone" : "during"
    const uncertain = locks[how]([target(undefined)], async (beginWrite) => {
      beginWrite()
      const stamp = first!.clock.now()
      time.at(time.now + 60_000, () => keyspace.apply([mutation("first")], stamp))
      throw new StorageUnavailable("no answer")
    }).catch((error) => error)
    const ended: Array<string> = []
    const attempt = async (mine: Locks, process: SimulatedProcess, expected?: string): Promise<void> => {
      const cell = expected === undefined ? undefined : Buffer.from(expected)
      await mine[how]([target(cell)], async (beginWrite) => {
        beginWrite()
        await process.columns.mutate([mutation("other")], process.clock.now())
        ended.push("written")
      }).catch((error) => ended.push((error as Error).message))
    }
    for (const at of [1000, 59_000, 299_000]) {
      time.at(at, () => attempt(locks, first!))
      if (count > 1) time.at(at + 500, () => attempt(others, second!))
    }
    if (count > 1) time.at(301_000, () => attempt(others, second!))
    time.at(302_000, () => attempt(locks, first!, "first"))
    await time.run()
    expect(await uncertain).toBeInstanceOf(StorageUnavailable)
    const mine = expect.stringMatching(
      /an earlier commit of this server has an unknown outcome.*storage\.lock\.expiry-time/
    )
    const theirs = expect.stringContaining("process-0 is committing the same")
    expect(ended).toEqual(
      count === 1
        ? [mine, mine, mine, "written"]
        : [mine, theirs, mine, theirs, mine, theirs, expect.stringContaining("that is locked was changed"), "written"]
    )
  })

  it("are released when a write fails without being applied", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 1, skew: 0, network: () => ({ delay: () => 1 }) })
    const locks = locksOf(processes[0]!)
    const ended: Array<string> = []
    const work = async (): Promise<void> => {
      for (const how of ["during", "alone", "during", "alone"] as const) {
        await locks[how]([target(undefined)], async (beginWrite) => {
          beginWrite()
          throw new NotApplied("the cluster refused the write")
        }).catch((error) => ended.push((error as Error).message))
      }
    }
    const done = work()
    await time.run()
    await done
    expect(ended).toEqual(Array.from({ length: 4 }, () => "the cluster refused the write"))
    expect(keyspace.read(claimRow)).toEqual([])
  })

  it("are released when the work fails before it writes", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 1, skew: 0, network: () => ({ delay: () => 1 }) })
    const locks = locksOf(processes[0]!)
    const ended: Array<string> = []
    const work = async (): Promise<void> => {
      for (const how of ["during", "alone", "during"] as const) {
        await locks[how]([target(undefined)], async () => {
          throw new Error("the work failed")
        }).catch((error) => ended.push((error as Error).message))
      }
    }
    const done = work()
    await time.run()
    await done
    expect(ended).toEqual(["the work failed", "the work failed", "the work failed"])
    expect(keyspace.read(claimRow)).toEqual([])
  })

  it("are all released when one of several is refused", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 2, skew: 0, network: () => ({ delay: () => 1 }) })
    const [first, second] = processes
    const others = Array.from({ length: 100 }, (_, i) => target(undefined, Buffer.from([1, i])))
    const held = locksOf(first!).during([target(undefined)], () => time.wait(5000))
    await time.run(1000)
    const failed = locksOf(second!)
      .during([...others, target(undefined)], async () => "held")
      .catch((error) => (error as Error).message)
    await time.run(4000)
    expect(await failed).toContain("process-0")
    for (const { column, key } of others) {
      expect(keyspace.read({ table: "graphindex_lock_", key: lockRow({ key, column }) })).toEqual([])
    }
    expect(keyspace.read(claimRow).length).toBe(1)
    await time.run()
    await held
    expect(keyspace.read(claimRow)).toEqual([])
  })

  it("fail with the reason when the store is too slow for them", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 1, skew: 0, network: () => ({ delay: () => 60 }) })
    const failed = locksOf(processes[0]!)
      .during([target(undefined)], async () => "held")
      .catch((error) => error)
    await time.run()
    // The error is one that can be retried; others stop the writes of the graph for good.
    expect(await failed).toBeInstanceOf(StorageUnavailable)
    expect((await failed).message).toMatch(/the write took 120 ms.*storage.lock.wait-time/)
    expect(keyspace.read(claimRow)).toEqual([])
  })

  it("have JanusGraph's form", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 1, skew: 0, network: () => ({ delay: () => 1 }) })
    const held = locksOf(processes[0]!).during([target(undefined)], async () => {
      const [claim] = keyspace.read(claimRow)
      expect(claimRow.key.toString("hex")).toBe(`00000007${KEY.toString("hex")}00`)
      const column = Buffer.from(claim!.column)
      expect(column.readBigInt64BE(0) | 1n).toBe(claim!.written)
      expect(column.subarray(8).toString()).toBe("process-0")
    })
    await time.run()
    await held
    expect(keyspace.read(claimRow)).toEqual([])
  })
})
