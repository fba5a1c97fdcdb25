import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A time zone", () => {
  it("is UTC or an offset, and makes a time of a local time or an instant", () => {
    const cases: ReadonlyArray<readonly [script: string, value: string]> = [
      ["LocalDateTime.ofInstant(Instant.ofEpochMilli(5), ZoneOffset.UTC).toString()", "1970-01-01T00:00:00.005"],
      ["Instant.ofEpochMilli(5).atZone(ZoneOffset.UTC).toString()", "1970-01-01T00:00:00.005Z"],
      ["Instant.ofEpochMilli(5).atOffset(ZoneOffset.ofHours(2)).toString()", "1970-01-01T02:00:00.005+02:00"],
      ["Instant.ofEpochMilli(5).atZone(ZoneId.of('+02:00')).toString()", "1970-01-01T02:00:00.005+02:00"],
      ["Instant.ofEpochMilli(0).atZone(ZoneId.of('UTC')).toLocalDate().toString()", "1970-01-01"],
      ["LocalDateTime.of(2020, 1, 2, 3, 4).atOffset(ZoneOffset.UTC).toEpochSecond()", "1577934240"],
      ["LocalDateTime.of(2020, 1, 2, 3, 4).toEpochSecond(ZoneOffset.UTC)", "1577934240"],
      ["LocalDate.of(2020, 1, 2).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli()", "1577923200000"],
      ["LocalDate.of(2020, 1, 2).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli()", "1577923200000"],
      ["LocalDate.of(2020, 1, 2).atTime(10, 11).toString()", "2020-01-02T10:11"],
      ["LocalDate.ofInstant(Instant.EPOCH, ZoneOffset.UTC).toString()", "1970-01-01"],
      ["ZoneOffset.UTC.toString() + ZoneId.of('Z') + ZoneOffset.of('+02:00')", "ZZ+02:00"],
      ["ZonedDateTime.now().getYear() > 2000", "true"],
      [
        "ZonedDateTime z = Instant.EPOCH.atZone(ZoneOffset.UTC); z.withZoneSameInstant(ZoneOffset.ofHours(-1)).hour",
        "23"
      ]
    ]
    for (const [script, value] of cases) {
      expect.soft(text(resultOf(`import java.time.*; ${script}`)), script).toBe(value)
    }
  })

  it("is refused by its name, also inside of try", () => {
    expect(() => resultOf("try { java.time.ZoneId.of('Europe/Berlin') } catch (e) { 1 }")).toThrow(
      'have UTC and offsets such as +02:00 as time zones, not "Europe/Berlin"'
    )
  })
})

describe("A day of the week, or a month", () => {
  it("is a constant with a number", () => {
    const day = "java.time.LocalDate.of(2020, 1, 2)"
    expect(text(resultOf(`${day}.getDayOfWeek().toString() + ${day}.month + ${day}.dayOfWeek.getValue()`))).toBe(
      "THURSDAYJANUARY4"
    )
    expect(resultOf(`${day}.dayOfWeek == java.time.DayOfWeek.THURSDAY`)).toBe(true)
    expect(resultOf(`${day}.month == java.time.Month.MARCH`)).toBe(false)
  })
})
