import { describe, expect, it } from "vitest"
import { ArithmeticFailure, MalformedText } from "../../../src/structure/errors/ValueErrors.ts"
import {
  addToDate,
  dateFields,
  dateOfFields,
  dateOfMillis,
  dateText,
  parseDate,
  timestampText
} from "../../../src/structure/times/Dates.ts"
import { durationOfNanos, durationText, parseDuration } from "../../../src/structure/times/Durations.ts"
import { OffsetDateTime, Timestamp } from "../../../src/structure/times/Temporal.ts"

/** What Gremlin's datetime() makes of a text, written back. */
const dates: ReadonlyArray<readonly [string, string]> = [
  ["2018-03-22T00:35:44Z", "2018-03-22T00:35:44Z"],
  ["2018-03-22T00:35:44.741Z", "2018-03-22T00:35:44.741Z"],
  ["2018-03-22T00:35:44.741+1600", "2018-03-22T00:35:44.741+16:00"],
  ["2018-03-22T00:35:44.741+16:00", "2018-03-22T00:35:44.741+16:00"],
  ["2018-03-22", "2018-03-22T00:00Z"],
  ["2018-03", "2018-03-01T00:00Z"],
  ["2018-3", "2018-03-01T00:00Z"],
  ["2018-03-22T00:35:44", "2018-03-22T00:35:44Z"],
  ["2018-03-22T00:35", "2018-03-22T00:35Z"],
  ["2018-02-30", "2018-02-28T00:00Z"],
  ["2018-02-30T00:00Z", "2018-02-28T00:00Z"],
  ["2018-04-31", "2018-04-30T00:00Z"],
  ["2018-03-22T24:00Z", "2018-03-23T00:00Z"],
  ["2018-03-22t00:35z", "2018-03-22T00:35Z"],
  ["2018-03-22T00:35+0130", "2018-03-22T00:35+01:30"],
  ["2018-03-22T00:35+013015", "2018-03-22T00:35+01:30:15"],
  ["2018-03-22T00:35+01:30:15", "2018-03-22T00:35+01:30:15"],
  ["2018-03-22T00:35:44.Z", "2018-03-22T00:35:44Z"],
  ["2018-03-22T00:35:44.123456789Z", "2018-03-22T00:35:44.123456789Z"],
  ["-0001-03-22", "-0001-03-22T00:00Z"],
  ["+12018-03-22", "+12018-03-22T00:00Z"],
  ["12018-03", "+12018-03-01T00:00Z"],
  ["-5-03", "-0005-03-01T00:00Z"],
  ["2018-03-22T00:35-00:00", "2018-03-22T00:35Z"],
  ["2018-03-22T00:35+18:00", "2018-03-22T00:35+18:00"],
  ["-12018-03-22T00:00-10:59", "-12018-03-22T00:00-10:59"],
  ["1970-01-01T00:00-0000", "1970-01-01T00:00Z"]
]

const noDates = [
  "2018-04-32",
  "2018-13",
  "2018-03-22T24:00:01Z",
  "2018-03-22T00:35+01",
  "2018-03-22T00:35+01:3015",
  "2018-03-22T00:35+0130:15",
  "2018-03-22T00:35:44.1234567891Z",
  "18-03-22",
  "12018-03-22",
  "+5-03",
  "2018-03-22T00:35+18:01",
  "2018-03-22T00:35+19:00",
  "2018-03-22T00:60",
  "2018-03-22 00:30",
  "00:35",
  "",
  "2018",
  "2018-03-22T00:35Z ",
  "2018-03-22T0:35Z",
  "2018-3-2",
  "2018-03-22T00:35+1:30",
  "2018-03-22Z",
  "2018-03-22T00:35:60Z",
  "2018-03-22T00",
  "2018-00",
  "2018-00-10",
  "2018-01-00",
  "+0999-01-01",
  "2018-03-22T00:35+01:60"
]

