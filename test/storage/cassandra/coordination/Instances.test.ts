import { describe, expect, it } from "vitest"
import { CONFIGURATION_ROW } from "../../../../src/storage/cassandra/coordination/GlobalConfiguration.ts"
import { Instances, instanceName, legalName } from "../../../../src/storage/cassandra/coordination/Instances.ts"
import { dumpedCells } from "../../janusgraph/Fixtures.ts"
import { type SimulatedProcess, simulate } from "./Simulation.ts"

const network = () => ({ delay: () => 2 })
const DAY = 86_400_000

const instancesOf = (process: SimulatedProcess, told: Array<string> = []): Instances =>
  new Instances(process.columns, process.clock, process.name, {
    reregistered: () => told.push("reregistered"),
    failed: (error) => told.push(String(error))
  })

describe("Instances of a keyspace", () => {
  it("are registered in JanusGraph's format while they have the graph open, and list the others", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 2, skew: 0, network })
    const [first, second] = processes.map((process) => instancesOf(process))
    const log: Array<unknown> = []
    const work = async (): Promise<void> => {
      log.push(
        await first!.register(false),
        (await second!.register(false)).map(({ name }) => name)
      )
      log.push((await first!.list()).map(({ name }) => name))
      await first!.deregister()
      log.push(
        (await second!.list()).map(({ name }) => name),
        (await second!.others()).length
      )
    }
    const done = work()
    await time.run(1000)
    await done
    expect(log).toEqual([[], ["process-0"], ["process-0", "process-1"], ["process-1"], 0])
    const [cell] = keyspace.read({ table: "system_properties", key: CONFIGURATION_ROW })
    expect(Buffer.from(cell!.column).toString()).toBe("system-registration.process-1.startup-time")
    // An Instant: seconds as a long, nanoseconds as a number of variable length.
    expect(Buffer.from(cell!.value).toString("hex")).toMatch(/^c18000000065/)
  })

  it("are listed as JanusGraph 1.1 registered them", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 1, skew: 0, network })
    for (const { column, key, value } of dumpedCells("jgfmt.system_properties.csv")) {
      keyspace.apply([{ table: "system_properties", key, additions: [{ column, value }], deletions: [] }], 1n)
    }
    const listed = instancesOf(processes[0]!).list()
    await time.run(1000)
    expect(await listed).toEqual([{ name: "fmt-crashed-2", started: "2026-11-21T07:03:47.913112Z" }])
  })

  it("are refused a name that is taken, unless they replace it", async () => {
    const { processes, time } = simulate(1, { processes: 2, skew: 0, network })
    const [first, second] = processes as [SimulatedProcess, SimulatedProcess]
    const again = new Instances(second.columns, second.clock, first.name, { reregistered: () => {}, failed: () => {} })
    const work = async (): Promise<unknown> => {
      await instancesOf(first).register(false)
      const message = await again.register(false).catch((error: Error) => error.message)
      return [message, await again.register(true)]
    }
    const done = work()
    await time.run(1000)
    expect(await done).toEqual([
      expect.stringMatching(
        /already open in an instance named process-0, since 2023-.*graph.replace-instance-if-exists/
      ),
      []
    ])
  })

  it("that crash disappear after two minutes; those that run stay", async () => {
    const { processes, time } = simulate(1, { processes: 2, skew: 0, network })
    const [dead, living] = processes as [SimulatedProcess, SimulatedProcess]
    instancesOf(dead)
      .register(false)
      .catch(() => undefined)
    const instances = instancesOf(living)
    const registered = instances.register(false)
    await time.run(1000)
    await registered
    dead.columns.crashed = true
    const names = async (at: number): Promise<ReadonlyArray<string>> => {
      await time.run(at)
      const listed = instances.list()
      await time.run(at + 10)
      return (await listed).map(({ name }) => name)
    }
    expect(await names(60_000)).toEqual(["process-0", "process-1"])
    expect(await names(125_000)).toEqual(["process-1"])
    expect(await names(3_600_000)).toEqual(["process-1"])
  })

  it("can be closed by others, and are registered again while they run", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 2, skew: 0, network })
    const told: Array<string> = []
    const [first, second] = processes as [SimulatedProcess, SimulatedProcess]
    const alive = instancesOf(first, told)
    const closer = instancesOf(second)
    // A registration of JanusGraph, which has no TTL.
    const column = Buffer.from("system-registration.dead-one.startup-time")
    const value = dumpedCells("jgfmt.system_properties.csv").find(({ column }) => column.includes("crashed"))!.value
    const mutation = {
      table: "system_properties",
      key: CONFIGURATION_ROW,
      additions: [{ column, value }],
      deletions: []
    } as const
    keyspace.apply([mutation], 1n)
    const registered = alive.register(false)
    await time.run(1000)
    expect((await registered).map(({ name }) => name)).toEqual(["dead-one"])
    const work = async (): Promise<unknown> => {
      const now = BigInt(2_000_000_000_000_000)
      await closer.forceClose("dead-one", now)
      await closer.forceClose("process-0", now)
      return (await closer.list()).length
    }
    const done = work()
    await time.run(2000)
    expect(await done).toBe(0)
    await time.run(40_000)
    const listed = closer.list()
    await time.run(41_000)
    expect((await listed).map(({ name }) => name)).toEqual(["process-0"])
    expect(told).toEqual(["reregistered"])
  })

  it("whose registrations have all disappeared see each other before the next renewal", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 2, skew: 0, network })
    const told: Array<string> = []
    const both = processes.map((process) => instancesOf(process, told))
    for (const instances of both) instances.register(false).catch(() => undefined)
    await time.run(1000)
    const [mine, other] = keyspace.read({ table: "system_properties", key: CONFIGURATION_ROW })
    const deletions = [mine!.column, other!.column]
    const at = processes[0]!.clock.now()
    keyspace.apply([{ table: "system_properties", key: CONFIGURATION_ROW, additions: [], deletions }], at)
    let answered: number | undefined
    const begun = time.now
    const seen = Promise.all(both.map((instances) => instances.others())).then((all) => {
      answered = time.now - begun
      return all.map((others) => others.map(({ name }) => name))
    })
    await time.run(10_000)
    expect(await seen).toEqual([["process-1"], ["process-0"]])
    expect(told).toEqual(["reregistered", "reregistered"])
    // What an instance that saw nobody has begun to write without locks is complete by then.
    expect(answered).toBeGreaterThanOrEqual(1000)
  })

  it("write a registration that is missing once for all commits, and all of them wait", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 1, skew: 0, network })
    const [process] = processes as [SimulatedProcess]
    const told: Array<string> = []
    const instances = instancesOf(process, told)
    instances.register(false).catch(() => undefined)
    await time.run(1000)
    const [mine] = keyspace.read({ table: "system_properties", key: CONFIGURATION_ROW })
    const mutation = { table: "system_properties", key: CONFIGURATION_ROW, additions: [], deletions: [mine!.column] }
    keyspace.apply([{ ...mutation, table: "system_properties" }], process.clock.now())
    let written: number | undefined
    const { mutate } = process.columns
    process.columns.mutate = async (...given) => {
      await mutate.apply(process.columns, given)
      written ??= time.now
    }
    const ends: Array<number> = []
    const commits = Array.from({ length: 12 }, async (_, begin) => {
      await time.wait(begin)
      await instances.others()
      ends.push(time.now)
    })
    await time.run(10_000)
    await Promise.all(commits)
    expect(told).toEqual(["reregistered"])
    // What others began to write without locks, because they saw nobody, is complete by then.
    expect(Math.min(...ends) - written!).toBeGreaterThanOrEqual(1000)
    expect(Math.max(...ends) - written!).toBeLessThan(1100)
  })

  it("fail to list the others while their registration cannot be found", async () => {
    const { processes, time } = simulate(1, { processes: 1, skew: 0, network })
    const [process] = processes as [SimulatedProcess]
    const instances = instancesOf(process)
    instances.register(false).catch(() => undefined)
    await time.run(1000)
    process.columns.slice = async () => []
    const failed = expect(instances.others()).rejects.toThrow(/^The registration .* but not found when it was read/)
    await time.run(20_000)
    await failed
  })

  it("are not closed when they are this one, unknown, or started later", async () => {
    const { processes, time } = simulate(1, { processes: 2, skew: 0, network })
    const [first, second] = processes as [SimulatedProcess, SimulatedProcess]
    const instances = instancesOf(second)
    const asked = second.clock.now()
    const work = async (): Promise<unknown> => {
      await time.wait(500)
      await instancesOf(first).register(false)
      const names = ["process-0", "process-1", "nobody"]
      return Promise.all(names.map((name) => instances.forceClose(name, asked).catch((error: Error) => error.message)))
    }
    const done = work()
    await time.run(1000)
    expect(await done).toEqual([
      expect.stringMatching(/process-0 was started at 2023-.*so it runs/),
      expect.stringMatching(/process-1 is this server/),
      expect.stringMatching(/No instance named nobody/)
    ])
  })

  it("keep running when their registration cannot be renewed, and log it", async () => {
    const told: Array<string> = []
    const { processes, time } = simulate(1, { processes: 1, skew: 0, network })
    const [process] = processes as [SimulatedProcess]
    const instances = instancesOf(process, told)
    const registered = instances.register(false)
    await time.run(1000)
    await registered
    const { mutate } = process.columns
    process.columns.mutate = () => Promise.reject(new Error("no replica answers"))
    await time.run(40_000)
    expect(told).toEqual(["Error: no replica answers"])
    process.columns.mutate = mutate
    await time.run(2 * DAY)
    const listed = instances.list()
    await time.run(2 * DAY + 10)
    expect((await listed).length).toBe(1)
  })

  it("have names that JanusGraph accepts, a different one for each process", () => {
    const names = [instanceName(), instanceName()]
    expect(new Set(names).size).toBe(2)
    for (const name of names) expect(name).toMatch(/^[0-9a-f]{8}\d+-[\w-]+$/)
    expect(legalName("7f000001@host.example (1)")).toBe("7f000001-host-example--1-")
    const { processes } = simulate(1, { processes: 1, skew: 0, network })
    const [{ clock, columns }] = processes as [SimulatedProcess]
    const events = { reregistered: () => undefined, failed: () => undefined }
    expect(() => new Instances(columns, clock, "a.b", events)).toThrow(/'a.b'.*take 'a-b'/)
  })
})
