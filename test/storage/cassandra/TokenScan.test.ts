import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type RunningCluster, startCluster } from "../../../bench/cluster/ClusterServer.ts"
import { connect } from "../../../src/storage/cassandra/Connection.ts"
import { CqlColumns } from "../../../src/storage/cassandra/CqlColumns.ts"
import { cqlDefaults } from "../../../src/storage/cassandra/CqlOptions.ts"
import { CqlPages } from "../../../src/storage/cassandra/CqlPages.ts"
import { prepareKeyspace } from "../../../src/storage/cassandra/Keyspace.ts"
import { TokenScan } from "../../../src/storage/cassandra/TokenScan.ts"
import type { RowPage, RowScan, Table } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { CellCursor } from "../../../src/storage/janusgraph/cells/Cells.ts"

/** Rows of the large table, and their cells: 13 pages. Row 7 has more cells than a scan reads. */
const ROWS = 4000
const CELLS = 3
const LONG_ROW = 7

const keyOf = (row: number): Buffer => Buffer.from([row >> 8, row & 255])
const nameOf = ({ key }: RowPage): string => Buffer.from(key).toString("hex")

const cellsOf = ({ cells }: RowPage): number => {
  let count = 0
  for (const cursor = new CellCursor().over(cells); cursor.next(); ) count++
  return count
}

const all = async (scan: RowScan, rows: number): Promise<ReadonlyArray<RowPage>> => {
  const found: Array<RowPage> = []
  for (let some = await scan.fetch(rows); some.length > 0; some = await scan.fetch(rows)) found.push(...some)
  return found
}

describe("A scan of a table in a cluster", () => {
  let running: RunningCluster
  let columns: CqlColumns
  let pages: CqlPages
  /** Pages that the scans of a test have read, those that were in flight at the same time, and the ranges. */
  const work = { reads: 0, inFlight: 0, most: 0, ranges: new Set<unknown>(), near: [] as (string | undefined)[] }

  beforeAll(async () => {
    running = await startCluster(0, 1)
    const options = {
      ...cqlDefaults,
      hosts: ["127.0.0.1"],
      port: running.port,
      keyspace: "scans",
      username: undefined,
      password: undefined,
      readOnly: false,
      tls: undefined
    }
    const client = await connect(options)
    columns = new CqlColumns(client, options)
    const tables = await prepareKeyspace(client, options)
    const rows = (table: Table, count: number) =>
      Array.from({ length: count }, (_, row) => ({
        table,
        key: keyOf(row),
        additions: Array.from({ length: row === LONG_ROW ? 1200 : CELLS }, (_, cell) => ({
          column: keyOf(cell),
          value: Buffer.alloc(1)
        })),
        deletions: []
      }))
    await columns.mutate([...rows("edgestore", ROWS), ...rows("graphindex", 5)], 1000n, "write")
    pages = new CqlPages(counted(columns), tables)
  })
  afterAll(async () => {
    await columns.close()
    await running.close()
  })

  const counted = (real: CqlColumns): CqlColumns => {
    const scanPage = async (...given: Parameters<CqlColumns["scanPage"]>) => {
      work.reads++
      work.ranges.add(given[2])
      const next = given[3]
      if (next !== undefined) work.near.push(next.after && Buffer.from(next.after).toString("hex"))
      work.most = Math.max(work.most, ++work.inFlight)
      try {
        return await real.scanPage(...given)
      } finally {
        work.inFlight--
      }
    }
    return new Proxy(real, {
      get: (target, name) => {
        if (name === "scanPage") return scanPage
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === "function" ? value.bind(target) : value
      }
    })
  }
  const reset = (): void => {
    Object.assign(work, { reads: 0, most: 0 })
    work.ranges.clear()
    work.near.length = 0
  }

  it("reads ranges of tokens side by side, and gives each row once", async () => {
    reset()
    const found = await all(new TokenScan(pages, "edgestore"), 100)
    expect(new Set(found.map(nameOf)).size).toBe(ROWS)
    expect(found).toHaveLength(ROWS)
    for (const page of found) {
      const isLong = nameOf(page) === keyOf(LONG_ROW).toString("hex")
      expect([cellsOf(page), page.more]).toEqual(isLong ? [1000, true] : [CELLS, false])
    }
    // The first statement reads one page; the others divide the rest.
    expect(work.ranges.size).toBeGreaterThan(3)
    expect(work.most).toBe(work.ranges.size - 1)
  })

  it("reads one page, and one ahead, for a reader that needs few rows", async () => {
    reset()
    const scan = new TokenScan(pages, "edgestore")
    expect(await scan.fetch(10)).toHaveLength(10)
    expect(work.reads).toBe(2)
  })

  it("reads one page, and none ahead, for a reader that needs few rows in order", async () => {
    reset()
    const scan = new TokenScan(pages, "edgestore", undefined, { after: undefined })
    expect(await scan.fetch(10)).toHaveLength(10)
    expect(work.reads).toBe(1)
    // A reader that goes on has its pages ahead.
    await scan.fetch(400)
    await expect.poll(() => work.reads).toBe(3)
  })

  it("reads each further page near the row that the page before it ended in", async () => {
    reset()
    const found = await all(new TokenScan(pages, "edgestore", undefined, { after: undefined }), 500)
    const names = new Set(found.map(nameOf))
    expect(work.near).toHaveLength(work.reads - 1)
    expect(new Set(work.near).size).toBe(work.reads - 1)
    expect(work.near.every((name) => name !== undefined && names.has(name))).toBe(true)
  })

  it("is one statement if the table has few rows", async () => {
    reset()
    expect(await all(new TokenScan(pages, "graphindex"), 100)).toHaveLength(5)
    expect(work.reads).toBe(1)
  })

  it("gives the rows in the order of their tokens, and goes on after a row, if its reader wants an order", async () => {
    reset()
    const found = (await all(new TokenScan(pages, "edgestore", undefined, { after: undefined }), 500)).map(nameOf)
    const tokens = found.map((name) => columns.tokenOf(Buffer.from(name, "hex"))!)
    expect(tokens.every((token, at) => at === 0 || token > tokens[at - 1]!)).toBe(true)
    expect(work.ranges.size).toBe(1)
    const rest = await all(
      new TokenScan(pages, "edgestore", undefined, { after: Buffer.from(found[999]!, "hex") }),
      500
    )
    expect(rest.map(nameOf)).toEqual(found.slice(1000))
  })

  it("sends no further statement when its reader has ended", async () => {
    let isOver = false
    const scan = new TokenScan(pages, "edgestore", () => isOver)
    await scan.fetch(500)
    await scan.fetch(500)
    isOver = true
    const before = running.cluster.work.reads
    await expect(all(scan, 100)).rejects.toThrow("the transaction that asked for it has ended")
    // Only the statements that were in flight arrive.
    expect(running.cluster.work.reads - before).toBeLessThanOrEqual(work.ranges.size)
  })
})
