import { describe, expect, it } from "vitest"
import { Generations } from "../../../../src/storage/cassandra/coordination/Generations.ts"
import { Instances } from "../../../../src/storage/cassandra/coordination/Instances.ts"
import { SchemaNews } from "../../../../src/storage/cassandra/coordination/SchemaNews.ts"
import { SystemLog } from "../../../../src/storage/cassandra/coordination/SystemLog.ts"
import { listQueries } from "../../../../src/storage/janusgraph/schema/SchemaRead.ts"
import { StorageUnavailable } from "../../../../src/structure/errors/StoreErrors.ts"
import type { Random } from "../../../fuzz/Random.ts"
import { withSeeds } from "../../../fuzz/Seeds.ts"
import { dumpedCells } from "../../janusgraph/Fixtures.ts"
import { type SimulatedProcess, simulate } from "./Simulation.ts"

const ACKNOWLEDGE_TIMEOUT_MS = 60_000
const network = (random: Random) => ({ delay: () => random.next() * 20 })

const logOf = (process: SimulatedProcess, buckets = 1): SystemLog =>
  new SystemLog(process.columns, process.clock, { instance: process.name, buckets, timeToLive: undefined })

/** A process that has the graph open, with transactions that use its schema. */
const join = (process: SimulatedProcess, answers = true) => {
  const told: Array<string> = []
  const failed = (error: unknown): void => void told.push(String(error))
  const instances = new Instances(process.columns, process.clock, process.name, {
    reregistered: () => undefined,
    failed
  })
  const schema = new Generations()
  const news = new SchemaNews(
    { columns: process.columns, clock: process.clock, log: logOf(process), instances },
    { changed: () => schema.advance(), renewed: () => schema.renewed(), failed },
    { interval: 5000, acknowledgeTimeout: ACKNOWLEDGE_TIMEOUT_MS, answers }
  )
  const opened = async (): Promise<void> => {
    if (answers) await instances.register(false)
    await news.start()
  }
  return { instances, schema, news, told, opened: opened() }
}

describe("The management log", () => {
  it("writes messages in JanusGraph's format", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 1, skew: 0, network })
    const log = logOf(processes[0]!)
    const sent = Promise.all([
      log.send({ kind: "eviction", eviction: 1, types: [3077, 13_321, 19_981] }),
      log.send({ kind: "acknowledgement", receiver: "fmt-writer-1", eviction: 1 })
    ])
    await time.run(100)
    await sent
    const slice = 1_700_000_000_000_000n / 100_000_000n
    const key = Buffer.from(`0000000000000000${slice.toString(16).padStart(8, "0")}`, "hex")
    const cells = keyspace.read({ table: "systemlog", key })
    // The values of the dump of a JanusGraph keyspace.
    expect(cells.map(({ value }) => Buffer.from(value).toString("hex"))).toEqual([
      "80818318856889011c8d81",
      "81a0666d742d7772697465722db181"
    ])
    expect(Buffer.from(cells[0]!.column).toString("hex")).toMatch(
      /^00060a24181e4\w{3}a070726f636573732db00000000000000001$/
    )
  })

  it("is read as JanusGraph 1.1 wrote it", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 1, skew: 0, network })
    const [{ clock, columns }] = processes as [SimulatedProcess]
    // The time of the dump.
    const dumped = dumpedCells("jgfmt.systemlog.csv")
    const written = dumped[0]!.column.readBigInt64BE(0)
    const log = new SystemLog(
      columns,
      { ...clock, now: () => clock.now() - 1_700_000_000_000_000n + written },
      { instance: "somebody", buckets: 1, timeToLive: undefined }
    )
    for (const { column, key, value } of dumped) {
      keyspace.apply([{ table: "systemlog", key, additions: [{ column, value }], deletions: [] }], 1n)
    }
    const received = log.receive()
    await time.run(100)
    expect(await received).toEqual([
      {
        sender: "fmt-writer-1",
        message: { kind: "eviction", eviction: 1, types: [3077, 13_321, 19_981] }
      },
      { sender: "fmt-writer-1", message: { kind: "acknowledgement", receiver: "fmt-writer-1", eviction: 1 } }
    ])
  })

  it("delivers every message to every other process once, also when clocks differ by a minute and writes take long", async () => {
    await withSeeds(20, async (seed) => {
      const slow = (random: Random) => ({ delay: () => random.next() * (random.chance(0.1) ? 10_000 : 20) })
      const { processes, time } = simulate(seed, { processes: 3, skew: 70_000, network: slow })
      const logs = processes.map((process) => logOf(process, 3))
      const received = processes.map((): Array<string> => [])
      let sent = 0
      for (const [number, process] of processes.entries()) {
        for (let at = 0; at < 30; at++) {
          // The messages spread over several rows of 100 seconds.
          time.at(3000 + process.random.next() * 250_000, () => {
            logs[number]!.send({ kind: "eviction", eviction: ++sent, types: [sent] }).catch(() => undefined)
          })
        }
        const poll = async (): Promise<void> => {
          while (time.now < 320_000) {
            for (const { message, sender } of await logs[number]!.receive()) {
              received[number]!.push(`${sender} ${message.eviction}`)
            }
            await time.wait(5000)
          }
        }
        poll().catch(() => undefined)
      }
      await time.run()
      for (const list of received) {
        expect(list.length).toBe(60)
        expect(new Set(list).size).toBe(60)
      }
    })
  })
})

