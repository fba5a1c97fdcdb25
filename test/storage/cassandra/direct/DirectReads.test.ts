import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { createServer, type Server, type Socket, connect as tcp } from "node:net"
import type { Client } from "cassandra-driver"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type RunningCluster, startCluster } from "../../../../bench/cluster/ClusterServer.ts"
import { connect } from "../../../../src/storage/cassandra/Connection.ts"
import { CqlColumns } from "../../../../src/storage/cassandra/CqlColumns.ts"
import { type CqlOptions, cqlDefaults } from "../../../../src/storage/cassandra/CqlOptions.ts"
import { CqlPages } from "../../../../src/storage/cassandra/CqlPages.ts"
import { type DriverHost, internalsOf, isUsable } from "../../../../src/storage/cassandra/direct/DriverInternals.ts"
import { prepareKeyspace } from "../../../../src/storage/cassandra/Keyspace.ts"
import { fetchAll } from "../../../../src/storage/cassandra/LargeFetch.ts"
import type { Page, SliceQuery } from "../../../../src/storage/janusgraph/cells/CellStore.ts"
import { CellCursor } from "../../../../src/storage/janusgraph/cells/Cells.ts"
import { countedClient, Sent } from "../CountedClient.ts"

const optionsOf = (port: number): CqlOptions => ({
  ...cqlDefaults,
  hosts: ["127.0.0.1"],
  port,
  keyspace: "direct",
  username: undefined,
  password: undefined,
  readOnly: false,
  tls: undefined,
  requestTimeout: 10_000
})

const keyOf = (row: number): Buffer => Buffer.from([0, 0, row])
const sliceOf = (row: number, limit?: number): SliceQuery => ({ table: "edgestore", key: keyOf(row), limit })

const text = ({ cells, more }: Page): string => {
  const found: Array<string> = []
  const cursor = new CellCursor().over(cells)
  while (cursor.next()) found.push(`${Buffer.from(cursor.column()).toString("hex")}:${cursor.value().length}`)
  return `${found.join()}${more ? "+" : ""}`
}

describe("Reads that bypass the driver", () => {
  let running: RunningCluster
  /** A port in front of the cluster, whose connections the test can cut. */
  let front: Server
  let open: Array<Socket> = []
  let client: Client
  let columns: CqlColumns
  let direct: CqlPages
  let throughDriver: CqlPages
  const executed: Array<string> = []

  beforeAll(async () => {
    running = await startCluster(0, 0)
    front = createServer((socket) => {
      const to = tcp(running.port, "127.0.0.1")
      for (const each of [socket, to]) {
        each.on("error", () => undefined)
        each.on("close", () => {
          socket.destroy()
          to.destroy()
        })
      }
      socket.pipe(to).pipe(socket)
      open.push(socket)
    })
    await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve))
    const options = optionsOf((front.address() as { readonly port: number }).port)
    client = await connect(options)
    const { batch, execute } = client
    Object.assign(client, {
      batch: (...given: Parameters<typeof batch>) => {
        executed.push("batch")
        return Reflect.apply(batch, client, given)
      },
      execute: (...given: Parameters<typeof execute>) => {
        executed.push(given[0])
        return Reflect.apply(execute, client, given)
      }
    })
    columns = new CqlColumns(client, options)
    const tables = await prepareKeyspace(client, options)
    direct = new CqlPages(columns, tables)
    throughDriver = new CqlPages(new CqlColumns(countedClient(client, new Sent()), options), tables)
    const mutations = Array.from({ length: 60 }, (_, row) => ({
      table: "edgestore" as const,
      key: keyOf(row),
      // Row 7 has several pages, and row 9 a value that arrives in many chunks.
      additions: Array.from({ length: row === 7 ? 2500 : row % 5 }, (_, i) => ({
        column: Buffer.from([i >> 8, i & 255]),
        value: Buffer.alloc(row === 9 ? 300_000 : i % 50, 1)
      })),
      deletions: []
    }))
    await columns.mutate(mutations, 1000n, "write")
  })
  afterEach(() => {
    executed.length = 0
  })
  afterAll(async () => {
    await columns.close()
    front.close()
    for (const socket of open) socket.destroy()
    await running.close()
  })

  it("use parts of the driver that its pinned version has", () => {
    const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"))
    expect(createRequire(import.meta.url)("cassandra-driver/package.json").version).toBe(
      dependencies["cassandra-driver"]
    )
    const internals = internalsOf(client)
    expect(internals).toBeDefined()
    const [host] = internals!.hosts.values() as ReadonlyArray<DriverHost>
    expect(host!.isUp()).toBe(true)
    expect(isUsable(host!.borrowConnection())).toBe(true)
  })

  const queries = [undefined, 1, 3, 256, 1000, 2499, 2500].flatMap((limit) =>
    Array.from({ length: 60 }, (_, row) => sliceOf(row, limit))
  )

  it("give the cells that the driver gives, in groups and alone, forwards and backwards", async () => {
    for (const reverse of [false, true]) {
      const asked = queries.map((query) => ({ ...query, reverse }))
      const expected = (await fetchAll(throughDriver, asked)).map(text)
      expect((await fetchAll(direct, asked)).map(text)).toEqual(expected)
      executed.length = 0
      expect((await fetchAll(direct, asked)).map(text)).toEqual(expected)
      // The driver has prepared all texts in the first round.
      expect(executed).toEqual([])
    }
  })

  it("are executed by the driver when the node does not know the statement any more", async () => {
    const expected = text(await direct.read(sliceOf(3)))
    running.cluster.forget()
    executed.length = 0
    expect(text(await direct.read(sliceOf(3)))).toBe(expected)
    expect(executed).toHaveLength(1)
    expect(text(await direct.read(sliceOf(3)))).toBe(expected)
    expect(executed).toHaveLength(1)
  })

  it("see what statements have written that bypass the driver, too", async () => {
    const write = async (row: number, values: ReadonlyArray<string>, time: bigint): Promise<string> => {
      const additions = values.map((value, i) => ({ column: Buffer.from([i + 5]), value: Buffer.from(value) }))
      const deletions = values.length > 1 ? [Buffer.from([0, 0])] : []
      await columns.mutate([{ table: "edgestore", key: keyOf(row), additions, deletions }], time, "write")
      return text(await direct.read(sliceOf(row)))
    }
    await write(100, ["a"], 2000n)
    await write(100, ["a", "b"], 2000n)
    executed.length = 0
    expect(await write(101, ["abc"], 2000n)).toBe("05:3")
    expect(await write(1, ["a", "", "abc"], 2000n)).toBe("05:1,06:0,07:3")
    expect(executed).toEqual([])
    running.cluster.forget()
    expect(await write(101, ["abcd"], 3000n)).toBe("05:4")
    expect(executed).not.toEqual([])
  })

  it("end when the connection is cut, and go on when the driver has a new one", async () => {
    const reads = Array.from({ length: 20 }, (_, row) => direct.read(sliceOf(row)))
    for (const socket of open) socket.destroy()
    open = []
    // Without another node, the driver may have nobody to ask.
    await Promise.allSettled(reads)
    await expect.poll(() => direct.read(sliceOf(3)).then(text, () => "")).toBe("0000:0,0001:1,0002:2")
    executed.length = 0
    await expect
      .poll(async () => {
        executed.length = 0
        await direct.read(sliceOf(3))
        return executed.length
      })
      .toBe(0)
  })
})
