import { describe, expect, it, onTestFinished } from "vitest"
import { WriteTable } from "../../../src/layers/workers/WriteTable.ts"
import { rowName } from "../../../src/storage/cassandra/CqlBatch.ts"
import { SliceCache } from "../../../src/storage/cassandra/SliceCache.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import type { Page, SliceQuery } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { Cells } from "../../../src/storage/janusgraph/cells/Cells.ts"
import { LaterBulkLoader } from "../../../src/storage/janusgraph/maintenance/bulk/LaterBulkLoader.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { TransactionConflict } from "../../../src/structure/errors/StoreErrors.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { newRegion } from "../../layers/workers/Regions.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { Sent } from "./CountedClient.ts"
import { FakeCluster } from "./FakeCluster.ts"

const PERSONS = 12
const BYTES = 1024 * 1024
const HOP = "g.V().has('person', 'uid', 3).out('knows').values('name')"

const makeSchema = async ({ management }: CellGraph): Promise<void> => {
  const editor = await management.edit()
  const uid = editor.makeKey("uid", dataTypeOf("Integer"), "SINGLE")
  editor.makeKey("name", dataTypeOf("String"), "SINGLE")
  editor.makeVertexLabel("person", false, false)
  editor.makeLabel("knows", "MULTI", false, [])
  editor.makeIndex({ name: "byUid", element: "vertex", kind: "equality", unique: false, keys: [uid] })
  await management.commit(editor)
}

const data = (): string => {
  const numbers = Array.from({ length: PERSONS }, (_, i) => i)
  const persons = numbers.map((i) => `.addV('person').property('uid', ${i}).property('name', 'n${i}').as('p${i}')`)
  const edges = numbers.map((i) => `.addE('knows').from('p3').to('p${i}')`)
  return `g${[...persons, ...edges].join("")}.none()`
}

const run = (graph: CellGraph, script: string): Promise<ReadonlyArray<string>> =>
  runLater(graph, script, { as: text }) as Promise<ReadonlyArray<string>>

/** A cluster with the data, and servers over it. */
const cluster = async () => {
  const fake = new FakeCluster()
  const open = async (time: number, bytes = BYTES, sent = new Sent()): Promise<CellGraph> => {
    const cache = { bytes, time, cleanWait: 0 }
    return cellGraph(await fake.store({ cache }, sent, { newsInterval: 3_600_000 }))
  }
  const first = await open(0, 0)
  await makeSchema(first)
  await run(first, data())
  await first.close()
  return { fake, open }
}