describe("News of the schema", () => {
  it("is acknowledged by an instance once none of its transactions uses the older schema", async () => {
    const { processes, time } = simulate(1, { processes: 3, skew: 100, network })
    const [first, second, third] = processes.map((process) => join(process)) as [
      ReturnType<typeof join>,
      ReturnType<typeof join>,
      ReturnType<typeof join>
    ]
    await time.run(2000)
    const before = second.schema.number
    const endOld = third.schema.use()
    let known = 0
    first.news.announce([1029]).then(() => (known = time.now))
    await time.run(20_000)
    // Both instances have read it; one still has a transaction that began before.
    expect(second.schema.number).toBe(before + 1)
    expect(third.schema.number).toBe(before + 1)
    expect(known).toBe(0)
    const endNew = third.schema.use()
    endOld()
    await time.run(22_000)
    expect(known).toBeGreaterThan(20_000)
    endNew()
    expect([first.told, second.told, third.told]).toEqual([[], [], []])
  })

  it("fails with the names of the instances that have not acknowledged it", async () => {
    const { processes, time } = simulate(1, { processes: 3, skew: 0, network })
    const [first, , third] = processes.map((process) => join(process)) as ReadonlyArray<ReturnType<typeof join>>
    await time.run(2000)
    const end = third!.schema.use()
    const announced = first!.news.announce([1029]).then(
      () => "known",
      (error: Error) => `${error instanceof StorageUnavailable} ${error.message}`
    )
    await time.run(2000 + ACKNOWLEDGE_TIMEOUT_MS + 2000)
    expect(await announced).toMatch(/^true .*these instances have not acknowledged it: process-2\./)
    end()
    // An instance that is no longer registered is not waited for.
    third!.schema.use()
    const again = first!.news.announce([1029]).then(() => time.now)
    time.at(80_000, () => void third!.instances.deregister())
    await time.run(120_000)
    expect(await again).toBeGreaterThan(80_000)
  })

  it.for([
    ["succeeds after a time without answers of the store, which does not count", 58_000, "known"],
    ["fails with the error of the store when it does not answer for too long", 90_000, "no replica answers"]
  ] as const)("%s", async ([, outage, expected]) => {
    const { processes, time } = simulate(1, { processes: 2, skew: 0, network })
    const [writer, reader] = processes.map((process) => join(process)) as [
      ReturnType<typeof join>,
      ReturnType<typeof join>
    ]
    await time.run(2000)
    const { columns } = processes[0]!
    const { slice } = columns
    const end = reader.schema.use()
    const announced = writer.news.announce([1029]).then(
      () => "known",
      (error: Error) => error.message
    )
    await time.run(3000)
    columns.slice = () => Promise.reject(new StorageUnavailable("no replica answers"))
    time.at(3000 + outage, () => {
      columns.slice = slice
    })
    // Longer than an announcement waits, if the time without answers counted.
    time.at(2000 + ACKNOWLEDGE_TIMEOUT_MS + 5000, end)
    await time.run(150_000)
    expect(await announced).toBe(expected)
  })

  it("is not waited for after it could not be written", async () => {
    const { processes, time } = simulate(1, { processes: 2, skew: 0, network })
    const [writer] = processes.map((process) => join(process)) as [ReturnType<typeof join>]
    await time.run(2000)
    const { columns } = processes[0]!
    const { mutate } = columns
    columns.mutate = () => Promise.reject(new StorageUnavailable("no replica answers"))
    const announced = expect(writer.news.announce([1029])).rejects.toThrow("no replica answers")
    await time.run(10_000)
    await announced
    columns.mutate = mutate
    columns.requests.length = 0
    await time.run(60_000)
    const lists = columns.requests.filter(({ table }) => table === listQueries[0]!.table)
    // A poll every five seconds.
    expect(lists.length / listQueries.length).toBeLessThan(12)
  })

  it("takes no time when no other instance has the graph open", async () => {
    const { processes, time } = simulate(1, { processes: 1, skew: 0, network })
    const alone = join(processes[0]!)
    await time.run(1000)
    const { writes } = processes[0]!.columns
    const announced = alone.news.announce([1029]).then(() => time.now)
    await time.run(2000)
    expect(await announced).toBeLessThan(1100)
    expect(processes[0]!.columns.writes).toBe(writes)
  })

  it("arrives without a message for types that are new or removed", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 1, skew: 0, network })
    const [{ key, table }] = listQueries as unknown as [(typeof listQueries)[number]]
    const { schema } = join(processes[0]!)
    await time.run(20_000)
    expect(schema.number).toBe(1)
    const additions = [{ column: Buffer.from("00a0b0", "hex"), value: Buffer.from([1]) }]
    keyspace.apply([{ table, key, additions, deletions: [] }], 10n)
    await time.run(26_000)
    expect(schema.number).toBe(2)
    await time.run(60_000)
    expect(schema.number).toBe(2)
    keyspace.apply([{ table, key, additions: [], deletions: [additions[0]!.column] }], 20n)
    await time.run(66_000)
    expect(schema.number).toBe(3)
  })

  it("has all changes before the poll, also beside an earlier poll that is slow", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 1, skew: 0, network })
    const [process] = processes as [SimulatedProcess]
    const [{ key, table }] = listQueries as unknown as [(typeof listQueries)[number]]
    const { news, schema } = join(process)
    await time.run(1000)
    const { slice } = process.columns
    // The lists of the first poll arrive two seconds after they were read.
    process.columns.slice = async (...args) => {
      const columns = await slice.apply(process.columns, args)
      if (args[0].table === table) await time.wait(2000)
      return columns
    }
    const slow = news.poll()
    await time.run(1500)
    process.columns.slice = slice
    const additions = [{ column: Buffer.from("00a0b0", "hex"), value: Buffer.from([1]) }]
    keyspace.apply([{ table, key, additions, deletions: [] }], 10n)
    const known: Array<number> = []
    for (let i = 0; i < 3; i++) news.poll().then(() => known.push(schema.number))
    await time.run(4900)
    await slow
    expect(known).toEqual([2, 2, 2])
  })

  it("is not acknowledged by an instance that is not registered", async () => {
    const { processes, time } = simulate(1, { processes: 2, skew: 0, network })
    const writer = join(processes[0]!)
    const reader = join(processes[1]!, false)
    await time.run(1000)
    await writer.opened
    // JanusGraph sends it without reading the registrations.
    await Promise.all([logOf(processes[0]!).send({ kind: "eviction", eviction: 1, types: [5] }), time.run(12_000)])
    expect(reader.schema.number).toBe(2)
    expect(processes[1]!.columns.writes).toBe(0)
  })

  it("is read again after the store did not answer", async () => {
    const { keyspace, processes, time } = simulate(1, { processes: 1, skew: 0, network })
    const [process] = processes as [SimulatedProcess]
    const { schema, told } = join(process)
    await time.run(1000)
    const { slice } = process.columns
    process.columns.slice = () => Promise.reject(new Error("no replica answers"))
    const [{ key, table }] = listQueries as unknown as [(typeof listQueries)[number]]
    const additions = [{ column: Buffer.from("00a0b0", "hex"), value: Buffer.from([1]) }]
    keyspace.apply([{ table, key, additions, deletions: [] }], 10n)
    await time.run(7000)
    expect(told).toEqual(["Error: no replica answers"])
    expect(schema.number).toBe(1)
    process.columns.slice = slice
    await time.run(12_000)
    expect(schema.number).toBe(2)
  })

  it.for([
    ["reads the message but not the lists of types", "lists"],
    ["cannot write its acknowledgement", "acknowledgement"]
  ] as const)("is acknowledged by an instance that once %s", async ([, missing]) => {
    const { processes, time } = simulate(1, { processes: 2, skew: 0, network })
    const [writer, reader] = processes.map((process) => join(process)) as [
      ReturnType<typeof join>,
      ReturnType<typeof join>
    ]
    const { columns } = processes[1]!
    await time.run(2000)
    const { mutate, slice } = columns
    let isEvicted = false
    let failures = 0
    const fail = (): Promise<never> => {
      failures++
      return Promise.reject(new StorageUnavailable("no replica answers"))
    }
    columns.slice = async (...args) => {
      const [{ table }] = args
      if (missing === "lists" && isEvicted && table === listQueries[0]!.table && failures === 0) return fail()
      const found = await slice.apply(columns, args)
      if (table === "systemlog" && found.length > 0) isEvicted = true
      return found
    }
    columns.mutate = (...args) =>
      missing === "acknowledgement" && args[0][0]!.table === "systemlog" && failures === 0
        ? fail()
        : mutate.apply(columns, args)
    const before = reader.schema.number
    const announced = writer.news.announce([1029]).then(
      () => "known",
      (error: Error) => error.message
    )
    await time.run(2000 + ACKNOWLEDGE_TIMEOUT_MS + 2000)
    expect(failures).toBe(1)
    expect(await announced).toBe("known")
    expect(reader.schema.number).toBe(before + 1)
    expect(reader.told).toEqual([expect.stringContaining("no replica answers")])
  })

  it("does not take acknowledgements of an earlier process with the same name for its own", async () => {
    const { processes, time } = simulate(1, { processes: 2, skew: 0, network })
    const [process, neighbour] = processes as [SimulatedProcess, SimulatedProcess]
    const log: Array<string> = []
    const work = async (): Promise<void> => {
      const [first, other] = [join(process), join(neighbour)]
      await first.opened
      await other.opened
      await first.news.announce([1])
      await first.news.close()
      await first.instances.deregister()
      const again = join(process)
      await again.opened
      const end = other.schema.use()
      const announced = again.news.announce([2]).then(() => log.push("acknowledged"))
      await time.wait(20_000)
      log.push("the transaction ends")
      end()
      await announced
    }
    const done = work()
    await time.run(90_000)
    await done
    expect(log).toEqual(["the transaction ends", "acknowledged"])
  })
})
