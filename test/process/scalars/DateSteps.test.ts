import { describe, expect, it } from "vitest"
import { TraversalError } from "../../../src/process/language/Errors.ts"
import { dateAdd, dateDiff } from "../../../src/process/scalars/DateSteps.ts"
import { DT } from "../../../src/structure/scalars/Enums.ts"
import { dateText, parseDate } from "../../../src/structure/times/Dates.ts"
import { Timestamp } from "../../../src/structure/times/Temporal.ts"

describe("dateAdd", () => {
  it("moves a date by each unit", () => {
    const date = parseDate("2023-08-02T00:00:00Z")
    expect(dateText(dateAdd(date, DT.hour, 2))).toBe("2023-08-02T02:00Z")
    expect(dateText(dateAdd(date, DT.hour, -1))).toBe("2023-08-01T23:00Z")
    expect(dateText(dateAdd(date, DT.minute, 10))).toBe("2023-08-02T00:10Z")
    expect(dateText(dateAdd(date, DT.second, 20))).toBe("2023-08-02T00:00:20Z")
    expect(dateText(dateAdd(date, DT.day, 11))).toBe("2023-08-13T00:00Z")
    expect(dateText(dateAdd(new Timestamp(0), DT.day, 1))).toBe("1970-01-02T00:00Z")
  })

  it("refuses values that are not dates", () => {
    expect(() => dateAdd("2023-08-02", DT.day, 1)).toThrow(TraversalError)
    expect(() => dateAdd(null, DT.day, 1)).toThrow("dateAdd() accept only OffsetDateTime or Date")
  })
})

describe("dateDiff", () => {
  it("is the input minus the other date in milliseconds, negative for an earlier input", () => {
    const date = parseDate("2023-08-02T00:00:00Z")
    expect(dateDiff(date, parseDate("2023-08-09T00:00:00Z"))).toBe(-604800000n)
    expect(dateDiff(parseDate("2023-08-08T00:00:00Z"), parseDate("2023-08-01T02:00:00+02:00"))).toBe(604800000n)
    expect(dateDiff(new Timestamp(5), new Timestamp(3))).toBe(2n)
  })

  it("rounds fractions of milliseconds towards 0", () => {
    const early = parseDate("2023-08-02T00:00:00.000000001Z")
    const late = parseDate("2023-08-02T00:00:00.002Z")
    expect(dateDiff(late, early)).toBe(1n)
    expect(dateDiff(early, late)).toBe(-1n)
    expect(dateDiff(early, parseDate("2023-08-02T00:00:00Z"))).toBe(0n)
  })

  it("is exact for dates that no JavaScript number has, and refuses what no Long has", () => {
    const never = new Timestamp(2n ** 63n - 1n)
    for (const other of [null, new Timestamp(0)]) expect(dateDiff(never, other)).toBe(2n ** 63n - 1n)
    expect(dateDiff(never, new Timestamp(2n ** 63n - 2n))).toBe(1n)
    expect(dateDiff(parseDate("1970-01-01T00:00:00.001Z"), never)).toBe(-(2n ** 63n) + 2n)
    expect(dateDiff(parseDate("1970-01-01T00:00:00.000000001Z"), never)).toBe(-(2n ** 63n) + 2n)
    expect(() => dateDiff(never, new Timestamp(-1))).toThrow(TraversalError)
    expect(() => dateDiff(new Timestamp(-(2n ** 63n)), new Timestamp(1))).toThrow("no Long")
  })

  it("treats null as 1970-01-01 and refuses other values", () => {
    expect(dateDiff(parseDate("2020-08-02"), null)).toBe(1596326400000n)
    expect(() => dateDiff(null, null)).toThrow("DateDiff can only take OffsetDateTime or Date (deprecated) as argument")
    expect(() => dateDiff(parseDate("2020-08-02"), 5)).toThrow("encountered Integer")
  })
})