describe("A server with a cache of slices", () => {
  it("reads nothing for a request that it has answered before, and everything without the cache", async () => {
    const { open } = await cluster()
    for (const [bytes, isRead] of [
      [BYTES, false],
      [0, true]
    ] as const) {
      const sent = new Sent()
      const graph = await open(60_000, bytes, sent)
      const answer = await run(graph, HOP)
      sent.clear()
      expect(await run(graph, HOP)).toEqual(answer)
      expect(sent.reads > 0).toBe(isRead)
      await graph.close()
    }
  })

  it("sees its own writes at once, and those of others after the expiry", async () => {
    const { fake, open } = await cluster()
    const [one, two] = [await open(300), await open(300)]
    const name = "g.V().has('person', 'uid', 3).values('name')"
    for (const graph of [one, two]) expect(await run(graph, name)).toEqual(["n3"])
    await run(one, "g.V().has('person', 'uid', 3).property('name', 'new')")
    expect(await run(one, name)).toEqual(["new"])
    fake.elapsed += 299
    expect(await run(two, name)).toEqual(["n3"])
    fake.elapsed++
    expect(await run(two, name)).toEqual(["new"])
    await run(two, "g.addV('person').property('uid', 77).property('name', 'added')")
    expect(await run(two, "g.V().has('person', 'uid', 77).values('name')")).toEqual(["added"])
    await Promise.all([one.close(), two.close()])
  })

  it("sees each of its writes while other requests read the same rows", async () => {
    const { fake, open } = await cluster()
    fake.weather = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 4))
    const graph = await open(60_000)
    const name = "g.V().has('person', 'uid', 3).values('name')"
    let running = true
    const others = Array.from({ length: 8 }, async () => {
      while (running) {
        await run(graph, name)
        // A cached answer needs no turn of the event loop. The timer leaves the processor to the writes.
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    })
    for (let i = 0; i < 20; i++) {
      await run(graph, `g.V().has('person', 'uid', 3).property('name', 'w${i}')`)
      expect(await run(graph, name)).toEqual([`w${i}`])
    }
    running = false
    await Promise.all(others)
    await graph.close()
  })

  it("reads again after a conflict with a write that it has not seen", async () => {
    const { open } = await cluster()
    const [one, two] = [await open(0), await open(0)]
    const rename = "g.V().has('person', 'uid', 3).property('name', __.values('name').concat('x')).values('name')"
    expect(await run(two, "g.V().has('person', 'uid', 3).values('name')")).toEqual(["n3"])
    expect(await run(one, rename)).toEqual(["n3x"])
    await expect(run(two, rename)).rejects.toBeInstanceOf(TransactionConflict)
    expect(await run(two, rename)).toEqual(["n3xx"])
    await Promise.all([one.close(), two.close()])
  })

  it("removes all edges of a vertex, also those that it has not seen", async () => {
    const { open } = await cluster()
    const [one, two] = [await open(0), await open(0)]
    const known = "g.V().has('person', 'uid', 5).both('knows').values('uid')"
    expect(await run(two, known)).toEqual(["3"])
    await run(one, "g.V().has('person', 'uid', 6).addE('knows').to(__.V().has('uid', 5)).none()")
    await run(two, "g.V().has('person', 'uid', 5).drop()")
    const fresh = await open(0, 0)
    expect(await run(fresh, "g.V().has('person', 'uid', 6).outE('knows').count()")).toEqual(["0"])
    await Promise.all([one.close(), two.close(), fresh.close()])
  })
})

/** Adds a vertex and an edge to it, without a transaction. */
const addInBulk = async ({ core }: CellGraph, from: bigint): Promise<void> => {
  const loader = new LaterBulkLoader(core)
  await loader.begin(1, 2)
  const name = { id: undefined, key: "name", value: "bulk", meta: null }
  const added = loader.vertex({ id: undefined, label: "person", properties: [name] }, 0)
  const edge = { id: undefined, label: "knows", out: undefined, in: undefined, properties: new Map() }
  loader.edge(edge, from, added, 0)
  await loader.commit()
}

describe("A worker of a server with a cache of slices", () => {
  const workers = async () => {
    const { fake } = await cluster()
    const { region } = await newRegion(2)
    const sent = [new Sent(), new Sent()] as const
    const open = async (worker: 1 | 2): Promise<CellGraph> => {
      const identity = { server: "one", worker, writes: new WriteTable(region, worker - 1) }
      const cache = { bytes: BYTES, time: 0, cleanWait: 0 }
      return cellGraph(await fake.store({ cache }, sent[worker - 1]!, { newsInterval: 3_600_000, worker: identity }))
    }
    const graphs = [await open(1), await open(2)] as const
    onTestFinished(async () => void (await Promise.all(graphs.map((graph) => graph.close()))))
    return { graphs, sent }
  }

  it("sees at once what another worker has written, and keeps what none has written", async () => {
    const { graphs, sent } = await workers()
    const [one, two] = graphs
    const name = "g.V().has('person', 'uid', 3).values('name')"
    for (let i = 0; i < 20; i++) {
      expect(await run(two, name)).toEqual([i === 0 ? "n3" : `w${i - 1}`])
      await run(one, `g.V().has('person', 'uid', 3).property('name', 'w${i}')`)
    }
    expect(await run(two, HOP)).toContain("w19")
    expect(await run(two, "g.V().has('person', 'uid', 77).values('name')")).toEqual([])
    await run(one, "g.addV('person').property('uid', 77).property('name', 'added')")
    expect(await run(two, "g.V().has('person', 'uid', 77).values('name')")).toEqual(["added"])
    await run(one, "g.V().has('person', 'uid', 5).drop()")
    expect(await run(two, HOP)).not.toContain("n5")
    sent[1].clear()
    await run(two, HOP)
    expect(sent[1].reads).toBe(0)
  })

  it("sees at once what a bulk write of another worker has changed", async () => {
    const { graphs } = await workers()
    const [one, two] = graphs
    const [id] = await run(two, "g.V().has('person', 'uid', 7).id()")
    const edges = `g.V(${id}).out('knows').values('name')`
    expect(await run(two, edges)).toEqual([])
    await addInBulk(one, BigInt(id!))
    expect(await run(two, edges)).toEqual(["bulk"])
  })
})

