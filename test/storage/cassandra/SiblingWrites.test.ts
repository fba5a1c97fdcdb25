import { setTimeout as pause } from "node:timers/promises"
import { describe, expect, it, onTestFinished } from "vitest"
import { WRITE_ENTRIES } from "../../../src/layers/workers/RegionLayout.ts"
import { reclaim } from "../../../src/layers/workers/Slots.ts"
import { endHeld, WriteTable } from "../../../src/layers/workers/WriteTable.ts"
import { rowName } from "../../../src/storage/cassandra/CqlBatch.ts"
import { SiblingWrites } from "../../../src/storage/cassandra/SiblingWrites.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { newRegion } from "../../layers/workers/Regions.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { FakeCluster } from "./FakeCluster.ts"
import { findingsOf } from "./Findings.ts"
import { insist, request, siblingTests } from "./SiblingTests.ts"

/** The graphs of two workers of a server, over one cluster whose writes take some milliseconds. */
const server = async () => {
  const { region } = await newRegion(2)
  const cluster = new FakeCluster()
  const writes = [new WriteTable(region, 0), new WriteTable(region, 1)] as const
  const open = async (worker: 1 | 2): Promise<CellGraph> => {
    const identity = { server: "one", worker, writes: writes[worker - 1]! }
    const graph = await cellGraph(await cluster.store({}, undefined, { worker: identity }))
    onTestFinished(() => graph.close())
    return graph
  }
  const graphs = [await open(1), await open(2)] as const
  cluster.weather = async (statement) => {
    if (!statement.startsWith("SELECT")) await pause(Math.random() * 5)
  }
  return { cluster, graphs, region, writes }
}

/** Time in which a commit that does not wait for another one is done, ms. */
const SOON_MS = 300

describe("Two workers of a server over a cluster", () => {
  siblingTests(async () => (await server()).graphs)

  it("do not read the schema again because the other has changed data", async () => {
    const { graphs, writes } = await server()
    const [{ core }] = graphs
    const known = core.cells.snapshot().schemaVersion
    for (let part = 0; part < WRITE_ENTRIES; part++) {
      writes[1].begin([part])
      writes[1].end([part], true)
    }
    expect(core.cells.snapshot().schemaVersion).toBe(known)
  })
})

describe("A worker of a server that dies while it commits", () => {
  it("has removed a vertex before others add edges to it, although the statement arrives late", async () => {
    const { cluster, graphs, region } = await server()
    const [one, other] = graphs
    await insist(one, "g.addV('hub').as('hub').addV('x').addE('to').from('hub')")
    const [hub] = await insist(one, "g.addV('hub').id()")
    let arrive: () => void = () => undefined
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve
    })
    let isSent = false
    cluster.weather = async (statement) => {
      if (!/DELETE .*edgestore/.test(statement)) return
      isSent = true
      await arrival
    }
    const removing = request(one, `g.V(${hub}).drop()`)
    await expect.poll(() => isSent).toBe(true)
    const held = reclaim(region, 0)
    const adding = request(other, `g.V(${hub}).as('hub').addV('x').addE('to').from('hub')`)
    await Promise.race([adding, pause(SOON_MS)])
    arrive()
    await removing
    endHeld(region, held)
    expect(await adding).toBeUndefined()
    expect(await findingsOf(other)).toEqual([])
  })
})

describe("A commit that gives way to a write of another worker", () => {
  const row = { row: "edgestore 1", start: Buffer.of(1), end: Buffer.of(2) }
  const all = Array.from({ length: WRITE_ENTRIES }, (_, part) => part)

  const waiting = async () => {
    const { region } = await newRegion(2)
    const other = new WriteTable(region, 1)
    const siblings = new SiblingWrites(new WriteTable(region, 0), "keyspace", 0, () => undefined)
    other.begin(all)
    const read = siblings.see(row)
    const found = { other, hasEnded: false, end: siblings.giveWay([read]) }
    void found.end.then(() => {
      found.hasEnded = true
    })
    return found
  }

  it("waits as long as the write lasts", async () => {
    const found = await waiting()
    await pause(500)
    expect(found.hasEnded).toBe(false)
    found.other.end(all, false)
    await found.end
  })

  it("reads again when others write without a pause", async () => {
    const { end, other } = await waiting()
    other.begin(all)
    other.end(all, true)
    await end
  })
})

describe("A commit of many rows", () => {
  const MANY = 20_000

  const rowOf = (id: number): string => {
    const key = Buffer.alloc(8)
    key.writeBigUInt64BE(BigInt(id) << 3n)
    return rowName("edgestore", key)
  }

  const announced = async () => {
    const { region } = await newRegion(2)
    const writer = new SiblingWrites(new WriteTable(region, 0), "keyspace", 0, () => undefined)
    const reader = new SiblingWrites(new WriteTable(region, 1), "keyspace", 0, () => undefined)
    const vertices = Array.from({ length: MANY }, (_, at) => [rowOf(1_000_000 + at), [Buffer.of(2)]] as const)
    const entries = Array.from({ length: MANY }, (_, at) => {
      const row = rowName("graphindex", Buffer.from(`index ${Math.imul(at, 0x9e_37_79_b1)}`))
      return [row, [Buffer.of(0)]] as const
    })
    const rows = new Map([...vertices, ...entries])
    const readsOf = (names: ReadonlyArray<string>) =>
      names.map((row) => reader.see({ row, start: Buffer.of(0), end: undefined }))
    const known = readsOf([...rows.keys()])
    return { writer, reader, rows, readsOf, known, parts: writer.announce(rows) }
  }

  it("does not keep commits of other rows of other workers waiting", async () => {
    const { reader, readsOf } = await announced()
    const others = readsOf(Array.from({ length: 1000 }, (_, at) => rowOf(2_000_000 + at * 100_000)))
    expect(others.filter((read) => reader.othersGone([read]) !== undefined).length).toBeLessThan(20)
  })

  it("of many rows that are not announced, such as an import, does not make commits run again", async () => {
    const { region } = await newRegion(2)
    const [one, two] = [0, 1].map((slot) => new SiblingWrites(new WriteTable(region, slot), "k", 100, () => undefined))
    const seen = two!.see({ row: "edgestore 00", start: undefined, end: undefined })
    one!.bulkWritten()
    expect(two!.hasChanged(seen)).toBe(false)
    expect(two!.bulkWrites()).toBe(1)
  })

  it("is seen by those who read one of its rows", async () => {
    const { known, parts, reader, writer } = await announced()
    const seen = known.filter((_, at) => at % 100 === 0)
    for (const read of seen) expect(await reader.othersGone([read])).toBe(false)
    writer.end(parts, true)
    for (const read of seen) {
      expect(reader.othersGone([read])).toBeUndefined()
      expect(reader.hasChanged(read)).toBe(true)
    }
  })
})
