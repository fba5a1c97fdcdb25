import { describe, expect, it } from "vitest"
import {
  CONFIGURATION_ROW,
  type GlobalOptions,
  keyspaceSettings,
  openGlobalOptions,
  readGlobalOptions
} from "../../../../src/storage/cassandra/coordination/GlobalConfiguration.ts"
import { Locks } from "../../../../src/storage/cassandra/coordination/Locks.ts"
import { writeAny } from "../../../../src/storage/janusgraph/format/Attributes.ts"
import { ByteWriter } from "../../../../src/storage/janusgraph/format/ByteWriter.ts"
import { javaEnum } from "../../../../src/storage/janusgraph/format/EnumAttributes.ts"
import { StorageUnavailable } from "../../../../src/structure/errors/StoreErrors.ts"
import { Duration } from "../../../../src/structure/times/Temporal.ts"
import { withSeeds } from "../../../fuzz/Seeds.ts"
import { dumpedCells } from "../../janusgraph/Fixtures.ts"
import { type SimulatedKeyspace, type SimulatedProcess, simulate } from "./Simulation.ts"

const wanted = { partitionBits: 5, idBlockSize: 10_000, userVertexIds: false, textVertexIds: false }
const quick = { processes: 1, skew: 0, network: () => ({ delay: () => 1 }) }

const put = (keyspace: SimulatedKeyspace, options: Iterable<readonly [string, unknown]>): void => {
  const additions = [...options].map(([name, value]) => {
    const writer = new ByteWriter()
    writeAny(writer, value)
    return { column: Buffer.from(name), value: writer.copy() }
  })
  keyspace.apply([{ table: "system_properties", key: CONFIGURATION_ROW, additions, deletions: [] }], 1n)
}

const open = (
  { clock, columns, name }: SimulatedProcess,
  more: Partial<typeof wanted> = {}
): Promise<GlobalOptions> => {
  const locks = new Locks(columns, clock, { instance: name, wait: 100, expiry: 300_000, retries: 3 })
  return openGlobalOptions(columns, clock, locks, { ...wanted, ...more })
}

const of = (options: Readonly<Record<string, unknown>>) =>
  keyspaceSettings(new Map(Object.entries({ "graph.storage-version": "2", ...options })), "the keyspace")