describe("A cache of slices", () => {
  const keyOf = (row: number): Buffer => {
    const key = Buffer.alloc(8)
    key.writeUInt32BE(row * 8, 4)
    return key
  }
  const queryOf = (row: number, limit?: number): SliceQuery => ({ table: "edgestore", key: keyOf(row), limit })
  const pageOf = (length: number, more = false): Page => ({ cells: new Cells(Buffer.alloc(length), 0, length), more })
  const nameOf = (row: number): string => rowName("edgestore", keyOf(row))
  const fill = (cache: SliceCache, query: SliceQuery, page: Page) => cache.through([query], async () => [page])

  const FULL_BYTES = 200_000
  const ROWS = 4000

  /** The bytes of all buffers that the pages refer to, also in part. */
  const bytesBehind = (pages: ReadonlyArray<Page>): number => {
    const buffers = new Set(pages.map(({ cells }) => cells.bytes.buffer))
    return [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  const kept = (cache: SliceCache): ReadonlyArray<Page> =>
    Array.from({ length: ROWS }, (_, row) => cache.get(queryOf(row))).filter((page) => page !== undefined)

  it.for([150, 900, 5000])("takes at most its bytes for rows of up to %i bytes", async (length) => {
    const cache = new SliceCache({ bytes: FULL_BYTES, time: 0, cleanWait: 0 }, () => 0)
    for (let row = 0; row < ROWS; row++) {
      // A row of many that share the buffer of an answer.
      const answer = Buffer.allocUnsafeSlow(64 * 1024).fill(row)
      await fill(cache, queryOf(row), { cells: new Cells(answer, 100, 100 + (row % length)), more: false })
      expect(cache.bytes).toBeLessThanOrEqual(FULL_BYTES)
      // Some rows are used often, and stay.
      for (let often = 0; often < 8; often++) cache.get(queryOf(often))
    }
    const pages = kept(cache)
    expect(pages.length).toBeGreaterThan(10)
    expect(bytesBehind(pages)).toBeLessThan(FULL_BYTES)
    expect(cache.get(queryOf(7))?.cells.isEmpty).toBe(false)
    await fill(cache, queryOf(1), pageOf(50_000))
    expect(cache.get(queryOf(1))?.cells.end).not.toBe(50_000)
  })

  it("counts the keys of its rows, which may be long", async () => {
    const cache = new SliceCache({ bytes: FULL_BYTES, time: 0, cleanWait: 0 }, () => 0)
    const longQuery = (row: number): SliceQuery => ({ table: "graphindex", key: Buffer.alloc(5000, row) })
    for (let row = 0; row < 200; row++) {
      await fill(cache, longQuery(row), pageOf(10))
      expect(cache.bytes).toBeLessThanOrEqual(FULL_BYTES)
    }
    const rows = Array.from({ length: 200 }, (_, row) => row).filter((row) => cache.get(longQuery(row)) !== undefined)
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.length * 5000).toBeLessThan(FULL_BYTES)
    const before = cache.bytes
    cache.forget([rowName("graphindex", longQuery(199).key)])
    expect(before - cache.bytes).toBeGreaterThan(5000)
    const kept = cache.bytes
    await fill(cache, { table: "graphindex", key: Buffer.alloc(60_000) }, pageOf(10))
    expect(cache.bytes).toBe(kept)
  })

  it("keeps its rows while one row is written and read often", async () => {
    const cache = new SliceCache({ bytes: FULL_BYTES, time: 0, cleanWait: 0 }, () => 0)
    for (let row = 2; row < 50; row++) await fill(cache, queryOf(row), pageOf(100))
    for (let time = 0; time < ROWS; time++) {
      await fill(cache, queryOf(1), pageOf(700))
      cache.writing([nameOf(1)])
      cache.written([nameOf(1)])
    }
    for (let row = 2; row < 50; row++) expect(cache.get(queryOf(row))).toBeDefined()
  })

  it("answers with the copy of a slice that it moves to the young generation", async () => {
    const cache = new SliceCache({ bytes: FULL_BYTES, time: 0, cleanWait: 0 }, () => 0)
    await fill(cache, queryOf(1), pageOf(100))
    const buffers = new Set<Uint8Array>()
    for (let row = 2; row < ROWS; row++) {
      await fill(cache, queryOf(row), pageOf(100))
      const { bytes } = cache.get(queryOf(1))!.cells
      expect(cache.get(queryOf(1))!.cells.bytes).toBe(bytes)
      buffers.add(bytes)
    }
    expect(buffers.size).toBeGreaterThan(2)
  })

  it("counts the bytes of a slice with a buffer of its own, whatever its size", async () => {
    const limit = 32 * 1024 * 64
    const cache = new SliceCache({ bytes: limit, time: 0, cleanWait: 0 }, () => 0)
    await fill(cache, queryOf(1), pageOf(32 * 1024))
    cache.forget([nameOf(1)])
    expect(cache.bytes).toBe(0)
  })

  it("keeps the bytes of cells and bounds, also of rows that it moves to the young generation", async () => {
    const cache = new SliceCache({ bytes: FULL_BYTES, time: 0, cleanWait: 0 }, () => 0)
    const bounds = [undefined, Buffer.of(), Buffer.of(1), Buffer.of(1, 2), Buffer.of(2)]
    const queries = bounds.flatMap((start) => bounds.map((end): SliceQuery => ({ ...queryOf(1), start, end })))
    const content = (at: number): Buffer => Buffer.from(`the cells ${at}`)
    for (const [at, query] of queries.entries()) {
      await fill(cache, query, { cells: new Cells(content(at), 0, content(at).length), more: false })
    }
    for (let row = 2; row < ROWS; row++) {
      await fill(cache, queryOf(row), pageOf(100))
      for (const [at, query] of queries.entries()) {
        const { bytes, end, start } = cache.get(query)!.cells
        if (row % 100 === 0) expect(Buffer.from(bytes.subarray(start, end))).toEqual(content(at))
      }
    }
    expect(cache.get({ ...queryOf(1), start: Buffer.of(3) })).toBeUndefined()
    expect(cache.get({ ...queryOf(1), reverse: true })).toBeUndefined()
  })

  it("answers a slice with another limit only if it has the whole slice", async () => {
    const cache = new SliceCache({ bytes: 100_000, time: 0, cleanWait: 0 }, () => 0)
    await fill(cache, queryOf(1, 10), pageOf(10, true))
    expect(cache.get(queryOf(1, 10))).toBeDefined()
    expect(cache.get(queryOf(1, 5))).toBeUndefined()
    expect(cache.get(queryOf(1))).toBeUndefined()
    await fill(cache, queryOf(2, 10), pageOf(10))
    expect(cache.get(queryOf(2))).toBeDefined()
  })

  it("does not keep what was read before the end of a write, and for the clean wait after it", async () => {
    let now = 0
    const cache = new SliceCache({ bytes: 100_000, time: 1000, cleanWait: 50 }, () => now)
    let answer: (pages: ReadonlyArray<Page>) => void = () => undefined
    const read = cache.through([queryOf(1)], () => new Promise((resolve) => (answer = resolve)))
    cache.writing([nameOf(1)])
    await fill(cache, queryOf(1), pageOf(1))
    expect(cache.get(queryOf(1))).toBeUndefined()
    cache.written([nameOf(1)])
    await fill(cache, queryOf(1), pageOf(1))
    expect(cache.get(queryOf(1))).toBeUndefined()
    now = 51
    answer([pageOf(1)])
    await read
    expect(cache.get(queryOf(1))).toBeUndefined()
    await fill(cache, queryOf(1), pageOf(1))
    expect(cache.get(queryOf(1))).toBeDefined()
    now = 1052
    expect(cache.get(queryOf(1))).toBeUndefined()
    cache.writing([nameOf(1)])
    cache.written([nameOf(1)], false)
    now = 10_000
    await fill(cache, queryOf(1), pageOf(1))
    expect(cache.get(queryOf(1))).toBeUndefined()
  })

  it.for(["after", "during"])(
    "does not keep a row for a minute after a write that may be applied later, even if one that begins %s it succeeds",
    async (when) => {
      let now = 0
      const cache = new SliceCache({ bytes: 100_000, time: 1000, cleanWait: 50 }, () => now)
      const isKept = async (): Promise<boolean> => {
        await fill(cache, queryOf(1), pageOf(1))
        return cache.get(queryOf(1)) !== undefined
      }
      cache.writing([nameOf(1)])
      if (when === "during") cache.writing([nameOf(1)])
      cache.written([nameOf(1)], false)
      now = 10_000
      if (when === "after") cache.writing([nameOf(1)])
      cache.written([nameOf(1)])
      now = 60_049
      expect(await isKept()).toBe(false)
      now = 60_050
      expect(await isKept()).toBe(true)
    }
  )

  it("counts the rows that it keeps away, and forgets those of a large commit in several turns", async () => {
    let now = 0
    const cache = new SliceCache({ bytes: 100_000, time: 1000, cleanWait: 50 }, () => now)
    const rows = Array.from({ length: 5000 }, (_, row) => nameOf(row))
    cache.writing(rows)
    cache.written(rows, false)
    const all = cache.bytes
    expect(all).toBeGreaterThan(rows.length * 200)
    // What a commit with a known outcome has written does not wait for them.
    now = 51
    for (let turn = 0; turn < 5; turn++) cache.written([])
    const doubtful = cache.bytes
    expect(doubtful).toBeLessThan(all / 1.5)
    await fill(cache, queryOf(1), pageOf(1))
    expect(cache.get(queryOf(1))).toBeUndefined()
    now = 60_051
    cache.written([])
    expect(cache.bytes).toBeGreaterThan(doubtful / 2)
    for (let turn = 0; turn < 5; turn++) cache.written([])
    expect(cache.bytes).toBeLessThan(10_000)
  })

  it("forgets all rows of a large commit soon after the clean wait, without any further read or write", async () => {
    const clock = { now: 0 }
    const cache = new SliceCache({ bytes: 100_000, time: 1000, cleanWait: 50 }, () => clock.now)
    const empty = cache.bytes
    const rows = Array.from({ length: 50_000 }, (_, row) => nameOf(row))
    cache.writing(rows)
    cache.written(rows)
    cache.writing(rows.slice(0, 5000))
    cache.written(rows.slice(0, 5000), false)
    expect(cache.bytes).toBeGreaterThan(rows.length * 150)
    clock.now = 2000
    // Those whose outcome is unknown are remembered for a minute.
    await expect.poll(() => cache.bytes).toBeLessThan(5100 * 200)
    expect(cache.bytes).toBeGreaterThan(5000 * 150)
    clock.now = 64_000
    await expect.poll(() => cache.bytes).toBe(empty)
  })
})
