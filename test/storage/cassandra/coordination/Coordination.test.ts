import { describe, expect, it } from "vitest"
import { type Clock, systemClock } from "../../../../src/storage/cassandra/coordination/Clock.ts"
import { type Coordination, openCoordination } from "../../../../src/storage/cassandra/coordination/Coordination.ts"
import {
  type CoordinationOptions,
  coordinationDefaults
} from "../../../../src/storage/cassandra/coordination/CoordinationOptions.ts"
import { SystemLog } from "../../../../src/storage/cassandra/coordination/SystemLog.ts"
import type { Random } from "../../../fuzz/Random.ts"
import { withSeeds } from "../../../fuzz/Seeds.ts"
import { type SimulatedProcess, type SimulatedTime, simulate } from "./Simulation.ts"

const wanted = { partitionBits: 3, idBlockSize: 50, userVertexIds: false, textVertexIds: false }
const network = (random: Random) => ({ delay: () => random.next() * 10 })

const open = (process: SimulatedProcess, told: Array<string> = [], options: Partial<CoordinationOptions> = {}) =>
  openCoordination({
    columns: process.columns,
    wanted,
    options: { ...coordinationDefaults, instance: process.name, ...options },
    events: {
      others: (instances) => told.push(`others: ${instances.map(({ name }) => name).join(", ")}`),
      notice: (text) => told.push(`notice: ${text}`),
      reregistered: () => told.push("reregistered"),
      failed: (error) => told.push(`failed: ${String(error)}`),
      unlogged: (log) => told.push(`unlogged: ${log}`)
    },
    writesLast: 0,
    clock: process.clock,
    random: () => process.random.next()
  })

/** The result of work that ends within a simulated time. */
const within = async <A>(time: SimulatedTime, milliseconds: number, work: Promise<A>): Promise<A> => {
  const caught = work.then(
    (value) => () => value,
    (error) => () => {
      throw error
    }
  )
  await time.run(time.now + milliseconds)
  return (await Promise.race([caught, Promise.resolve(() => expect.fail("it takes longer"))]))() as A
}

