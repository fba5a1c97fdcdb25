import { describe, expect, it } from "vitest"
import { readTyped, writeTyped } from "../../../../src/storage/janusgraph/format/Attribute.ts"
import { attributeByName } from "../../../../src/storage/janusgraph/format/Attributes.ts"
import { ByteReader } from "../../../../src/storage/janusgraph/format/ByteReader.ts"
import { ByteWriter } from "../../../../src/storage/janusgraph/format/ByteWriter.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { Temporal, Timestamp } from "../../../../src/structure/times/Temporal.ts"
import { runLater } from "../../../process/run.ts"
import { findingsIn } from "../Findings.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

const written = (type: string, value: unknown): string => {
  const writer = new ByteWriter()
  writeTyped(writer, attributeByName(type)!, value)
  return writer.copy().toString("hex")
}

const read = (type: string, hex: string): unknown =>
  readTyped(new ByteReader(Buffer.from(hex, "hex")), attributeByName(type)!)

/** Java's Instant.MAX, with which programs say that something never ends, the second before it, and Instant.MIN. */
const LAST = "+1000000000-12-31T23:59:59.999999999Z"
const EARLIER = "+1000000000-12-31T23:59:58.999999999Z"
const FIRST = "-1000000000-01-01T00:00:00Z"

describe("An instant whose seconds no JavaScript number has", () => {
  it.each([
    [LAST, "0080701cd2fa9578ff"],
    [FIRST, "007f8fe31014641400"]
  ])("%s has the seconds in JanusGraph's bytes", (instant, start) => {
    const value = new Temporal("Instant", instant)
    const hex = written("Instant", value)
    expect(hex.slice(0, start.length)).toBe(start)
    expect(read("Instant", hex)).toEqual(value)
  })

  it("is stored, found and sorted exactly", async () => {
    const graph = await cellGraph(new MemoryCellStore())
    const editor = await graph.management.edit()
    const keys = [editor.makeKey("until", dataTypeOf("Instant"), "SINGLE")]
    editor.makeIndex({ name: "byUntil", element: "vertex", kind: "ordered", unique: false, keys })
    await graph.management.commit(editor)
    const variables = new Map([LAST, EARLIER].map((each, at) => [`t${at}`, new Temporal("Instant", each)]))
    const ask = async (script: string) => (await runLater(graph, script, { variables })).map(text)
    await ask("g.addV().property('until', t0).addV().property('until', t1)")
    expect(await ask("g.V().has('until', lte(t1)).values('until')")).toEqual([EARLIER])
    expect(await ask("g.V().has('until', t0).values('until')")).toEqual([LAST])
    expect(await ask("g.V().values('until').order()")).toEqual([EARLIER, LAST])
    await graph.close()
  })
})

/** Java's new Date(Long.MAX_VALUE) and dates beside it and before all others. */
const NEVER = new Timestamp(2n ** 63n - 1n)
const ALMOST = new Timestamp(2n ** 63n - 2n)
const BEGINNING = new Timestamp(-(2n ** 63n))

describe("A date whose milliseconds no JavaScript number has", () => {
  it.each([
    [NEVER, "00ffffffffffffffff"],
    [ALMOST, "00fffffffffffffffe"],
    [BEGINNING, "000000000000000000"],
    [new Timestamp(2n ** 53n), "008020000000000000"]
  ])("has JanusGraph's bytes", (date, hex) => {
    expect(written("Date", date)).toBe(hex)
    expect(read("Date", hex)).toEqual(date)
  })

  it("has its own place among the values of its type", async () => {
    const graph = await cellGraph(new MemoryCellStore())
    const editor = await graph.management.edit()
    const [until, code, since] = ["until", "code", "since"].map((name) =>
      editor.makeKey(name, dataTypeOf("Date"), "SINGLE")
    )
    editor.makeIndex({ name: "byUntil", element: "vertex", kind: "ordered", unique: false, keys: [until!] })
    editor.makeIndex({ name: "byCode", element: "vertex", kind: "equality", unique: true, keys: [code!] })
    editor.makeLabel("knows", "MULTI", false, [since!])
    await graph.management.commit(editor)
    const variables = new Map<string, unknown>([
      ["never", NEVER],
      ["almost", ALMOST],
      ["beginning", BEGINNING],
      ["long", 2n ** 63n - 2n]
    ])
    const ask = (script: string) => runLater(graph, script, { variables })
    await ask("g.addV().property('until', never).property('code', never).property('note', 'x', 'until', never).none()")
    await ask("g.addV().property('until', long).property('code', almost).none()")
    await ask("g.addV().property('until', beginning).as('a').addE('knows').to('a').property('since', never).none()")
    expect(await ask("g.V().values('until').order()")).toEqual([BEGINNING, ALMOST, NEVER])
    expect(await ask("g.V().has('until', gt(almost)).values('until')")).toEqual([NEVER])
    expect(await ask("g.V().has('code', almost).values('until')")).toEqual([ALMOST])
    expect(await ask("g.V().properties('note').values('until')")).toEqual([NEVER])
    expect(await ask("g.V().outE('knows').has('since', gt(almost)).values('since')")).toEqual([NEVER])
    expect(await ask("g.V().values('code').asNumber().order()")).toEqual([2n ** 63n - 2n, 2n ** 63n - 1n])
    expect(await ask("g.V().values('code').dedup().count()")).toEqual([2n])
    expect(await ask("g.V().has('code', never).values('until').asString()")).toEqual([
      "Sun Aug 17 07:12:55 UTC 292278994"
    ])
    await ask("g.V().has('code', never).property('until', beginning).none()")
    await ask("g.V().drop()")
    expect(findingsIn(graph.core)).toEqual([])
    await graph.close()
  })
})
