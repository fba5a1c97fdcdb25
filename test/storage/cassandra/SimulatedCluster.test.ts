import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Work } from "../../../bench/cluster/Cluster.ts"
import { type RunningCluster, startCluster } from "../../../bench/cluster/ClusterServer.ts"
import { connect } from "../../../src/storage/cassandra/Connection.ts"
import { CqlColumns } from "../../../src/storage/cassandra/CqlColumns.ts"
import { type CqlOptions, cqlDefaults } from "../../../src/storage/cassandra/CqlOptions.ts"
import { CqlStore } from "../../../src/storage/cassandra/CqlStore.ts"
import { systemClock } from "../../../src/storage/cassandra/coordination/Clock.ts"
import { openCoordination } from "../../../src/storage/cassandra/coordination/Coordination.ts"
import { coordinationDefaults } from "../../../src/storage/cassandra/coordination/CoordinationOptions.ts"
import { prepareKeyspace } from "../../../src/storage/cassandra/Keyspace.ts"
import { neverOver, promiseOf } from "../../../src/storage/cassandra/Reader.ts"
import { type RowBlock, RowCursor } from "../../../src/storage/cassandra/RowBlock.ts"
import { patience } from "../../Limits.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { countedClient, Sent } from "./CountedClient.ts"
import { NEWS_INTERVAL_MS, statementTests, withoutRenewal } from "./StatementTests.ts"

/** The simulated cluster of the benchmarks, through the driver and a socket. */
let running: RunningCluster

beforeAll(async () => {
  running = await startCluster(0, 0)
})

afterAll(() => running.close())

const optionsOf = (keyspace: string): CqlOptions => ({
  ...cqlDefaults,
  hosts: ["127.0.0.1"],
  port: running.port,
  keyspace,
  username: undefined,
  password: undefined,
  readOnly: false,
  tls: undefined
})

/** With `sent`, all statements go through the driver, which counts them. */
const columnsIn = async (keyspace: string, sent?: Sent): Promise<[CqlColumns, ReadonlySet<string>]> => {
  const options = optionsOf(keyspace)
  const connected = await connect(options)
  const client = sent === undefined ? connected : countedClient(connected, sent)
  return [new CqlColumns(client, options), await prepareKeyspace(client, options)]
}

/** What the cluster has received, also of statements that bypass the driver. */
class Received {
  #before: Work = { reads: 0, rows: 0, cells: 0, writes: 0, written: 0 }

  clear(): void {
    this.#before = running.cluster.work
  }

  get reads(): number {
    return running.cluster.work.reads - this.#before.reads
  }

  get rows(): number {
    return running.cluster.work.rows - this.#before.rows
  }

  get writes(): number {
    return running.cluster.work.writes - this.#before.writes
  }
}

const received = new Received()

const rowsIn = (block: RowBlock) => {
  const rows: Array<{ readonly key: Buffer; readonly column: Uint8Array }> = []
  for (const cursor = new RowCursor(block, true); cursor.next(); ) {
    rows.push({ key: Buffer.from(cursor.key()), column: cursor.cell().column })
  }
  return rows
}

const silent = {
  others: () => undefined,
  notice: () => undefined,
  reregistered: () => undefined,
  failed: () => undefined,
  unlogged: () => undefined
}

