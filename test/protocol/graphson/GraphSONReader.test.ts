import { describe, expect, it } from "vitest"
import { StrategySpec } from "../../../src/process/language/Bytecode.ts"
import { P, TextP } from "../../../src/process/language/Predicate.ts"
import { GraphSONReader } from "../../../src/protocol/graphson/GraphSONReader.ts"
import { GremlinMap, GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { Geoshape } from "../../../src/structure/geoshapes/Geoshape.ts"
import { BigInteger, Double, Float } from "../../../src/structure/numbers/Numbers.ts"
import { InetAddress } from "../../../src/structure/scalars/InetAddress.ts"
import { Temporal } from "../../../src/structure/times/Temporal.ts"
import { shape } from "../Shape.ts"

describe("A GraphSONReader", () => {
  const read = (text: string): unknown => new GraphSONReader(text, { classes: false, integers: "Int" }).value()

  it("refuses numbers with too many digits to convert in a short time", () => {
    const digits = "9".repeat(10_001)
    for (const number of [digits, `"${digits}"`]) {
      for (const text of [
        number,
        `{"@type":"gx:BigInteger","@value":${number}}`,
        `{"@type":"gx:BigDecimal","@value":${number}}`,
        `{"@type":"g:Int64","@value":${number}}`
      ]) {
        if (text === `"${digits}"`) continue
        expect(() => read(text)).toThrow("A number has more than 10000 characters")
      }
    }
    expect(read(`{"@type":"gx:BigInteger","@value":${digits.slice(1)}}`)).toEqual(new BigInteger(10n ** 10_000n - 1n))
  })

  it.each([
    ["Double", "-INF", Number.NEGATIVE_INFINITY],
    ["Double", "-inf", Number.NEGATIVE_INFINITY],
    ["Double", "INF", Number.POSITIVE_INFINITY],
    ["Double", "nan", Number.NaN],
    ["Double", " 1.5e1 ", new Double(15)],
    ["Float", "-INF", new Float(Number.NEGATIVE_INFINITY)],
    ["Int32", "1e1", 10],
    ["Int64", " 10 ", 10n]
  ])("reads the number of a g:%s in quotes: %s", (type, text, value) => {
    expect(shape(read(`{"@type":"g:${type}","@value":"${text}"}`))).toEqual(shape(value))
  })

  it.each(["0x10", "0b1", "0o7", "", " ", "1_0", "1n", "one", "--1", "1.5d"])("refuses a number as %s", (text) => {
    for (const type of ["g:Double", "g:Float", "g:Int32", "g:Int64", "gx:BigInteger", "gx:BigDecimal", "gx:Byte"]) {
      expect(() => read(`{"@type":"${type}","@value":"${text}"}`), type).toThrow(/number|integer|decimal|text/i)
    }
  })

  it("refuses a duration with too many digits to convert in a short time", () => {
    const duration = (text: string) => read(`{"@type":"gx:Duration","@value":"${text}"}`)
    expect(duration(`PT${"0".repeat(20)}60S`)).toEqual(duration("PT1M"))
    for (const unit of ["D", "H", "M", "S"]) {
      // Zeros have no other problem than their number.
      const text = `${"0".repeat(100_000)}1${unit}`
      expect(() => duration(unit === "D" ? `P${text}` : `PT${text}`)).toThrow("as a duration")
    }
  })

  it("refuses base64 without its last characters, which would lose bytes", () => {
    const bytes = (text: string) => read(`{"@type":"gx:ByteBuffer","@value":"${text}"}`)
    expect(bytes("")).toEqual(new Uint8Array())
    expect(bytes("QQ==")).toEqual(Uint8Array.of(65))
    expect(bytes("QUI=")).toEqual(Uint8Array.of(65, 66))
    expect(bytes("QUJD")).toEqual(Uint8Array.of(65, 66, 67))
    for (const text of ["Q", "QUJDR", "QUJDRA", "QQ=", "QQ", "A===", "QQ==QQ==", "QUJ_"]) {
      expect(() => bytes(text), text).toThrow("not in base64")
    }
  })

  it.each([
    ["OffsetDateTime", "2021-02-28T10:00:00Z", "2021-02-30T10:00:00Z"],
    ["LocalDate", "2000-02-29", "1900-02-29"],
    ["LocalDate", "+999999996-02-29", "+999999997-02-29"],
    ["LocalDateTime", "2021-04-30T10:00", "2021-04-31T10:00"],
    ["ZonedDateTime", "2021-02-28T10:00Z[UTC]", "2021-02-29T10:00Z[UTC]"],
    ["Instant", "2021-02-28T10:00:00Z", "2021-02-29T10:00:00Z"],
    ["MonthDay", "--02-29", "--02-30"]
  ])("refuses a %s of a day that does not exist, as Java does", (type, real, wrong) => {
    expect(read(`{"@type":"gx:${type}","@value":"${real}"}`)).toBeDefined()
    expect(() => read(`{"@type":"gx:${type}","@value":"${wrong}"}`)).toThrow(wrong)
  })

  const cases: ReadonlyArray<readonly [string, string, unknown]> = [
    [
      "integers that are too long for a JavaScript number",
      '{"@type":"g:Int64","@value":9007199254740993}',
      9007199254740993n
    ],
    ["the smallest Long", '{"@type":"g:Int64","@value":-9223372036854775808}', -9223372036854775808n],
    ["numbers in quotes", '{"@type":"g:Int64","@value":"42"}', 42n],
    ["an Int that a client wrote with a point", '{"@type":"g:Int32","@value":1.0}', 1],
    ["infinities", '{"@type":"g:Double","@value":"-Infinity"}', Number.NEGATIVE_INFINITY],
    ["a Double without a point", '{"@type":"g:Double","@value":1}', new Double(1)],
    [
      "plain numbers by their form",
      "[1,1.0,2147483648,1e2,-0,123456789012345678901234567890]",
      [1, new Double(1), 2147483648n, new Double(100), 0, new BigInteger(123456789012345678901234567890n)]
    ],
    ["the value before the type", '{"@value":[{"@value":1,"@type":"g:Int64"}],"@type":"g:Set"}', new GremlinSet([1n])],
    [
      "members in their order, whatever their names",
      '{"b":1,"1":2,"__proto__":3}',
      new GremlinMap([
        ["b", 1],
        ["1", 2],
        ["__proto__", 3]
      ])
    ],
    ["the last of two members with one name", '{"a":1,"a":2}', new GremlinMap([["a", 2]])],
    [
      "an object with a type and no value as data",
      '{"@type":"x","a":1}',
      new GremlinMap([
        ["@type", "x"],
        ["a", 1]
      ])
    ],
    ["null of any type", '{"@type":"g:Vertex","@value":null}', null],
    ["escapes", '"\\u00e9\\n\\ud83d\\ude00\\\\"', "é\n😀\\"],
    ["line ends inside strings", '"a\nb\\tc"', "a\nb\tc"],
    ["white space anywhere", ' { "a" : [ 1 , 2 ] } ', new GremlinMap([["a", [1, 2]]])],
    [
      "strategies as 3.6 and 3.7 send them",
      '{"@type":"g:SeedStrategy","@value":{"seed":1}}',
      new StrategySpec("SeedStrategy", new Map([["seed", 1]]))
    ],
    [
      "strategies as 3.8 sends them",
      '{"@type":"g:SeedStrategy","@value":{"fqcn":"org.x.SeedStrategy","conf":{"seed":1}}}',
      new StrategySpec("SeedStrategy", new Map([["seed", 1]]))
    ],
    [
      "strategies by class alone",
      '{"@type":"g:TraversalStrategy","@value":{"fqcn":"org.x.MyStrategy","conf":{}}}',
      new StrategySpec("MyStrategy", new Map())
    ],
    [
      "predicates with typed lists",
      '{"@type":"g:P","@value":{"predicate":"within","value":{"@type":"g:Set","@value":["a"]}}}',
      new P("within", ["a"])
    ],
    ["within a single value", '{"@type":"g:P","@value":{"predicate":"within","value":"a"}}', new P("within", ["a"])],
    ["eq with a list", '{"@type":"g:P","@value":{"predicate":"eq","value":["a"]}}', new P("eq", ["a"])],
    ["constants of older drivers", '{"@type":"g:Order","@value":"decr"}', undefined],
    [
      "relation identifiers",
      '{"@type":"janusgraph:RelationIdentifier","@value":{"relationId":"1zz-3co-4r9-360"}}',
      "1zz-3co-4r9-360"
    ],
    [
      "predicates of JanusGraph",
      '{"@type":"janusgraph:JanusGraphP","@value":{"predicate":"textContains","value":"a"}}',
      new TextP("textContains", "a")
    ],
    [
      "points of JanusGraph",
      '{"@type":"janusgraph:Geoshape","@value":{"coordinates":[{"@type":"g:Double","@value":7.5},{"@type":"g:Double","@value":46}]}}',
      Geoshape.point(46, 7.5)
    ],
    [
      "circles of JanusGraph",
      '{"@type":"janusgraph:Geoshape","@value":{"geometry":{"type":"Circle","coordinates":[7.5,46],"radius":5.5,"properties":{"radius_units":"km"}}}}',
      Geoshape.circle(46, 7.5, 5.5)
    ],
    [
      "boxes of JanusGraph",
      '{"@type":"janusgraph:Geoshape","@value":{"geometry":{"@type":"g:Map","@value":["type","Polygon","coordinates",[[[1,2],[1,4],[3,4],[3,2],[1,2]]]]}}}',
      Geoshape.box(2, 1, 4, 3)
    ],
    [
      "IPv6 addresses",
      '{"@type":"gx:InetAddress","@value":"fe80::1:192.0.2.1"}',
      new InetAddress(Uint8Array.of(0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 192, 0, 2, 1))
    ],
    ["java.time values", '{"@type":"gx:LocalTime","@value":"12:30:45"}', new Temporal("LocalTime", "12:30:45")]
  ]
  for (const [name, text, expected] of cases) {
    it(`reads ${name}`, () => {
      if (expected === undefined) expect(shape(read(text))).toMatchObject({ class: "EnumValue" })
      else expect(shape(read(text))).toEqual(shape(expected))
    })
  }
})
