import type * as Zlib from "node:zlib"
import { afterEach, describe, expect, it, vi } from "vitest"
import { ByteWriter } from "../../../../src/storage/janusgraph/format/ByteWriter.ts"
import { compress, writeString } from "../../../../src/storage/janusgraph/format/Strings.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { runLater } from "../../../process/run.ts"
import { FakeCluster } from "../../cassandra/FakeCluster.ts"
import { findingsOf } from "../../cassandra/Findings.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

const compression = vi.hoisted(() => ({ level: 6, read: 0, written: 0, zipped: 0 }))

vi.mock("node:zlib", async (original) => {
  const zlib = await original<typeof Zlib>()
  return {
    ...zlib,
    gzip: (text: string, done: (error: Error | null, bytes: Buffer) => void) => {
      compression.zipped++
      zlib.gzip(text, { level: compression.level }, done)
    },
    gzipSync: (bytes: string) => {
      compression.written++
      return zlib.gzipSync(bytes, { level: compression.level })
    },
    gunzipSync: (bytes: Uint8Array) => {
      compression.read++
      return zlib.gunzipSync(bytes)
    }
  }
})

const LONG = Array.from({ length: 5000 }, (_, i) => `word${i * i}`).join(" ")

describe.each([
  ["a cluster", async () => cellGraph(await new FakeCluster().store())],
  ["a store that answers at once", () => cellGraph(new MemoryCellStore())]
])("A long text in %s that another program has compressed", (_, open) => {
  afterEach(() => {
    compression.level = 6
  })

  const written = async () => {
    const graph = await open()
    const run = (script: string) => runLater(graph, script, { as: text })
    compression.level = 1
    await run(
      `g.addV('person').property(set, 'nick', '${LONG}').property(set, 'nick', 'short').as('p')
        .addE('knows').to('p').property('text', '${LONG}')`
    )
    compression.level = 9
    return { graph, run }
  }

  it("does not keep its edge from being dropped or changed", async () => {
    const { graph, run } = await written()
    await run("g.E().property('more', 1)")
    compression.level = 2
    await run("g.E().drop()")
    expect(await run("g.E().count()")).toEqual(["0"])
    expect(await findingsOf(graph)).toEqual([])
  })

  it("is removed from a property with several values", async () => {
    const { run } = await written()
    await run(`g.V().properties('nick').hasValue('${LONG}').drop()`)
    expect(await run("g.V().values('nick')")).toEqual(["short"])
  })

  it("is read a few times for each value when many values are removed", async () => {
    const graph = await open()
    const run = (script: string) => runLater(graph, script, { as: text })
    const values = Array.from({ length: 40 }, (_, i) => `.property(set, 'nick', '${i} ${LONG.slice(0, 17_000)}')`)
    await run(`g.addV('person')${values.join("")}`)
    compression.read = 0
    await run("g.V().properties('nick').drop()")
    expect(compression.read).toBeLessThan(10 * values.length)
    expect(await run("g.V().properties('nick').count()")).toEqual(["0"])
  })
})

describe.each([
  ["a cluster", async () => cellGraph(await new FakeCluster().store())],
  ["a store that answers at once", () => cellGraph(new MemoryCellStore())]
])("Many long texts in %s", (_, open) => {
  it("are compressed by other threads before their commit, and their old values are not compressed again", async () => {
    const graph = await open()
    const commits = vi.spyOn(graph.core.cells, "commitLong")
    const run = (script: string) => runLater(graph, script, { as: text })
    const values = Array.from({ length: 8 }, (_, i) => `.property('t${i}', '${i} ${LONG}')`).join("")
    compression.written = 0
    await run(`g.addV('person')${values}`)
    await run(`g.addV('place').as('p').addE('knows').to('p')${values}`)
    await run("g.V().hasLabel('person').property('t1', 'short').property('t2', 'short').property('t3', 'short')")
    expect([compression.written, commits.mock.calls.length]).toEqual([0, 3])
    expect(await run("g.V().hasLabel('person').values('t1', 't7')")).toEqual(["short", `7 ${LONG}`])
    expect(await run("g.E().values('t0')")).toEqual([`0 ${LONG}`])
    expect(await findingsOf(graph)).toEqual([])
  })

  it("of one property are not compressed again when it gets other values, and do not make its commit a long one", async () => {
    const graph = await open()
    const commits = vi.spyOn(graph.core.cells, "commitLong")
    const run = (script: string) => runLater(graph, script, { as: text })
    const values = (count: number, more: string) =>
      Array.from({ length: count }, (_, i) => `.property(list, 'note', '${i} ${more} ${LONG}')`).join("")
    await run(`g.addV('person')${values(8, "first")}`)
    compression.written = compression.zipped = 0
    commits.mockClear()
    await run("g.V().property(list, 'note', 'short')")
    expect([compression.written, compression.zipped, commits.mock.calls.length]).toEqual([0, 0, 0])
    await run(`g.V()${values(4, "then")}`)
    expect([compression.written, compression.zipped, commits.mock.calls.length]).toEqual([0, 4, 1])
    expect(await run("g.V().values('note').count()")).toEqual(["13"])
    expect(await findingsOf(graph)).toEqual([])
  })

  it.each([
    ["make its commit a long one if there are very many of them, which it reads", 24, false],
    ["make its commit a long one if there are many of them and an index has them", 4, true]
  ])("of one property that gets another value %s", async (_text, count, isIndexed) => {
    const graph = await open()
    const commits = vi.spyOn(graph.core.cells, "commitLong")
    const run = (script: string) => runLater(graph, script, { as: text })
    await run("g.addV('person').property(list, 'note', 'first')")
    if (isIndexed) await graph.management.createIndex("note", "vertex")
    await run(`g.V()${Array.from({ length: count }, (_, i) => `.property(list, 'note', '${i} ${LONG}')`).join("")}`)
    compression.zipped = 0
    commits.mockClear()
    await run("g.V().property(list, 'note', 'short')")
    expect([compression.zipped, commits.mock.calls.length]).toEqual([0, 1])
    expect(await run("g.V().values('note').count()")).toEqual([`${count + 2}`])
    expect(await findingsOf(graph)).toEqual([])
  })
})

it("A text is compressed to the same bytes in another thread", async () => {
  const writer = new ByteWriter()
  writeString(writer, LONG)
  const alone = writer.copy()
  writer.reset().zipped = new Map([[LONG, await compress(LONG)]])
  writeString(writer, LONG)
  expect(writer.copy()).toEqual(alone)
})
