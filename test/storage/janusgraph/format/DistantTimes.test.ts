import { describe, expect, it } from "vitest"
import { readTyped, writeTyped } from "../../../../src/storage/janusgraph/format/Attribute.ts"
import { attributeByName } from "../../../../src/storage/janusgraph/format/Attributes.ts"
import { ByteReader } from "../../../../src/storage/janusgraph/format/ByteReader.ts"
import { ByteWriter } from "../../../../src/storage/janusgraph/format/ByteWriter.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { Temporal } from "../../../../src/structure/times/Temporal.ts"
import { runLater } from "../../../process/run.ts"
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
