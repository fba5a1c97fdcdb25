import { describe, expect, it } from "vitest"
import {
  readOrdered,
  readTyped,
  writeOrdered,
  writeTyped
} from "../../../../src/storage/janusgraph/format/Attribute.ts"
import {
  attributeByName,
  attributeOf,
  readAny,
  writeAny
} from "../../../../src/storage/janusgraph/format/Attributes.ts"
import { ByteReader } from "../../../../src/storage/janusgraph/format/ByteReader.ts"
import { ByteWriter } from "../../../../src/storage/janusgraph/format/ByteWriter.ts"
import { canonicalId, normalId } from "../../../../src/storage/janusgraph/format/Ids.ts"
import { idOfRowKey, rowKey } from "../../../../src/storage/janusgraph/format/RowKeys.ts"
import { fixtureLines } from "../Fixtures.ts"

const written = (write: (writer: ByteWriter) => void): string => {
  const writer = new ByteWriter(1)
  write(writer)
  return writer.copy().toString("hex")
}

const reader = (hex: string): ByteReader => new ByteReader(Buffer.from(hex, "hex"))

const all = <A>(forward: ByteReader, value: A): A => {
  expect(forward.more).toBe(false)
  return value
}

describe("The golden vectors of JanusGraph 1.1.0", () => {
  it("match numbers of variable length in every form", () => {
    for (const line of fixtureLines("golden-varlong.csv")) {
      const [text, positive, signed, backward, prefixed] = line.split(",") as [string, string, string, string, string]
      const value = normalId(BigInt(text))
      expect(written((writer) => writer.varint(value))).toBe(positive)
      const forward = reader(positive)
      expect(all(forward, forward.varint())).toBe(value)
      const negative = typeof value === "number" ? -value : -value
      const hex = signed.split("(")[0]!
      if (/^[0-9a-f]+$/.test(hex)) {
        expect(written((writer) => writer.signed(negative))).toBe(hex)
        const back = reader(hex)
        expect(BigInt(all(back, back.signed()))).toBe(BigInt(negative))
      }
      if (backward !== "error") {
        expect(written((writer) => writer.backward(value))).toBe(backward)
        const back = reader(`ffff${backward}`)
        back.at = back.end
        expect(back.backward()).toBe(value)
        expect(back.at).toBe(2)
      }
      if (prefixed !== "error") {
        expect(written((writer) => writer.prefixed(2, value))).toBe(prefixed)
        const head = reader(prefixed)
        expect(all(head, head.prefixed())).toBe(value)
        expect(head.prefix).toBe(2)
      }
    }
  })

  it("match row keys of every kind of id", () => {
    for (const line of fixtureLines("golden-rowkeys.csv")) {
      const [kind, , , id, key] = line.split(",") as [string, string, string, string, string]
      const vertex = kind === "string" ? id : normalId(BigInt(id))
      expect(rowKey(vertex, 5).toString("hex")).toBe(key)
      expect(idOfRowKey(Buffer.from(key, "hex"), 5)).toBe(vertex)
    }
  })

  it("match the canonical id of a partitioned vertex, which is the same in all of its partitions", () => {
    const rows = fixtureLines("golden-rowkeys.csv").map((line) => line.split(","))
    const canonical = new Map(
      rows.filter(([kind]) => kind === "PartitionedVertex(canonical)").map(([, count, , id]) => [count, Number(id)])
    )
    const others = rows.filter(([kind]) => kind === "PartitionedVertex")
    expect(others.length).toBeGreaterThan(100)
    for (const [, count, , id] of others) expect(canonicalId(Number(id), 5)).toBe(canonical.get(count))
    expect(canonicalId(4184, 5)).toBe(4184)
  })

  it("match values of every type: with a null flag, ordered, with their type, and without a flag", () => {
    let compared = 0
    for (const line of fixtureLines("golden-values.csv")) {
      const [name, , plain, ordered, any, bare] = line.split("\t") as [string, string, string, string, string, string]
      if ([plain, ordered, any, bare].some((hex) => hex.includes("..."))) continue
      const type = attributeByName(name)!
      const typed = reader(any)
      const value = all(typed, readAny(typed))
      expect(attributeOf(value)?.name).toBe(name)
      expect(type.is(value)).toBe(true)
      expect(written((writer) => writeAny(writer, value))).toBe(any)
      expect(written((writer) => writeTyped(writer, type, value))).toBe(plain)
      expect(written((writer) => type.write(writer, value))).toBe(bare)
      const flagged = reader(plain)
      expect(all(flagged, readTyped(flagged, type))).toEqual(value)
      const naked = reader(bare)
      expect(all(naked, type.read(naked))).toEqual(value)
      if (ordered !== "-") {
        expect(written((writer) => writeOrdered(writer, type, value))).toBe(ordered)
        const sorted = reader(ordered)
        expect(all(sorted, readOrdered(sorted, type))).toEqual(value)
      }
      compared++
    }
    expect(compared).toBeGreaterThan(170)
  })
})