describe("Over the simulated cluster of the benchmarks", () => {
  statementTests(async () => {
    // Without a counting client: statements bypass the driver, as in a server.
    const [columns, tables] = await columnsIn("statements")
    const clock = systemClock()
    const coordination = await openCoordination({
      columns,
      wanted: { partitionBits: 5, idBlockSize: 10_000, userVertexIds: false, textVertexIds: false },
      options: { ...coordinationDefaults, newsInterval: NEWS_INTERVAL_MS },
      events: silent,
      writesLast: columns.requestTimeout,
      clock: { ...clock, sleep: withoutRenewal(clock.sleep) }
    })
    return cellGraph(new CqlStore(columns, tables, coordination))
  }, received)

  it("counts the statements and rows that the driver has sent", async () => {
    const sent = new Sent()
    const [columns] = await columnsIn("counts", sent)
    const before = running.cluster.work
    const keys = [Buffer.from("a"), Buffer.from("b"), Buffer.from("none")]
    const mutation = (key: Buffer) => ({
      table: "edgestore" as const,
      key,
      additions: [1, 2, 3].map((n) => ({ column: Buffer.from([n]), value: Buffer.from([n, n]) })),
      deletions: []
    })
    await columns.mutate(keys.slice(0, 2).map(mutation), 1000n, "write")
    sent.clear()
    const several = { query: { table: "edgestore", key: keys[0]! }, keys, cells: 2 } as const
    const block = await promiseOf<RowBlock>((reader) => columns.slices(several, "read", undefined, reader), neverOver)
    const names = rowsIn(block).map(({ column, key }) => `${key}${column[0]}`)
    expect(names).toEqual(["a1", "a2", "b1", "b2"])
    const { cells, reads, rows: read, writes } = running.cluster.work
    expect([reads - before.reads, read - before.rows, cells - before.cells]).toEqual([sent.reads, sent.rows, 4])
    expect(writes - before.writes).toBe(2)
    await columns.close()
  })

  it("answers slices in pages, in both directions, and scans rows in the order of their tokens", async () => {
    const [columns] = await columnsIn("pages")
    const numbered = (n: number): Buffer => Buffer.from([n >> 8, n & 255])
    const additions = Array.from({ length: 2500 }, (_, n) => ({ column: numbered(n), value: Buffer.alloc(0) }))
    await columns.mutate([{ table: "edgestore", key: numbered(1), additions, deletions: [] }], 1000n, "write")
    const others = Array.from({ length: 20 }, (_, n) => ({
      table: "edgestore" as const,
      key: numbered(n + 2),
      additions: [{ column: numbered(n), value: numbered(n) }],
      deletions: []
    }))
    await columns.mutate(others, 1000n, "write")
    const key = numbered(1)
    expect(await columns.slice({ table: "edgestore", key }, "read")).toHaveLength(2500)
    const range = { start: numbered(10), end: numbered(20) }
    const reverse = await columns.slice({ table: "edgestore", key, ...range, reverse: true, limit: 3 }, "read")
    expect(reverse.map(({ column }) => column[1])).toEqual([19, 18, 17])
    const seen: Array<string> = []
    for (let next: Buffer | undefined, more = true; more; more = next !== undefined) {
      const page = await columns.scanPage("edgestore", 1000, "all", next && { state: next, after: undefined })
      for (const { key } of rowsIn(page)) if (seen.at(-1) !== key.toString("hex")) seen.push(key.toString("hex"))
      next = page.next
    }
    expect(seen).toHaveLength(21)
    const rest = await columns.scanPage("edgestore", 1, { after: Buffer.from(seen[10]!, "hex") })
    expect(rowsIn(rest).map(({ key }) => key.toString("hex"))).toEqual(seen.slice(11))
    await columns.close()
  })

  it("keeps the newest value of a cell, removes what is older than a removal, and lets cells expire", async () => {
    const [columns] = await columnsIn("times")
    const key = Buffer.from("k")
    const [a, b] = [Buffer.from("a"), Buffer.from("b")]
    const add = (column: Buffer, value: string, time: bigint, ttl = 0) =>
      columns.mutate(
        [{ table: "edgestore", key, additions: [{ column, value: Buffer.from(value), ttl }], deletions: [] }],
        time,
        "write"
      )
    const values = async () =>
      (await columns.timedSlice({ table: "edgestore", key }, "read")).map(({ value, written }) => `${value}@${written}`)
    await add(a, "new", 2001n)
    await add(a, "old", 1001n)
    await add(b, "brief", 1001n, Math.ceil(patience))
    expect(await values()).toEqual(["new@2001", "brief@1001"])
    await columns.mutate([{ table: "edgestore", key, additions: [], deletions: [a] }], 1500n, "write")
    await expect.poll(values).toEqual(["new@2001"])
    await columns.mutate([{ table: "edgestore", key, additions: [], deletions: [a] }], 3000n, "write")
    expect(await values()).toEqual([])
    await columns.close()
  })
})