describe("The options that all instances of a keyspace share", () => {
  it("are read as JanusGraph 1.1 wrote them", async () => {
    for (const [name, textIds] of [
      ["jgfmt", false],
      ["jgstr", true]
    ] as const) {
      const { keyspace, processes, time } = simulate(1, quick)
      for (const { column, key, value } of dumpedCells(`${name}.system_properties.csv`)) {
        keyspace.apply([{ table: "system_properties", key, additions: [{ column, value }], deletions: [] }], 1n)
      }
      const opened = open(processes[0]!)
      await time.run()
      const options = await opened
      expect(options.get("graph.janusgraph-version")).toBe("1.1.0")
      expect(keyspaceSettings(options, "the keyspace")).toEqual({
        partitionBits: 5,
        userVertexIds: textIds,
        textVertexIds: textIds,
        idBlockSize: 10_000,
        idWait: 300,
        idTagBits: 4,
        idTagMode: "none",
        lockWait: 100,
        lockRetries: 3,
        lockExpiry: 300_000,
        logBuckets: 1,
        logTimeToLive: undefined,
        logsTransactions: true,
        transactionLog: { buckets: 1, partitionBits: 2, timeToLive: 604_800 },
        userLog: { buckets: 1, partitionBits: 2, timeToLive: undefined },
        notices: []
      })
    }
  })

  it("configure claims of ids, locks and the management log", () => {
    const settings = of({
      "cluster.max-partitions": 64,
      "ids.block-size": 500,
      "ids.authority.wait-time": new Duration(1n, 500_000_000),
      "ids.authority.conflict-avoidance-mode": javaEnum("ConflictAvoidanceMode", "GLOBAL_AUTO"),
      "ids.authority.conflict-avoidance-tag-bits": 8,
      "storage.lock.wait-time": new Duration(0n, 250_000_000),
      "storage.lock.expiry-time": new Duration(60n, 0),
      "storage.lock.retries": 5,
      "log.janusgraph.num-buckets": 4,
      "log.janusgraph.ttl": new Duration(86_400n, 0)
    })
    expect(settings).toMatchObject({
      partitionBits: 6,
      idBlockSize: 500,
      idWait: 1500,
      idTagMode: "random",
      idTagBits: 8,
      lockWait: 250,
      lockExpiry: 60_000,
      lockRetries: 5,
      logBuckets: 4,
      logTimeToLive: 86_400
    })
  })

  const refused: ReadonlyArray<readonly [options: Record<string, unknown>, why: RegExp]> = [
    [{ "graph.storage-version": "3" }, /graph.storage-version=3; only 2 can be served/],
    [{ "graph.storage-version": undefined }, /graph.storage-version=1; only 2 can be served/],
    [{ "graph.timestamps": javaEnum("TimestampProviders", "MILLI") }, /graph.timestamps=MILLI; only MICRO/],
    [{ "ids.store-name": "titan_ids" }, /ids.store-name=titan_ids; only janusgraph_ids/],
    [{ "storage.lock.backend": "astyanaxrecipe" }, /storage.lock.backend=astyanaxrecipe/],
    [{ "cluster.max-partitions": 33 }, /cluster.max-partitions=33; it must be a power of two/],
    [{ "ids.block-size": "many" }, /ids.block-size=many; that is not a value of this option/],
    [{ "ids.authority.conflict-avoidance-tag-bits": 17 }, /tag-bits=17; the maximum is 16/]
  ]
  for (const [options, why] of refused) {
    it(`are refused with advice: ${Object.keys(options)[0]}=${Object.values(options)[0]}`, () => {
      const given = new Map(Object.entries({ "graph.storage-version": "2", ...options }).filter(([, value]) => value))
      expect(() => keyspaceSettings(given, "the keyspace")).toThrow(why)
      expect(() => keyspaceSettings(given, "the keyspace")).toThrow(/the keyspace.*Open it with JanusGraph/)
    })
  }

  it("are read even when some values need Java classes of the user", async () => {
    const { keyspace, processes, time } = simulate(1, quick)
    put(keyspace, [
      ["graph.storage-version", "2"],
      ["hidden.frozen", true],
      ["attributes.custom.attribute1.attribute-class", "org.example.Special"],
      ["index.search.backend", "elasticsearch"]
    ])
    const additions = [{ column: Buffer.from("special"), value: Buffer.from("01e4ff", "hex") }]
    keyspace.apply([{ table: "system_properties", key: CONFIGURATION_ROW, additions, deletions: [] }], 1n)
    const opened = open(processes[0]!)
    await time.run()
    const { notices } = keyspaceSettings(await opened, "the keyspace")
    expect(notices).toEqual([
      expect.stringMatching(/attribute1.attribute-class: this server cannot decode values of Java classes/)
    ])
  })

  it("of a new keyspace are written by one of several processes that start at the same time", async () => {
    await withSeeds(20, async (seed) => {
      const network = (random: { next(): number }) => ({ delay: () => random.next() * 20 })
      const { processes, time } = simulate(seed, { processes: 4, skew: 40, network })
      // Each process asks for another size: all must use the same one.
      const opened = processes.map((process, number) => open(process, { idBlockSize: 100 + number }))
      await time.run()
      const sizes = (await Promise.all(opened)).map((options) => options.get("ids.block-size"))
      expect(new Set(sizes).size).toBe(1)
      const read = readGlobalOptions(processes[0]!.columns)
      await time.run()
      expect((await read).get("ids.block-size")).toBe(sizes[0])
    })
  })

  it("are JanusGraph's while it creates the keyspace", async () => {
    const { keyspace, processes, time } = simulate(1, quick)
    put(keyspace, [["graph.storage-version", "2"]])
    time.at(1000, () =>
      put(keyspace, [
        ["cluster.max-partitions", 4],
        ["hidden.frozen", true]
      ])
    )
    const opened = open(processes[0]!)
    await time.run()
    expect((await opened).get("cluster.max-partitions")).toBe(4)
  })

  it("do not count as complete when one of the batches that write them fails", async () => {
    const { processes, time } = simulate(1, quick)
    const [process] = processes as [SimulatedProcess]
    const { columns } = process
    columns.isAtomic = () => false
    const mutate = columns.mutate.bind(columns)
    // A mutation of many options leaves in batches, side by side.
    columns.mutate = async (mutations, timestamp, consistency) => {
      for (const mutation of mutations) {
        const parts = mutation.additions.map((each) => ({ ...mutation, additions: [each] }))
        await mutate(
          parts.filter(({ additions: [each] }) => Buffer.from(each!.column).toString() !== "ids.block-size"),
          timestamp,
          consistency
        )
        if (parts.length > 1) throw new StorageUnavailable("no replica answers")
      }
    }
    const opened = open(process, { idBlockSize: 100 }).catch((error: Error) => error.message)
    await time.run()
    expect(await opened).toContain("no replica answers")
    const read = readGlobalOptions(columns)
    await time.run()
    const options = await read
    expect(options.get("graph.storage-version")).toBe("2")
    expect(options.has("ids.block-size")).toBe(false)
    expect(options.has("hidden.frozen")).toBe(false)
  })

  it("are written with their mark in one batch if they fit into one", async () => {
    for (const isAtomic of [true, false]) {
      const { processes, time } = simulate(1, quick)
      const [process] = processes as [SimulatedProcess]
      const { columns } = process
      columns.isAtomic = () => isAtomic
      const marked: Array<number> = []
      const mutate = columns.mutate.bind(columns)
      columns.mutate = (mutations, timestamp, consistency) => {
        for (const { additions, table } of mutations) if (table === "system_properties") marked.push(additions.length)
        return mutate(mutations, timestamp, consistency)
      }
      const opened = open(process)
      await time.run()
      expect((await opened).get("hidden.frozen")).toBe(true)
      expect(marked).toEqual(isAtomic ? [4] : [3, 1])
    }
  })

  it("are completed when the process that began to write them was interrupted", async () => {
    const { keyspace, processes, time } = simulate(1, quick)
    put(keyspace, [["graph.storage-version", "2"]])
    const opened = open(processes[0]!, { idBlockSize: 100 })
    await time.run(9000)
    expect(processes[0]!.columns.writes).toBe(0)
    await time.run()
    expect((await opened).get("hidden.frozen")).toBe(true)
    expect((await opened).get("ids.block-size")).toBe(100)
    const read = readGlobalOptions(processes[0]!.columns)
    await time.run()
    expect(await read).toEqual(await opened)
  })

  it("are refused when they are incomplete and this process would write others", async () => {
    const { keyspace, processes, time } = simulate(1, quick)
    put(keyspace, [
      ["graph.storage-version", "2"],
      ["graph.set-vertex-id", true]
    ])
    const opened = open(processes[0]!, {}).catch((error: Error) => error.message)
    await time.run()
    expect(await opened).toMatch(/are incomplete.*has other options.*drop the empty keyspace/)
    expect(processes[0]!.columns.writes).toBe(0)
  })

  it("are refused when they are incomplete while another process holds their lock", async () => {
    const { keyspace, processes, time } = simulate(1, { ...quick, processes: 2 })
    put(keyspace, [["graph.storage-version", "2"]])
    const [first, second] = processes as [SimulatedProcess, SimulatedProcess]
    const { clock, columns, name } = second
    const locks = new Locks(columns, clock, { instance: name, wait: 100, expiry: 300_000, retries: 3 })
    const mark = { table: "system_properties", key: CONFIGURATION_ROW, column: Buffer.from("hidden.frozen") } as const
    void locks.during([{ ...mark, expected: undefined }], () => clock.sleep(60_000))
    const opened = open(first).catch((error: Error) => error.message)
    await time.run()
    expect(await opened).toMatch(/are incomplete.*holds the lock of hidden.frozen.*storage.lock.expiry-time/)
  })

  it("are not written if no server could serve them", async () => {
    const { processes, time } = simulate(1, quick)
    const [{ columns }] = processes as [SimulatedProcess]
    const opened = open(processes[0]!, { partitionBits: 0 }).catch((error: Error) => error.message)
    await time.run()
    expect(await opened).toContain("cluster.max-partitions=1; it must be a power of two from 2 to 65536")
    expect(columns.writes).toBe(0)
  })

  it("are not written by a read-only graph", async () => {
    const { processes, time } = simulate(1, quick)
    const [{ clock, columns }] = processes as [SimulatedProcess]
    const locks = new Locks(columns, clock, { instance: "a", wait: 100, expiry: 300_000, retries: 3 })
    const opened = openGlobalOptions(columns, clock, locks, undefined).catch((error: Error) => error.message)
    await time.run()
    expect(await opened).toMatch(/no graph in the simulated keyspace yet.*storage.read-only/)
    expect(columns.writes).toBe(0)
  })
})
