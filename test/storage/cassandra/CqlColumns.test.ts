import { describe, expect, it } from "vitest"
import type { Consistency } from "../../../src/storage/cassandra/ColumnStore.ts"
import type { CqlOptions } from "../../../src/storage/cassandra/CqlOptions.ts"
import { neverOver, promiseOf } from "../../../src/storage/cassandra/Reader.ts"
import { sliceOf } from "../../../src/storage/janusgraph/cells/Slices.ts"
import { FakeCluster } from "./FakeCluster.ts"

const KEY = Buffer.from("a key")
const OTHER_KEY = Buffer.from("another key")
const slice = sliceOf("edgestore", KEY, Buffer.from([0]), Buffer.from([9]), 10)

const additions = [{ column: Buffer.from([1]), value: Buffer.from([1]) }]
const mutation = (key: Buffer) => ({ table: "edgestore", key, additions, deletions: [] }) as const

describe("The consistency level of a statement", () => {
  /** The level of every kind of statement. */
  const levels = async (options: Partial<CqlOptions>, consistency: Consistency): Promise<ReadonlyArray<string>> => {
    const cluster = new FakeCluster()
    const received: NonNullable<FakeCluster["received"]> = []
    cluster.received = received
    const columns = cluster.columns(options)
    await columns.slice(slice, consistency)
    await columns.timedSlice(slice, consistency)
    const several = { query: slice, keys: [KEY, OTHER_KEY], cells: 10 }
    await promiseOf((reader) => columns.slices(several, consistency, undefined, reader), neverOver)
    await columns.mutate([mutation(KEY)], 1n, consistency)
    // One statement for several cells is a batch.
    await columns.mutate([{ ...mutation(KEY), deletions: [Buffer.from([2])] }], 3n, consistency)
    expect(received.map(({ kind }) => kind).join(" ")).toBe("read read read write write write")
    return [...new Set(received.map((each) => String(each.consistency)))]
  }

  const options = { readConsistency: "ONE", writeConsistency: "TWO" } as const
  const cases: ReadonlyArray<readonly [Consistency, string, Partial<CqlOptions>]> = [
    ["read", "one", options],
    ["write", "two", options],
    ["system", "quorum", options],
    ["newest", "quorum", options],
    ["schema", "quorum", options],
    ["schema", "localQuorum", { ...options, localSystemOperations: true }],
    ["schema", "three", { ...options, writeConsistency: "THREE", localSystemOperations: true }],
    ["schema", "eachQuorum", { ...options, writeConsistency: "EACH_QUORUM" }],
    ["system", "localQuorum", { ...options, localSystemOperations: true }],
    ["newest", "localQuorum", { ...options, localSystemOperations: true }],
    ["system", "quorum", { readConsistency: "ALL", writeConsistency: "ALL" }],
    ["newest", "all", { readConsistency: "ALL", writeConsistency: "ANY", localSystemOperations: true }]
  ]
  it.each(cases)("of the kind %s is %s with the options %j", async (consistency, level, given) => {
    expect(await levels(given, consistency)).toEqual([level])
  })

  it("of a scan and of a time to live is that of reads", async () => {
    const cluster = new FakeCluster()
    cluster.received = []
    const columns = cluster.columns({ ...options, localSystemOperations: true })
    await columns.scanPage("edgestore", 10, "all")
    await columns.secondsLeft("edgestore", KEY, Buffer.from([1]))
    const read = { table: "edgestore", kind: "read", consistency: "one" }
    expect(cluster.received).toEqual([read, read])
  })
})

describe("A mutation", () => {
  it("is atomic if one request has all its changes", async () => {
    for (const [cells, bytes] of [
      [20, 1],
      [21, 1],
      [2, 1_000_000]
    ] as const) {
      const cluster = new FakeCluster()
      const columns = cluster.columns({})
      const many = Array.from({ length: cells }, (_, at) => ({ column: Buffer.from([at]), value: Buffer.alloc(bytes) }))
      const before = cluster.requests
      await columns.mutate([{ ...mutation(KEY), additions: many }], 1n, "system")
      expect(columns.isAtomic({ ...mutation(KEY), additions: many })).toBe(cluster.requests - before === 1)
      expect(columns.isAtomic({ ...mutation(KEY), additions: many })).toBe(cells === 20)
    }
  })
})
