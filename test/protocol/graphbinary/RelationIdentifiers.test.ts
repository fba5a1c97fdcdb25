import { describe, expect, it } from "vitest"
import { GraphBinaryReader } from "../../../src/protocol/graphbinary/GraphBinaryReader.ts"

const head = Buffer.concat([
  Buffer.from("000000001d", "hex"),
  Buffer.from("janusgraph.RelationIdentifier"),
  Buffer.from("0000100100", "hex")
])

/** The bytes of the id of a property of a vertex whose id is the text of these bytes. */
const idOf = (text: Buffer): Buffer =>
  Buffer.concat([head, Buffer.of(1), text, Buffer.from("0000000000000007000000000000000800", "hex"), Buffer.alloc(8)])

const read = (bytes: Buffer): unknown => new GraphBinaryReader(bytes, 0).value()

/** Characters of which the last has its highest bit set. */
const textOf = (length: number): Buffer => {
  const bytes = Buffer.alloc(length, "a")
  bytes[length - 1]! |= 0x80
  return bytes
}

describe("A text in a relation identifier", () => {
  it("has up to 65,535 characters", () => {
    expect(read(idOf(textOf(1)))).toBe("8-Sa-7")
    expect(read(idOf(textOf(5)))).toBe("8-Saaaaa-7")
    expect(read(idOf(textOf(65_535)))).toBe(`8-S${"a".repeat(65_535)}-7`)
    expect(() => read(idOf(textOf(65_536)))).toThrow("more than 65535 characters")
  })

  it("fails if it has no end", () => {
    expect(() => read(idOf(Buffer.alloc(100_000, "a")))).toThrow("without an end")
    expect(() => read(Buffer.concat([head, Buffer.of(1), Buffer.from("abc")]))).toThrow("without an end")
  })
})
