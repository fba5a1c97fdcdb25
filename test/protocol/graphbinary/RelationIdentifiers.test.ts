import { describe, expect, it } from "vitest"
import { GraphBinaryReader } from "../../../src/protocol/graphbinary/GraphBinaryReader.ts"
import { relationParts } from "../../../src/protocol/JanusGraphTypes.ts"
import { janusGraphSerializers } from "../../../src/protocol/Serializers.ts"
import { Detached, type Edge } from "../../../src/structure/elements/Element.ts"

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

describe("The id of an edge", () => {
  const edgeOf = (id: string): Edge => {
    const graph = new Detached()
    return graph.addEdge(id, "knows", graph.addVertex(1n, "n"), graph.addVertex(2n, "n"))
  }

  it.each([
    ["10-Salice-5-6bs", true],
    ["10-8-5", true],
    ["1y2p0ij32e8e7-0-5-1", true],
    [`10-S${"a".repeat(65_535)}-5`, true],
    // More than the largest Long.
    ["1y2p0ij32e8e8-0-5", false],
    ["transaction12-a-b", false],
    ["1-zzzzzzzzzzzzz-2", false],
    // Their parts have another text.
    ["00a-b-c", false],
    ["a-0b-c", false],
    ["a-b-00", false],
    ["a-b-c-0", false],
    // Not ASCII, or too long.
    ["10-Sgr\u00fcn-5", false],
    ["10-Sa\u0000-5", false],
    [`10-S${"a".repeat(65_536)}-5`, false],
    ["a-b-c-d-e", false],
    ["A-b-c", false]
  ])("is the same after it was written and read, as %.40s", (id, isRelation) => {
    const written = janusGraphSerializers["graphbinary-v1"].writeValue(edgeOf(id))
    expect((new GraphBinaryReader(written, 0).value() as Edge).id).toBe(id)
    expect(written.includes("janusgraph.RelationIdentifier")).toBe(isRelation)
    expect(relationParts(id) !== undefined).toBe(isRelation)
    const json = janusGraphSerializers["graphson-v3"].writeValue(edgeOf(id))
    expect(json.includes("RelationIdentifier")).toBe(isRelation)
  })
})