/** A duration's text, and what java.time.Duration makes of it: its own text, seconds and nanoseconds. */
const durations: ReadonlyArray<readonly [string, string, bigint, number]> = [
  ["PT1H", "PT1H", 3600n, 0],
  ["P1D", "PT24H", 86400n, 0],
  ["P1DT2H3M4.5S", "PT26H3M4.5S", 93784n, 500000000],
  ["-PT1H", "PT-1H", -3600n, 0],
  ["PT-1H", "PT-1H", -3600n, 0],
  ["-PT-1H30M", "PT30M", 1800n, 0],
  ["PT0.000000001S", "PT0.000000001S", 0n, 1],
  ["PT-0.5S", "PT-0.5S", -1n, 500000000],
  ["pt1h", "PT1H", 3600n, 0],
  ["PT1H-30M", "PT30M", 1800n, 0],
  ["PT+5S", "PT5S", 5n, 0],
  ["PT-1.5S", "PT-1.5S", -2n, 500000000],
  ["PT1,5S", "PT1.5S", 1n, 500000000],
  ["PT1.S", "PT1S", 1n, 0],
  ["P-1DT1S", "PT-23H-59M-59S", -86399n, 0],
  ["PT9223372036854775807S", "PT2562047788015215H30M7S", 9223372036854775807n, 0]
]

const noDurations = ["PT1.5M", "P", "PT", "P1DT", "P1W", "PT.5S", "PT9223372036854775808S", "PT1.1234567891S"]

describe("parseDate", () => {
  it.each(dates)("reads %s as %s", (text, expected) => {
    expect(dateText(parseDate(text))).toBe(expected)
  })

  it.each(noDates)("refuses '%s'", (text) => {
    expect(() => parseDate(text)).toThrow(MalformedText)
  })

  it("keeps instant, nanoseconds and offset", () => {
    expect(parseDate("2023-08-02T10:00:01.000001+01:30")).toEqual(new OffsetDateTime(1690965001000, 1000, 5400))
    expect(parseDate("1969-12-31T23:59:59.999999999Z")).toEqual(new OffsetDateTime(-1, 999999, 0))
  })
})

describe("dates", () => {
  it("have the calendar fields at their offset", () => {
    const date = parseDate("0000-02-29T23:30:00.5-18:00")
    const fields = { year: 0, month: 2, day: 29, nanoOfDay: 84_600_500_000_000n }
    expect(dateFields(date)).toEqual(fields)
    expect(dateOfFields(fields, -64800)).toEqual(date)
  })

  it("move by seconds, minutes, hours and days", () => {
    const date = parseDate("2023-02-28T23:59:30+01:00")
    expect(dateText(addToDate(date, "second", 30))).toBe("2023-03-01T00:00+01:00")
    expect(dateText(addToDate(date, "minute", -1))).toBe("2023-02-28T23:58:30+01:00")
    expect(dateText(addToDate(date, "hour", 1))).toBe("2023-03-01T00:59:30+01:00")
    expect(dateText(addToDate(date, "day", 366))).toBe("2024-02-29T23:59:30+01:00")
  })

  it("fail beyond the supported years", () => {
    expect(() => addToDate(dateOfMillis(0), "day", 200_000_000)).toThrow(ArithmeticFailure)
    expect(() => dateOfMillis(9e15)).toThrow(ArithmeticFailure)
    expect(() => parseDate("+999999999-01-01")).toThrow(ArithmeticFailure)
  })
})

describe("timestampText", () => {
  it("writes java.util.Date and java.sql.Timestamp at UTC", () => {
    expect(timestampText(new Timestamp(0))).toBe("Thu Jan 01 00:00:00 UTC 1970")
    expect(timestampText(new Timestamp(0, true))).toBe("1970-01-01 00:00:00.0")
    expect(timestampText(new Timestamp(1234567, true))).toBe("1970-01-01 00:20:34.567")
  })
})

describe("parseDuration", () => {
  it.each(durations)("reads %s as %s", (text, expected, seconds, nanos) => {
    const duration = parseDuration(text)
    expect(durationText(duration)).toBe(expected)
    expect({ ...duration }).toEqual({ seconds, nanos })
  })

  it.each(noDurations)("refuses '%s'", (text) => {
    expect(() => parseDuration(text)).toThrow(MalformedText)
  })

  it("writes the smallest parts and negative fractions", () => {
    expect(durationText(durationOfNanos(0n))).toBe("PT0S")
    expect(durationText(durationOfNanos(-1n))).toBe("PT-0.000000001S")
    expect(durationText(durationOfNanos(-61_500_000_000n))).toBe("PT-1M-1.5S")
    expect(durationText(durationOfNanos(-3_599_999_999_999n))).toBe("PT-59M-59.999999999S")
  })
})
