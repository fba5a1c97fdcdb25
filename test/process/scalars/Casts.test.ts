import { describe, expect, it } from "vitest"
import { TraversalError } from "../../../src/process/language/Errors.ts"
import { asBool, asDate, asNumber, asString, asStringLocal } from "../../../src/process/scalars/Casts.ts"
import { runWhole } from "../../../src/scheduling/Task.ts"
import { TimeSlice } from "../../../src/scheduling/TimeSlice.ts"
import { GremlinMap, GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { Detached } from "../../../src/structure/elements/Element.ts"
import { Path } from "../../../src/structure/elements/Path.ts"
import { ArithmeticFailure } from "../../../src/structure/errors/ValueErrors.ts"
import { BigDecimal, BigInteger, Byte, double, Float, Short } from "../../../src/structure/numbers/Numbers.ts"
import { dateText, parseDate } from "../../../src/structure/times/Dates.ts"
import { Timestamp } from "../../../src/structure/times/Temporal.ts"

const graph = new Detached()
const marko = graph.addVertex(1, "person")
const knows = graph.addEdge(7, "knows", marko, graph.addVertex(2, "person"))

const textsOf = (input: unknown) => runWhole(asStringLocal(new TimeSlice(), input))

describe("asString", () => {
  it("converts any value except null", () => {
    expect([1, double(1), "a", marko, knows, new GremlinMap([["name", ["marko"]]])].map((v) => asString(v))).toEqual([
      "1",
      "1.0",
      "a",
      "v[1]",
      "e[7][1-knows->2]",
      "{name=[marko]}"
    ])
    expect(() => asString(null)).toThrow("Can't parse null as String.")
  })

  it("converts the members of lists, sets and paths with Scope.local, but not those of maps", () => {
    expect(textsOf([1, [2]])).toEqual(["1", "[2]"])
    expect(textsOf(new GremlinSet([marko]))).toEqual(["v[1]"])
    expect(textsOf(new Path([1], [new Set()]))).toEqual(["1"])
    expect(textsOf(new GremlinMap([["a", 1]]))).toBe("{a=1}")
    expect(textsOf(1)).toBe("1")
    expect(() => textsOf([1, null])).toThrow("Can't parse null as String.")
    expect(() => textsOf(null)).toThrow("Can't parse null as String.")
  })
})

describe("asNumber", () => {
  it("keeps the kind of numbers, converts strings and dates, and keeps null", () => {
    for (const number of [5, 5n, new Byte(5), new Short(5), new BigInteger(5n), double(5), new Float(5.75)]) {
      expect(asNumber(number, null)).toBe(number)
    }
    expect(asNumber("5", null)).toBe(5)
    expect(asNumber(parseDate("2023-08-02"), null)).toBe(1690934400000n)
    expect(asNumber(new Timestamp(7), null)).toBe(7n)
    expect(asNumber(null, "Int")).toBe(null)
  })

  it("converts to the requested kind", () => {
    expect(asNumber(5.43, "Int")).toBe(5)
    expect(asNumber(5.67, "Int")).toBe(5)
    expect(asNumber(5, "Long")).toBe(5n)
    expect(asNumber("5", "Byte")).toEqual(new Byte(5))
    expect(asNumber("29", "Double")).toEqual(double(29))
    expect(asNumber(double(129), "Long")).toBe(129n)
  })

  it("refuses values that are not numbers or do not fit the kind", () => {
    expect(() => asNumber("test", null)).toThrow("Can't parse string 'test' as number.")
    expect(() => asNumber("1,000", "BigInteger")).toThrow("Can't parse string '1,000' as number.")
    expect(() => asNumber([1, 2], null)).toThrow("Can't parse type ArrayList as number.")
    expect(() => asNumber(32768, "Short")).toThrow(ArithmeticFailure)
    expect(() => asNumber(300, "Byte")).toThrow("Can't convert number of type Integer to Byte due to overflow.")
  })
})

describe("asBool", () => {
  it("is true for numbers except 0 and NaN, and parses true and false", () => {
    expect([1, 3.14, -1, 1n, new BigDecimal(1n, 3), true, "true", " tRUe "].every(asBool)).toBe(true)
    expect([0, -0, Number.NaN, 0n, new BigDecimal(0n, 2), false, "FALSE"].some(asBool)).toBe(false)
  })

  it("refuses other values", () => {
    expect(() => asBool(null)).toThrow("Can't parse null as Boolean.")
    expect(() => asBool("hello")).toThrow("Can't parse hello as Boolean.")
    expect(() => asBool("\u2003true")).toThrow("as Boolean.")
    expect(() => asBool([1, 2])).toThrow("Can't parse ArrayList as Boolean.")
  })
})

describe("asDate", () => {
  it("parses strings, takes integers as milliseconds, and keeps dates", () => {
    const date = parseDate("2023-08-02T00:00:00-07:00")
    expect(asDate(date)).toBe(date)
    expect(dateText(asDate("2023-08-02T00:00:00-07:00"))).toBe("2023-08-02T00:00-07:00")
    expect(dateText(asDate(1694017707000n))).toBe("2023-09-06T16:28:27Z")
    expect(dateText(asDate(new BigInteger(1694017708000n)))).toBe("2023-09-06T16:28:28Z")
    expect(dateText(asDate(1000))).toBe("1970-01-01T00:00:01Z")
    expect(dateText(asDate(new Timestamp(0)))).toBe("1970-01-01T00:00Z")
  })

  it("refuses other values", () => {
    for (const value of [1694017709000.1, double(1), [1, 2], null, "This String is not an ISO 8601 Date", 2n ** 62n]) {
      expect(() => asDate(value)).toThrow(TraversalError)
      expect(() => asDate(value)).toThrow("Can't parse")
    }
  })
})
