import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

describe("A date of java.time", () => {
  it("has another day of its year", () => {
    expect(shown("LocalDate.of(2020, 1, 31).withDayOfYear(60)")).toBe("2020-02-29")
    expect(shown("LocalDateTime.of(2020, 1, 31, 10, 20, 30).withDayOfYear(60)")).toBe("2020-02-29T10:20:30")
    expect(() => resultOf("LocalDate.of(2021, 1, 31).withDayOfYear(366)")).toThrow(/the year 2021 has no day 366/)
  })

  it("counts the units until another one", () => {
    const from = "LocalDate.of(2020, 1, 31)"
    const end = "LocalDate.of(2020, 3, 1)"
    expect(shown(`[${from}.until(${end}, ChronoUnit.DAYS), ${from}.until(${end}, ChronoUnit.MONTHS)]`)).toBe("[30, 1]")
    expect(
      shown("LocalDateTime.of(2020, 1, 31, 10, 20, 30).until(LocalDateTime.of(2020, 2, 1, 9, 0), ChronoUnit.HOURS)")
    ).toBe("22")
    expect(() => resultOf("LocalDate.of(2020, 1, 31).until(1, ChronoUnit.DAYS)")).toThrow(/from LocalDate to Integer/)
  })

  it("has another time of day, or a shorter one", () => {
    const time = "LocalDateTime.of(2020, 1, 31, 10, 20, 30, 123456789)"
    expect(shown(`[${time}.withHour(3), ${time}.withMinute(3)]*.toString()`)).toBe(
      "[2020-01-31T03:20:30.123456789, 2020-01-31T10:03:30.123456789]"
    )
    expect(shown(`[${time}.withSecond(3), ${time}.withNano(3)]*.toString()`)).toBe(
      "[2020-01-31T10:20:03.123456789, 2020-01-31T10:20:30.000000003]"
    )
    const units = "[ChronoUnit.HOURS, ChronoUnit.MILLIS, ChronoUnit.DAYS]"
    expect(shown(`${units}.collect { ${time}.truncatedTo(it).toString() }`)).toBe(
      "[2020-01-31T10:00, 2020-01-31T10:20:30.123, 2020-01-31T00:00]"
    )
    expect(shown("OffsetDateTime.parse('2020-01-31T10:20:30+02:00').withHour(3).toString()")).toBe(
      "2020-01-31T03:20:30+02:00"
    )
    expect(() => resultOf(`${time}.withHour(24)`)).toThrow(/Invalid value for HourOfDay \(valid values 0 - 23\): 24/)
    expect(() => resultOf(`${time}.truncatedTo(ChronoUnit.WEEKS)`)).toThrow(/the unit must be one of/)
  })
})

describe("A Duration", () => {
  it("has the parts of Java", () => {
    const parts =
      "[d.toDaysPart(), d.toHoursPart(), d.toMinutesPart(), d.toSecondsPart(), d.toMillisPart(), d.toNanosPart()]"
    expect(shown(`d = Duration.ofMillis(93784005L); ${parts}`)).toBe("[1, 2, 3, 4, 5, 5000000]")
    expect(shown(`d = Duration.ofMillis(-93784005L); ${parts}`)).toBe("[-1, -2, -3, -5, 995, 995000000]")
  })

  it("has nanoseconds, and is cut to a unit", () => {
    expect(shown("d = Duration.ofSeconds(1); [d.plusNanos(5), d.minusNanos(5)]*.toString()")).toBe(
      "[PT1.000000005S, PT0.999999995S]"
    )
    const cut = "[93784005L, -93784005L].collect { Duration.ofMillis(it).truncatedTo(ChronoUnit.HOURS).toString() }"
    expect(shown(cut)).toBe("[PT26H, PT-26H]")
    expect(shown("Duration.ofMillis(-86399500L).truncatedTo(ChronoUnit.SECONDS).toString()")).toBe("PT-24H")
  })
})

describe("A Date", () => {
  it("has its parts in UTC", () => {
    expect(
      shown(
        "d = new Date(1700000000123L); [d.getYear(), d.getMonth(), d.getDate(), d.getDay(), d.getHours(), d.getMinutes(), d.getSeconds()]"
      )
    ).toBe("[123, 10, 14, 2, 22, 13, 20]")
    expect(shown("new Date(-86400000L * 365).getYear()")).toBe("69")
  })
})
