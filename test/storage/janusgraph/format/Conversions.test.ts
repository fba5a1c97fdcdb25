import { describe, expect, it } from "vitest"
import {
  asBoolean,
  asShape,
  asText,
  asTimestamp,
  decimal,
  integer,
  single
} from "../../../../src/storage/janusgraph/format/Conversions.ts"
import { GremlinMap, GremlinSet } from "../../../../src/structure/collections/Collections.ts"
import { Geoshape } from "../../../../src/structure/geoshapes/Geoshape.ts"
import { BigDecimal, BigInteger, Byte, double, Float } from "../../../../src/structure/numbers/Numbers.ts"
import { uuidOfText } from "../../../../src/structure/scalars/Uuid.ts"
import { Duration, Temporal, Timestamp } from "../../../../src/structure/times/Temporal.ts"

/** A map of a script, with maps in it. */
const mapOf = (value: object): GremlinMap =>
  new GremlinMap(Object.entries(value).map(([key, member]) => [key, memberOf(member)]))

const memberOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(memberOf)
  return typeof value === "object" && value !== null ? mapOf(value) : value
}

describe("A value for a key of another type becomes what JanusGraph makes of it", () => {
  it.each([
    [1.5, "1.5"],
    [double(1e10), "1.0E10"],
    [new Float(1.5), "1.5"],
    [new Byte(1), "1"],
    [17n, "17"],
    [new BigInteger(15n), "15"],
    [true, "true"],
    [new Timestamp(5), "Thu Jan 01 00:00:00 UTC 1970"],
    [new Temporal("Instant", "1970-01-01T00:00:00Z"), "1970-01-01T00:00:00Z"],
    [new Duration(5n, 0), "PT5S"],
    [Geoshape.point(1, 2), "POINT (2 1)"],
    [[1, "a", [true, null]], "[1, a, [true, null]]"],
    [new GremlinSet([1, 2]), "[1, 2]"],
    [mapOf({ a: 1, b: { c: "x" } }), "{a=1, b={c=x}}"],
    [null, undefined]
  ])("a String of %s", (value, text) => {
    expect(asText(value)).toBe(text)
  })

  it.each([
    [new BigDecimal(90071992547409930n, 1), 9007199254740993n],
    [new BigDecimal(9007199254740993n, 0), 9007199254740993n],
    [new BigDecimal(9n, -18), 9_000_000_000_000_000_000n],
    [new BigDecimal(15n, 1), undefined],
    [new BigDecimal(1n, -400), undefined],
    [new BigDecimal(1n, 400), undefined]
  ])("a Long of a BigDecimal, with all of its digits: %o", (value, whole) => {
    expect(integer(value, 64)).toBe(whole)
    expect(decimal(value)).toBe(Number(`${value.unscaled}e${-value.scale}`))
  })

  it.each([
    ["1970-01-01", 0],
    ["1970-01-01T00:00:00", 0],
    ["1970-01-01T00:00Z", 0],
    ["1970-01-01T00:00:00.123456Z", 123],
    ["1970-01-01T00:00:00.5", 500],
    ["1970-01-01T00:00:00+0100", -3_600_000],
    ["1970-01-01T00:00:00+01:00", -3_600_000],
    ["5", 5],
    [5n, 5],
    ["1970-01-01 00:00:00", undefined],
    ["1970-01-01T00:00.5Z", undefined],
    ["1970-02-30", undefined],
    ["Thu, 01 Jan 1970 00:00:05 GMT", 5_000],
    ["thu, 1 jan 1970 00:00 gmt", 0],
    ["1 Jan 1970 01:00:00 +0130", -1_800_000],
    ["1 Jan 1970 00:00:00 -0130", 5_400_000],
    ["31 Feb 1970 24:00:00 GMT", 59 * 86_400_000],
    ["29 Feb 2020 00:00 GMT", 1_582_934_400_000],
    ["Fri, 01 Jan 1970 00:00:00 GMT", undefined],
    ["1 Jan 1970 24:00:01 GMT", undefined],
    ["1 Jan 1970 00:60:00 GMT", undefined],
    ["1 Jan 1970 00:00:60 GMT", undefined],
    ["32 Jan 1970 00:00:00 GMT", undefined],
    ["1 Foo 1970 00:00:00 GMT", undefined],
    ["1 Jan 1970 00:00:00 UTC", undefined],
    ["1 Jan 1970 00:00:00 +1900", undefined],
    ["x", undefined],
    [5, 5],
    [new BigDecimal(5n, 0), 5],
    [5.5, undefined],
    [double(5), undefined],
    [1_546_338_030_000, undefined],
    [new Float(5), undefined]
  ])("a Date of %s", (value, millis) => {
    expect(asTimestamp(value)?.epochMillis).toBe(millis)
  })

  it.each([
    ["NaN", Number.NaN],
    ["-Infinity", -Infinity],
    ["+Infinity", Infinity],
    [" 1.5\n", 1.5],
    ["1.5d", 1.5],
    ["2.f", 2],
    [".5", 0.5],
    ["1e3", 1000],
    ["-0", -0],
    ["0x1p3", 8],
    ["-0x1.8p1", -3],
    [5n, 5],
    ["nan", undefined],
    ["1,5", undefined],
    ["1.5L", undefined],
    ["0x1", undefined],
    ["1.5.5", undefined],
    ["", undefined],
    [true, undefined]
  ])("a Double of %s", (value, number) => {
    expect(decimal(value)).toBe(number)
  })

  it.each([
    [1.5, 1.5],
    ["1e40", 1e40],
    [double(Number.NaN), Number.NaN],
    [new Float(Infinity), Infinity],
    [double(Infinity), undefined],
    [1e300, undefined]
  ])("a Float of %s", (value, number) => {
    expect(single(value)).toBe(number)
  })

  it.each([
    ["5", 5n],
    ["+5", 5n],
    ["-5", -5n],
    [5.0, 5n],
    ["5.0", undefined],
    ["1e3", undefined],
    [" 5", undefined],
    [5.5, undefined],
    [2n ** 31n, undefined]
  ])("an Integer of %s", (value, number) => {
    expect(integer(value, 32)).toBe(number)
  })

  it.each([
    ["1-2-3-4-5", "00000001-0002-0003-0004-000000000005"],
    ["A-b-C-d-E", "0000000a-000b-000c-000d-00000000000e"],
    ["c0ffee00-0000-4000-8000-000000000001", "c0ffee00-0000-4000-8000-000000000001"],
    ["1-2-3-4", undefined],
    ["123456789-2-3-4-5", undefined],
    ["1-2-3-4-g", undefined]
  ])("a UUID of %s", (value, text) => {
    expect(uuidOfText(value)?.text).toBe(text)
  })

  it.each([
    ["1,2", "POINT (2 1)"],
    [[1, 2], "POINT (2 1)"],
    [["1", "2"], undefined],
    [{ type: "Point", coordinates: [1.5, 2.5] }, "POINT (1.5 2.5)"],
    [{ type: "Point", coordinates: [1.5, 2.5, 3.5], crs: "x" }, "POINT (1.5 2.5)"],
    [{ type: "Feature", geometry: { type: "Point", coordinates: [1, 2] } }, "POINT (1 2)"],
    [
      {
        type: "LineString",
        coordinates: [
          [1, 2],
          [3, 4]
        ]
      },
      "LINESTRING (1 2, 3 4)"
    ],
    [
      { type: "GeometryCollection", geometries: [{ type: "Point", coordinates: [1, 2] }] },
      "GEOMETRYCOLLECTION (POINT (1 2))"
    ],
    [{ type: "Circle", coordinates: [1, 2], radius: 0 }, undefined],
    [{ type: "Point", coordinates: ["1", "2"] }, undefined],
    [{ type: "point", coordinates: [1, 2] }, undefined],
    [{ type: "Feature" }, undefined],
    [{ type: "FeatureCollection", features: [] }, undefined],
    [{ coordinates: [1, 2] }, undefined]
  ])("a Geoshape of %j", (value, text) => {
    const given = typeof value === "object" && !Array.isArray(value) ? mapOf(value) : value
    expect(asShape(given)?.toString()).toBe(text)
  })

  it.each([
    ["TRUE", true],
    ["False", false],
    [1, true],
    [0, false],
    ["yes", undefined],
    [2, undefined]
  ])("a Boolean of %s", (value, flag) => {
    expect(asBoolean(value)).toBe(flag)
  })
})