describe("Processes that share a keyspace", () => {
  it("create it once, use the same options, list each other, and claim different blocks of ids", async () => {
    await withSeeds(5, async (seed) => {
      const { processes, time } = simulate(seed, { processes: 3, skew: 50, network })
      const told: Array<string> = []
      const joined = await within(time, 5000, Promise.all(processes.map((process) => open(process, told))))
      for (const { settings } of joined) expect(settings).toMatchObject({ partitionBits: 3, idBlockSize: 50 })
      const names = await within(time, 100, joined[0]!.instances.list())
      expect(names.map(({ name }) => name)).toEqual(["process-0", "process-1", "process-2"])
      const claims = joined.flatMap(({ ids }) => [ids.claim("schema"), ids.claim("schema")])
      const blocks = await within(time, 20_000, Promise.all(claims))
      expect(new Set(blocks.map(({ first }) => first)).size).toBe(6)
      await within(time, 1000, Promise.all(joined.map((each) => each.close())))
      expect(await within(time, 100, joined[0]!.instances.list())).toEqual([])
    })
  })

  it("use the consistency level of system operations for ids, locks, registrations and the system log", async () => {
    const { processes, time } = simulate(1, { processes: 2, skew: 0, network })
    const [first, second] = await within(time, 5000, Promise.all(processes.map((process) => open(process))))
    await within(time, 20_000, Promise.all([first!.ids.claim("vertex"), second!.ids.claim("schema")]))
    const target = {
      table: "graphindex",
      key: Buffer.from([1]),
      column: Buffer.from([0]),
      expected: undefined
    } as const
    await within(
      time,
      5000,
      first!.locks.during([target], async () => undefined)
    )
    await within(time, 60_000, first!.news.announce([5]))
    await time.run(time.now + 60_000)
    await within(time, 100, first!.instances.forceClose("process-1", processes[0]!.clock.now()))
    await within(time, 5000, second!.close())
    await within(time, 5000, first!.close())
    const tables = new Set<string>()
    for (const { columns } of processes)
      for (const { consistency, kind, table } of columns.requests) {
        tables.add(`${kind} ${table}`)
        // Only the reads of the schema's list have the level of the options.
        if (table === "edgestore" || (table === "graphindex" && kind === "read")) continue
        expect({ table, kind, consistency }).toEqual({ table, kind, consistency: "system" })
      }
    for (const table of [
      "janusgraph_ids",
      "system_properties",
      "system_properties_lock_",
      "graphindex_lock_",
      "systemlog"
    ])
      for (const kind of ["read", "write"]) expect(tables).toContain(`${kind} ${table}`)
  })

  it("wait at the start until instances that were alone have finished their writes", async () => {
    const { processes, time } = simulate(1, { processes: 2, skew: 0, network })
    await within(time, 500, open(processes[0]!))
    const begun = time.now
    let opened = 0
    const told: Array<string> = []
    open(processes[1]!, told).then(() => (opened = time.now))
    await time.run(begun + 5000)
    expect(opened - begun).toBeGreaterThan(1000)
    expect(told).toEqual(["others: process-0"])
  })

  it("are refused with the names of the others when the options allow no others, and leave no registration", async () => {
    const { processes, time } = simulate(1, { processes: 2, skew: 0, network })
    const first = await within(time, 500, open(processes[0]!))
    const second = within(time, 5000, open(processes[1]!, [], { others: "refuse" }))
    await expect(second).rejects.toThrow(/open in other instances: process-0 \(since 2023-.*forceCloseInstance/)
    expect((await within(time, 100, first.instances.list())).map(({ name }) => name)).toEqual(["process-0"])
  })

  it("that open it read-only write nothing", async () => {
    const { processes, time } = simulate(1, { processes: 2, skew: 0, network })
    const reader = processes[1]!
    await expect(within(time, 500, open(reader, [], { readOnly: true }))).rejects.toThrow("storage.read-only=true")
    await within(time, 500, open(processes[0]!))
    const told: Array<string> = []
    const opened: Coordination = await within(time, 500, open(reader, told, { readOnly: true }))
    expect(told).toEqual(["others: process-0"])
    await time.run(time.now + 60_000)
    await within(time, 100, opened.close())
    expect(reader.columns.writes).toBe(0)
  })

  it("acknowledge changes of the schema that were announced after their registration, and earlier ones for a name that is used again", async () => {
    for (const instance of [undefined, "process-1"]) {
      const { processes, time } = simulate(1, { processes: 2, skew: 0, network })
      const first = processes[0]!
      await within(time, 500, open(first))
      const log = new SystemLog(first.columns, first.clock, { instance: first.name, buckets: 1, timeToLive: undefined })
      await within(time, 500, log.send({ kind: "eviction", eviction: 1, types: [5] }))
      await within(time, 5000, open(processes[1]!, [], { instance }))
      await within(time, 500, log.send({ kind: "eviction", eviction: 2, types: [5] }))
      await time.run(time.now + 20_000)
      const received = await within(time, 500, log.receive())
      const acknowledged = received.map(({ message }) => message.eviction)
      expect(acknowledged).toEqual(instance === undefined ? [2] : [1, 2])
    }
  })

  it("are not told about the other workers of their own server", async () => {
    const { processes, time } = simulate(1, { processes: 3, skew: 0, network })
    const told: Array<string> = []
    const options = { instance: "shop", others: "refuse" } as const
    await within(time, 5000, open(processes[0]!, told, { ...options, worker: { server: "one", worker: 1 } }))
    const second = await within(
      time,
      5000,
      open(processes[1]!, told, { ...options, worker: { server: "one", worker: 2 } })
    )
    expect(told).toEqual([])
    expect((await within(time, 100, second.instances.list())).length).toBe(2)
    const foreign = within(
      time,
      5000,
      open(processes[2]!, told, { ...options, worker: { server: "other", worker: 1 } })
    )
    await expect(foreign).rejects.toThrow("open in other instances: shop-")
  })

  it("are refused a tag that does not fit", async () => {
    const { processes, time } = simulate(1, { processes: 1, skew: 0, network })
    const opened = within(time, 500, open(processes[0]!, [], { idTag: 16 }))
    await expect(opened).rejects.toThrow(/conflict-avoidance-tag=16 does not fit.*0 to 15/)
  })
})

it("The system clock gives strictly increasing microseconds close to the time of the machine", async () => {
  const clock: Clock = systemClock()
  let last = clock.now()
  expect(Math.abs(Number(last) / 1000 - Date.now())).toBeLessThan(1000)
  for (let i = 0; i < 10_000; i++) {
    const now = clock.now()
    expect(now > last).toBe(true)
    last = now
  }
  const begun = clock.elapsed()
  await clock.sleep(20)
  expect(clock.elapsed() - begun).toBeGreaterThanOrEqual(19)
})
