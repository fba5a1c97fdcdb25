import { describe, expect, it, vi } from "vitest"
import { GryoDecoder } from "../../../src/protocol/gryo/GryoDecoder.ts"
import { KryoInput } from "../../../src/protocol/gryo/KryoInput.ts"
import { KryoReader } from "../../../src/protocol/gryo/KryoReader.ts"
import { GremlinMap, GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { BigDecimal, BigInteger, Byte, Double, Float, Short } from "../../../src/structure/numbers/Numbers.ts"
import { Char } from "../../../src/structure/scalars/Char.ts"
import { Uuid } from "../../../src/structure/scalars/Uuid.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { Duration, OffsetDateTime, Temporal, Timestamp } from "../../../src/structure/times/Temporal.ts"
import { decoded } from "../CollectedGraph.ts"

const bytes = (...hex: ReadonlyArray<string>): Buffer => Buffer.from(hex.join("").replaceAll(/\s/g, ""), "hex")

/** The bytes of the vertex marko of the modern graph. */
const marko = bytes(
  "67696f 00000000000000000000000000", // header
  "01 80", // the star graph, met for the first time; its version
  "01 03", // properties of edges: a map with three entries
  "020e 0d0101 0301 7765696768f4 0a 3fe0000000000000", // 7: {weight: 0.5}, the key as ASCII
  "0210 0d0101 0305 0a 3ff0000000000000", // 8: the key as a reference
  "0212 0d0101 0305 0a 3fd999999999999a",
  "00", // no meta-properties
  "0202 01 706572736fee", // id 1, label person
  "00", // no edges that come in
  "01 04", // edges that go out, two labels
  "01 637265617465e4 02 0212 0206", // created: one edge, 9, to 3
  "01 6b6e6f77f3 04 020e 0204 0210 0208", // knows: 7 to 2, 8 to 4
  "01 04", // properties, two keys
  "01 6e616de5 02 0900 03 01 6d61726bef", // name: id 0L, marko
  "01 6167e5 02 0902 02 3a", // age: id 1L, 29
  "0f 01 01 09 3a158a11709b9996" // terminator
)

const TERMINATOR = bytes("3a158a11709b9996")

const read = (data: Uint8Array, piece?: number) => decoded((receiver) => new GryoDecoder(receiver), data, piece)

describe("reading Gryo", () => {
  it("returns a vertex with its properties and edges, for any chunks of the bytes", () => {
    for (const piece of [1, 7, 64, 1000]) {
      const { edges, vertices } = read(Buffer.concat([marko, marko]), piece)
      expect(vertices).toHaveLength(2)
      expect(vertices[0]).toEqual({
        id: 1,
        label: "person",
        properties: [
          { id: 0n, key: "name", value: "marko", meta: null },
          { id: 1n, key: "age", value: 29, meta: null }
        ]
      })
      expect(edges.slice(0, 3)).toEqual([
        { id: 9, label: "created", out: 1, in: 3, properties: new Map([["weight", 0.4]]), place: "out" },
        { id: 7, label: "knows", out: 1, in: 2, properties: new Map([["weight", 0.5]]), place: "out" },
        { id: 8, label: "knows", out: 1, in: 4, properties: new Map([["weight", new Double(1)]]), place: "out" }
      ])
    }
  })

  it("does not stop at the bytes of a terminator inside a value", () => {
    const terminator = "3a158a11709b9996"
    const vertex = bytes("67696f 00000000000000000000000000 01 80 00 00 0202 01 8276 00 00 01 02")
    const property = bytes(`01 8262 02 0900 1b 01 09 ${terminator}`)
    const end = bytes(`0f 01 01 09 ${terminator}`)
    const { vertices } = read(Buffer.concat([vertex, property, end]))
    expect(vertices[0]?.properties[0]?.value).toEqual(Uint8Array.from(bytes(terminator)))
  })

  it.each([1, 5, 64, 4_000])(
    "copies the bytes of a vertex a few times, whatever its values are (in chunks of %i)",
    (piece) => {
      const vertex = bytes("67696f 00000000000000000000000000 01 80 00 00 0202 01 8276 00 00 01 02")
      const value = Buffer.concat(Array.from({ length: 2_000 }, () => TERMINATOR))
      // The length of the value plus one: 16,001 in two numbers of seven bits and a third one.
      const property = Buffer.concat([bytes("01 8262 02 0900 1b 01 81fd00"), value])
      const end = bytes("0f 01 01 09", TERMINATOR.toString("hex"))
      const concat = vi.spyOn(Buffer, "concat")
      const { vertices } = read(Buffer.concat([vertex, property, end, marko]), piece)
      const joined = concat.mock.results.reduce((sum, { value: { length } }) => sum + (length > 100 ? length : 0), 0)
      concat.mockRestore()
      expect(vertices.map(({ properties: [first] }) => first?.value)).toEqual([Uint8Array.from(value), "marko"])
      expect(joined).toBeLessThan(6 * value.length)
    }
  )

  it("refuses a vertex that is too long, before all of it is read", () => {
    const decoder = new GryoDecoder({ vertex: () => undefined, edge: () => undefined }, 1_000)
    for (let i = 0; i < 20; i++) decoder.push(marko)
    decoder.push(marko.subarray(0, 100))
    const push = (): void => {
      for (let i = 0; i < 20; i++) decoder.push(Buffer.alloc(64))
    }
    expect(push).toThrow(/The vertex number 21 has more than 1000 bytes, so it has too many edges for Gryo/)
  })

  it.each([1, 2, 3, 8])("refuses another file at its first bytes (in chunks of %i)", (piece) => {
    const decoder = new GryoDecoder({ vertex: () => undefined, edge: () => undefined })
    const push = (data: Buffer): void => {
      for (let at = 0; at < data.length; at += piece) decoder.push(data.subarray(at, at + piece))
    }
    push(marko)
    push(Buffer.from("gi"))
    expect(() => push(Buffer.from("v"))).toThrow("The vertex number 2 does not begin as in a Gryo file")
  })

  it.each<readonly [string, Uint8Array, RegExp]>([
    ["an end inside a vertex", marko.subarray(0, 60), /ends inside the vertex number 1, or is no Gryo file/],
    ["a very short file", Buffer.from("gi"), /ends inside the vertex number 1, or is no Gryo file/],
    ["another file", Buffer.from('{"id":1}'), /The vertex number 1 does not begin as in a Gryo file/],
    ["another file with a terminator", marko.subarray(3), /does not begin as in a Gryo file/],
    [
      "a class that cannot be read",
      Buffer.concat([marko.subarray(0, 18), bytes("01 01 a003 00"), marko.subarray(18)]),
      /In the vertex number 1: the class with Gryo's id \d+ cannot be read/
    ]
  ])("reports a fault: %s", (_what, data, message) => {
    expect(() => read(data)).toThrow(message)
  })
})

describe("Values of Kryo", () => {
  const value = (hex: string): unknown => {
    const data = bytes(hex)
    const input = new KryoInput(data, 0, data.length)
    const found = new KryoReader(input).classAndObject()
    expect(input.position).toBe(data.length)
    return found
  }

  it.each<readonly [string, string, unknown]>([
    ["null", "00", null],
    ["Int", "02 0e", 7],
    ["negative Int", "02 ffffffff0f", -2147483648],
    ["ASCII", "03 01 616263e4", "abcd"],
    ["one character", "03 01 82 61", "a"],
    ["empty string", "03 01 81", ""],
    ["other characters", "03 01 84 c3a9 e282ac 61", "\u00e9\u20aca"],
    ["Float", "04 3fc00000", new Float(1.5)],
    ["true", "05 01", true],
    ["Byte", "06 ff", new Byte(-1)],
    ["Char", "07 0041", new Char("A")],
    ["Short", "08 fffe", new Short(-2)],
    ["Long", "09 03", -2n],
    ["long Long", "09 feffffffffffffffff", 9223372036854775807n],
    ["Double", "0a 3ff0000000000000", new Double(1)],
    ["list", "0c 01 02 0202 0204", [1, 2]],
    ["set", "40 01 01 0202", new GremlinSet([1])],
    ["map", "0d 01 01 0301 82 61 0202", new GremlinMap([["a", 1]])],
    ["empty list", "35 01", []],
    ["BigInteger", "24 01 03 ff38", new BigInteger(-200n)],
    ["BigDecimal", "25 01 02 7b 04", new BigDecimal(123n, 2)],
    ["bytes", "1b 01 03 0102", Uint8Array.of(1, 2)],
    ["UUID", "13 01 41d2e28a20a44ab0b379d810dede3786", new Uuid("41d2e28a-20a4-4ab0-b379-d810dede3786")],
    ["Date", "28 01 e807", new Timestamp(1000)],
    ["Timestamp", "a301 01 e807", new Timestamp(1000, true)],
    ["Duration", "5f 01 000000003b9aca01", new Duration(1n, 1)],
    ["LocalDate", "61 01 0000000000000001", new Temporal("LocalDate", "1970-01-02")],
    ["Instant", "60 01 0000000000000001 00000000", new Temporal("Instant", "1970-01-01T00:00:01Z")],
    ["Year", "68 01 000007e9", new Temporal("Year", "2025")],
    ["Period", "67 01 00000001 00000002 00000003", new Temporal("Period", "P1Y2M3D")],
    [
      "OffsetDateTime",
      "65 01 01 000007e9 00000001 00000002 00000003 00000004 00000005 00000006 01 82 5a",
      new OffsetDateTime(Date.UTC(2025, 0, 2, 3, 4, 5), 6, 0)
    ]
  ])("%s", (_name, hex, expected) => {
    expect(text(value(hex))).toBe(text(expected))
    expect(value(hex)).toEqual(expected)
  })

  it("are read in linear time if they are long integers", () => {
    // The length and 1 as a number of variable length.
    const read = value(`24 01 81b518 01${"00".repeat(399_999)}`) as BigInteger
    expect(read.value === 1n << 3_199_992n).toBe(true)
  })

  it("are shared if they were shared when written", () => {
    const [first, second] = value("0c 01 02 0c 01 00 0c 03") as [unknown, unknown]
    expect(first).toEqual([])
    expect(second).toBe(first)
  })

  it.each(["02 ffffffffffff", "0c 01 01 0c 09", "01 00 82 61"])("are refused if they are malformed: %s", (hex) => {
    expect(() => value(hex)).toThrow()
  })
})
