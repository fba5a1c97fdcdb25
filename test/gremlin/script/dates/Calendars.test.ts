import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

/** 2020-01-31T10:20:30.123Z, a Friday. */
const calendar = "c = Calendar.getInstance(); c.setTimeInMillis(1580466030123L);"

describe("A Calendar", () => {
  it("has the current time at first", () => {
    expect(shown("n = Calendar.getInstance().timeInMillis - System.currentTimeMillis(); n > -60000 && n <= 0")).toBe(
      "true"
    )
    expect(shown("import java.util.Calendar\nCalendar.instance.time instanceof Date")).toBe("true")
  })

  it("has fields", () => {
    const fields =
      "YEAR MONTH DATE DAY_OF_MONTH DAY_OF_YEAR DAY_OF_WEEK WEEK_OF_YEAR WEEK_OF_MONTH AM_PM HOUR HOUR_OF_DAY MINUTE SECOND MILLISECOND"
    const list = fields
      .split(" ")
      .map((field) => `c.get(Calendar.${field})`)
      .join(", ")
    expect(shown(`${calendar} [${list}]`)).toBe("[2020, 0, 31, 31, 31, 6, 5, 5, 0, 10, 10, 20, 30, 123]")
    expect(shown(`${calendar} [c[Calendar.YEAR], c.get(Calendar.DAY_OF_WEEK) == Calendar.FRIDAY]`)).toBe("[2020, true]")
    expect(shown("new GregorianCalendar(2020, Calendar.DECEMBER, 27).get(Calendar.WEEK_OF_YEAR)")).toBe("1")
    expect(
      shown(`${calendar} [c.getActualMaximum(Calendar.DAY_OF_MONTH), c.getActualMaximum(Calendar.DAY_OF_YEAR)]`)
    ).toBe("[31, 366]")
  })

  it("is set by fields, in any order", () => {
    const date = "c.format('yyyy-MM-dd HH:mm:ss')"
    expect(shown(`${calendar} c.set(2021, Calendar.FEBRUARY, 3); ${date}`)).toBe("2021-02-03 10:20:30")
    expect(shown(`${calendar} c.set(2021, 1, 3, 4, 5, 6); ${date}`)).toBe("2021-02-03 04:05:06")
    expect(shown(`${calendar} c.set(Calendar.MONTH, 1); c.set(Calendar.DATE, 1); ${date}`)).toBe("2020-02-01 10:20:30")
    expect(shown(`${calendar} c.set(Calendar.MONTH, 1); ${date}`)).toBe("2020-03-02 10:20:30")
    expect(shown(`${calendar} c[Calendar.HOUR_OF_DAY] = 25; ${date}`)).toBe("2020-02-01 01:20:30")
    expect(shown(`${calendar} c.set(Calendar.DAY_OF_WEEK, Calendar.MONDAY); ${date}`)).toBe("2020-01-27 10:20:30")
    expect(shown(`${calendar} c.set(Calendar.AM_PM, Calendar.PM); ${date}`)).toBe("2020-01-31 22:20:30")
    expect(shown(`${calendar} c.set(Calendar.DAY_OF_YEAR, 60); ${date}`)).toBe("2020-02-29 10:20:30")
    expect(shown(`${calendar} c.time = new Date(0); ${date}`)).toBe("1970-01-01 00:00:00")
    expect(shown(`${calendar} c.clearTime(); ${date}`)).toBe("2020-01-31 00:00:00")
  })

  it("adds to fields, and keeps within a shorter month", () => {
    const moved = (call: string): string => shown(`${calendar} c.add(${call}); c.time.format('yyyy-MM-dd HH:mm')`)
    expect(moved("Calendar.MONTH, 1")).toBe("2020-02-29 10:20")
    expect(moved("Calendar.MONTH, -2")).toBe("2019-11-30 10:20")
    expect(moved("Calendar.YEAR, 1")).toBe("2021-01-31 10:20")
    expect(moved("Calendar.DAY_OF_MONTH, -31")).toBe("2019-12-31 10:20")
    expect(moved("Calendar.WEEK_OF_YEAR, 1")).toBe("2020-02-07 10:20")
    expect(moved("Calendar.HOUR, 14")).toBe("2020-02-01 00:20")
  })

  it("is compared with another one", () => {
    const later = `${calendar} d = c.clone(); d.add(Calendar.SECOND, 1);`
    expect(shown(`${later} [c.before(d), c.after(d), c.compareTo(d), c.equals(d), c.equals(c.clone())]`)).toBe(
      "[true, false, -1, false, true]"
    )
    expect(shown(`${calendar} [c instanceof Calendar, c.toInstant().toString()]`)).toBe(
      "[true, 2020-01-31T10:20:30.123Z]"
    )
  })

  it("refuses fields, methods, zones and dates that scripts do not have", () => {
    expect(() => resultOf(`${calendar} c.get(16)`)).toThrow(/has no field 16; it has YEAR/)
    expect(() => resultOf(`${calendar} c.roll(Calendar.YEAR, 1)`)).toThrow(/has no method roll\(\) with 2 arguments/)
    expect(() => resultOf("Calendar.getInstance(TimeZone.getTimeZone('GMT+2'))")).toThrow(/is in UTC/)
    expect(() => resultOf(`${calendar} c.set(Calendar.YEAR, 1500); c.time`)).toThrow(/1582-10-15 to 9999-12-31/)
    expect(() => resultOf(`${calendar} c.add(Calendar.YEAR, 9000000000000L)`)).toThrow(/1582-10-15 to 9999-12-31/)
    expect(() => resultOf(`${calendar} c.time = 5`)).toThrow(/a Date was expected/)
    expect(() => resultOf("Calendar.YEARS")).toThrow(/Did you mean Calendar.YEAR/)
  })
})
