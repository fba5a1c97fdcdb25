import { describe, expect, it } from "vitest"
import { asBoolean, asText, asTimestamp } from "../../../../src/storage/janusgraph/format/Conversions.ts"
import { Geoshape } from "../../../../src/structure/Geoshape.ts"
import { BigInteger, Byte, double, Float } from "../../../../src/structure/Numbers.ts"
import { Duration, Temporal, Timestamp } from "../../../../src/structure/Temporal.ts"

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
    [[1], undefined]
  ])("a String of %s", (value, text) => {
    expect(asText(value)).toBe(text)
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
    ["x", undefined],
    [5.5, undefined]
  ])("a Date of %s", (value, millis) => {
    expect(asTimestamp(value)?.epochMillis).toBe(millis)
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
