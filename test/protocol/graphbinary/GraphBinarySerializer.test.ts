import { describe, expect, it } from "vitest"
import { Bytecode, Instruction, Traverser } from "../../../src/process/language/Bytecode.ts"
import { P, TextP } from "../../../src/process/language/Predicate.ts"
import { GraphBinaryReader } from "../../../src/protocol/graphbinary/GraphBinaryReader.ts"
import { serializers } from "../../../src/protocol/Serializers.ts"
import { GremlinMap, GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { Geoshape } from "../../../src/structure/geoshapes/Geoshape.ts"
import { parseDecimal } from "../../../src/structure/numbers/Decimal.ts"
import { BigInteger, Byte, Double, Float, Short } from "../../../src/structure/numbers/Numbers.ts"
import { TraversalExplanation } from "../../../src/structure/profiles/Metrics.ts"
import { Char } from "../../../src/structure/scalars/Char.ts"
import { T } from "../../../src/structure/scalars/Enums.ts"
import { Uuid } from "../../../src/structure/scalars/Uuid.ts"
import { parseDate } from "../../../src/structure/times/Dates.ts"
import { Duration, Temporal, Timestamp } from "../../../src/structure/times/Temporal.ts"
import { bulkSet, created, marko } from "../Elements.ts"
import { shape } from "../Shape.ts"

describe("GraphBinary", () => {
  it.each([
    [
      "OffsetDateTime",
      "88 00 000007e5 02 1c 0000000000000000 00000000",
      "88 00 000007e5 02 1d 0000000000000000 00000000"
    ],
    ["LocalDate", "84 00 000007d0 02 1d", "84 00 0000076c 02 1d"],
    ["MonthDay", "87 00 02 1d", "87 00 02 1e"]
  ])("refuses a %s of a day that does not exist, as Java does", (_, real, wrong) => {
    const read = (hex: string) => new GraphBinaryReader(Buffer.from(hex.replaceAll(" ", ""), "hex"), 0).value()
    expect(read(real)).toBeDefined()
    expect(() => read(wrong)).toThrow(/out of (?:its )?range|java\.time/)
  })

  it.each(["80 00 e2 28 a1", "80 00 80 41", "80 00 bf bf", "80 00 c0 80", "80 00 ed a0 80", "80 00 ff bf bf bf"])(
    "refuses a Char that is not one character in UTF-8: %s",
    (hex) => {
      const read = () => new GraphBinaryReader(Buffer.from(hex.replaceAll(" ", ""), "hex"), 0).value()
      expect(read).toThrow("A Char is not one character")
    }
  )

  it.each([
    ["81 00 ffffffffffffffff e2329b00", new Duration(-2n, 500_000_000)],
    ["81 00 0000000000000001 77359400", new Duration(3n, 0)],
    ["81 00 8000000000000000 3b9aca00", new Duration(1n - 2n ** 63n, 0)],
    ["83 00 ffffffffffffffff e2329b00", new Temporal("Instant", "1969-12-31T23:59:58.500Z")],
    ["83 00 0000000000000001 77359400", new Temporal("Instant", "1970-01-01T00:00:03Z")]
  ])("reads nanoseconds out of a second as java.time does: %s", (hex, value) => {
    const bytes = Buffer.from(hex.replaceAll(" ", ""), "hex")
    expect(new GraphBinaryReader(bytes, 0).value()).toEqual(value)
  })

  it("refuses a Duration that is longer than the longest one", () => {
    for (const hex of ["81008000000000000000ffffffff", "81007fffffffffffffff3b9aca00"]) {
      expect(() => new GraphBinaryReader(Buffer.from(hex, "hex"), 0).value()).toThrow("A Duration is out of range")
    }
  })

  const cases: ReadonlyArray<readonly [string, unknown, string]> = [
    ["null", null, "fe01"],
    ["Int", 257, "01 00 00000101"],
    ["Long", -2n, "02 00 fffffffffffffffe"],
    ["String", "abc€", "03 00 00000006 616263e282ac"],
    ["Date", new Timestamp(1), "04 00 0000000000000001"],
    ["Timestamp", new Timestamp(-1, true), "05 00 ffffffffffffffff"],
    ["distant Date", new Timestamp(2n ** 63n - 1n), "04 00 7fffffffffffffff"],
    ["Double", 0.1, "07 00 3fb999999999999a"],
    ["integral Double", new Double(1), "07 00 3ff0000000000000"],
    ["Float", new Float(0.375), "08 00 3ec00000"],
    ["List", [1, null], "09 00 00000002 010000000001 fe01"],
    ["Map", new GremlinMap([["a", true]]), "0a 00 00000001 03000000000161 270001"],
    ["Set", new GremlinSet(["a"]), "0b 00 00000001 03000000000161"],
    ["UUID", new Uuid("00112233-4455-6677-8899-aabbccddeeff"), "0c 00 00112233445566778899aabbccddeeff"],
    [
      "Vertex",
      marko(),
      "11 00 010000000001 00000006706572736f6e 0900 00000002" +
        "1200 02000000000000000000 000000046e616d65 0300000000056d61726b6f fe01 090000000000" +
        "1200 02000000000000000001 00000003616765 01000000001d fe01 090000000000"
    ],
    [
      "Edge",
      created(),
      "0d00 010000000009 0000000763726561746564 010000000003 00000008736f667477617265 010000000001 00000006706572736f6e fe01" +
        "0900 00000001 0f00 00000006776569676874 07003fd999999999999a fe01"
    ],
    ["T", T.id, "20 00 0300000000026964"],
    ["Traverser", new Traverser("x", 3), "21 00 0000000000000003 03000000000178"],
    ["BigDecimal", parseDecimal("1.50"), "22 00 00000002 00000002 0096"],
    ["BigInteger -129", new BigInteger(-129n), "23 00 00000002 ff7f"],
    ["BigInteger 128", new BigInteger(128n), "23 00 00000002 0080"],
    ["BigInteger 0", new BigInteger(0n), "23 00 00000001 00"],
    ["Byte", new Byte(-1), "24 00 ff"],
    ["Short", new Short(-2), "26 00 fffe"],
    [
      "Bytecode",
      new Bytecode([], [new Instruction("V", [1])]),
      "15 00 00000001 0000000156 00000001 010000000001 00000000"
    ],
    ["P", new P("within", [1, 2]), "1e 00 0000000677697468696e 00000002 010000000001 010000000002"],
    [
      "bulk set",
      bulkSet(),
      "2a 00 00000002 0300000000056d61726b6f 0000000000000001 0300000000046a6f7368 0000000000000002"
    ],
    ["Char", new Char("€"), "80 00 e282ac"],
    ["OffsetDateTime", parseDate("2007-12-03T10:15:30.120+01:00"), "88 00 000007d7 0c 03 0000219676af2200 00000e10"],
    ["LocalDate", new Temporal("LocalDate", "2016-01-01"), "84 00 000007e0 01 01"],
    [
      "ZonedDateTime",
      new Temporal("ZonedDateTime", "2016-12-23T12:12:24.000000036+02:00[GMT+02:00]"),
      "8d 00 000007e0 0c 17 000027f782829024 00001c20"
    ]
  ]
  for (const [name, value, hex] of cases) {
    it(`has the bytes of the specification for: ${name}`, () => {
      expect(serializers.graphBinaryV1.writeValue(value).toString("hex")).toBe(hex.replaceAll(" ", ""))
    })
  }

  it("has null in place of properties that the request does not want", () => {
    const bare = { properties: false }
    expect(serializers.graphBinaryV1.writeValue(marko(), bare).toString("hex")).toBe(
      "1100010000000001" + "00000006706572736f6e" + "fe01"
    )
    expect(serializers.graphBinaryV1.writeValue(created(), bare).toString("hex").endsWith("fe01fe01")).toBe(true)
  })

  it("has a map in place of an explanation, which has no type", () => {
    const explanation = new TraversalExplanation(["A"], [{ strategy: "S", category: "C", steps: ["B"] }])
    const back = new GraphBinaryReader(serializers.graphBinaryV1.writeValue(explanation), 0).value()
    expect(shape(back)).toEqual({
      map: [
        ["original", ["A"]],
        [
          "intermediate",
          [
            {
              map: [
                ["strategy", "S"],
                ["category", "C"],
                ["traversal", ["B"]]
              ]
            }
          ]
        ],
        ["final", ["B"]]
      ]
    })
  })

  it("may contain relation identifiers of JanusGraph, which are read as text", () => {
    const name = Buffer.from("janusgraph.RelationIdentifier")
    const long = (value: number): string => value.toString(16).padStart(16, "0")
    const head = `00${name.length.toString(16).padStart(8, "0")}${name.toString("hex")}0000100100`
    const read = (hex: string): unknown => new GraphBinaryReader(Buffer.from(hex, "hex"), 0).value()
    expect(read(`${head}00${long(4104)}${long(5)}${long(36)}00${long(8200)}`)).toBe("10-360-5-6bs")
    expect(
      read(`${head}01${Buffer.from("ab").toString("hex").replace("62", "e2")}${long(5)}${long(36)}00${long(0)}`)
    ).toBe("10-Sab-5")
  })

  it("may contain predicates and shapes of JanusGraph", () => {
    const custom = (name: string, info: string): string =>
      `00${name.length.toString(16).padStart(8, "0")}${Buffer.from(name).toString("hex")}0000${info}00`
    const double = (value: number): string => {
      const bytes = Buffer.alloc(8)
      bytes.writeDoubleBE(value)
      return bytes.toString("hex")
    }
    const read = (hex: string): unknown => new GraphBinaryReader(Buffer.from(hex, "hex"), 0).value()
    const geoshape = (kind: number, ...numbers: ReadonlyArray<number>): string =>
      `${custom("janusgraph.Geoshape", "1000")}02${kind.toString(16).padStart(8, "0")}${numbers.map(double).join("")}`
    expect(read(geoshape(0, 46, 7.5))).toEqual(Geoshape.point(46, 7.5))
    expect(read(geoshape(1, 46, 7.5, 5))).toEqual(Geoshape.circle(46, 7.5, 5))
    expect(read(geoshape(2, 1, 2, 3, 4))).toEqual(Geoshape.box(1, 2, 3, 4))
    expect(() => read(geoshape(4, 1, 2))).toThrow("The length 1072693248 of a line does not fit the message")
    expect(() => read(geoshape(0, 91, 2))).toThrow("a latitude is from -90 to 90")
    const name = Buffer.from("textContains").toString("hex")
    const predicate = `${custom("janusgraph.P", "1002")}0000000c${name}03000000000161`
    expect(read(predicate)).toEqual(new TextP("textContains", "a"))
  })
})
