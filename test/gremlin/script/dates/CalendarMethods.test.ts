// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A date or time", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["import java.time.*; Duration.ofMinutes(90).minusSeconds(5).toString()", "PT1H29M55S"],
    ["import java.time.*; Duration.ofMinutes(90).toHoursPart()", "1"],
    ["import java.time.*; Duration.ofMinutes(90).toMinutesPart()", "30"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).plusDays(1).toString()", "2020-02-01"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).plusMonths(1).toString()", "2020-02-29"],
    ["import java.time.*; LocalDate.of(2020, 2, 29).plusYears(1).toString()", "2021-02-28"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).plusWeeks(1).toString()", "2020-02-07"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).minusDays(31).toString()", "2019-12-31"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).minusMonths(2).toString()", "2019-11-30"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).getYear()", "2020"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).year", "2020"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).monthValue", "1"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).dayOfMonth", "31"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).getDayOfYear()", "31"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).isLeapYear()", "true"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).lengthOfMonth()", "31"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).withDayOfMonth(1).toString()", "2020-01-01"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).withYear(2021).toString()", "2021-01-31"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).isBefore(LocalDate.of(2020, 2, 1))", "true"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).isAfter(LocalDate.of(2020, 2, 1))", "false"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).isEqual(LocalDate.of(2020, 1, 31))", "true"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).atStartOfDay().toString()", "2020-01-31T00:00"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).toEpochDay()", "18292"],
    ["import java.time.*; LocalDate.ofEpochDay(18292).toString()", "2020-01-31"],
    ["import java.time.*; LocalDate.ofYearDay(2020, 60).toString()", "2020-02-29"],
    ["import java.time.*; LocalDate.of(2020, 1, 31) < LocalDate.of(2020, 2, 1)", "true"],
    ["import java.time.*; LocalDate.of(2020, 1, 31) == LocalDate.of(2020, 1, 31)", "true"],
    [
      "import java.time.*; LocalDate.of(2020, 1, 31).plus(1, java.time.temporal.ChronoUnit.DAYS).toString()",
      "2020-02-01"
    ],
    [
      "import java.time.*; java.time.temporal.ChronoUnit.DAYS.between(LocalDate.of(2020,1,1), LocalDate.of(2020,3,1))",
      "60"
    ],
    ["import java.time.*; LocalDateTime.of(2020, 1, 31, 10, 20).plusHours(20).toString()", "2020-02-01T06:20"],
    ["import java.time.*; LocalDateTime.of(2020, 1, 31, 10, 20, 30).toString()", "2020-01-31T10:20:30"],
    ["import java.time.*; LocalDateTime.of(2020, 1, 31, 10, 20).plusDays(1).toString()", "2020-02-01T10:20"],
    ["import java.time.*; LocalDateTime.of(2020, 1, 31, 10, 20).minusMinutes(30).toString()", "2020-01-31T09:50"],
    ["import java.time.*; LocalDateTime.of(2020, 1, 31, 10, 20).toLocalDate().toString()", "2020-01-31"],
    ["import java.time.*; LocalDateTime.of(2020, 1, 31, 10, 20).getHour()", "10"],
    ["import java.time.*; LocalDateTime.of(2020, 1, 31, 10, 20).minute", "20"],
    [
      "import java.time.*; LocalDateTime.parse('2020-01-31T10:20:30').plusSeconds(31).toString()",
      "2020-01-31T10:21:01"
    ],
    [
      "import java.time.*; LocalDateTime.parse('2020-01-31T10:20').isBefore(LocalDateTime.parse('2020-01-31T10:21'))",
      "true"
    ],
    ["import java.time.*; Instant.parse('2020-01-31T10:20:30Z').minusSeconds(31).toString()", "2020-01-31T10:19:59Z"],
    [
      "import java.time.*; Instant.parse('2020-01-31T10:20:30Z').plus(1, java.time.temporal.ChronoUnit.DAYS).toString()",
      "2020-02-01T10:20:30Z"
    ],
    [
      "import java.time.*; Instant.parse('2020-01-31T10:20:30Z').truncatedTo(java.time.temporal.ChronoUnit.DAYS).toString()",
      "2020-01-31T00:00:00Z"
    ],
    ["datetime('2020-01-31T10:20:30Z').plusDays(1).toString()", "2020-02-01T10:20:30Z"],
    ["datetime('2020-01-31T10:20:30Z').getYear()", "2020"],
    ["datetime('2020-01-31T10:20:30Z').toInstant().toString()", "2020-01-31T10:20:30Z"],
    ["datetime('2020-01-31T10:20:30Z').toLocalDate().toString()", "2020-01-31"],
    ["datetime('2020-01-31T10:20:30Z').toEpochSecond()", "1580466030"],
    ["datetime('2020-01-31T10:20:30Z') < datetime('2020-02-01')", "true"],
    ["datetime('2020-01-31T10:20:30Z').isBefore(datetime('2020-02-01'))", "true"],
    [
      "import java.time.*; OffsetDateTime.parse('2020-01-31T10:20:30Z').plusHours(1).toString()",
      "2020-01-31T11:20:30Z"
    ],
    ["java.util.concurrent.TimeUnit.HOURS.toMillis(2)", "7200000"],
    ["import java.util.concurrent.TimeUnit; TimeUnit.DAYS.toSeconds(1)", "86400"],
    ["import java.time.*; LocalDate.of(2019, 12, 31).plusMonths(2).toString()", "2020-02-29"],
    ["import java.time.*; LocalDate.of(2020, 3, 31).plusMonths(-1).toString()", "2020-02-29"],
    ["import java.time.*; LocalDate.of(1900, 2, 28).plusDays(1).toString()", "1900-03-01"],
    ["import java.time.*; LocalDate.of(2000, 2, 28).plusDays(1).toString()", "2000-02-29"],
    ["import java.time.*; LocalDate.of(1969, 12, 31).toEpochDay()", "-1"],
    ["import java.time.*; LocalDate.of(2020, 12, 31).dayOfYear", "366"],
    ["import java.time.*; LocalDate.of(2020, 1, 31).withMonth(2).toString()", "2020-02-29"],
    [
      "import java.time.*; LocalDate.of(2020, 1, 31).plus(2, java.time.temporal.ChronoUnit.MONTHS).toString()",
      "2020-03-31"
    ],
    [
      "import java.time.*; LocalDate.of(2020, 1, 31).minus(1, java.time.temporal.ChronoUnit.WEEKS).toString()",
      "2020-01-24"
    ],
    [
      "import java.time.*; LocalDate.of(2020, 1, 31).minus(1, java.time.temporal.ChronoUnit.DECADES).toString()",
      "2010-01-31"
    ],
    [
      "import java.time.*; LocalDateTime.of(2020, 1, 31, 23, 59, 59, 999999999).plusNanos(1).toString()",
      "2020-02-01T00:00"
    ],
    ["import java.time.*; LocalDateTime.of(2020, 1, 31, 23, 59, 59, 120000000).toString()", "2020-01-31T23:59:59.120"],
    [
      "import java.time.*; LocalDateTime.of(2020, 1, 31, 0, 0).minusNanos(1).toString()",
      "2020-01-30T23:59:59.999999999"
    ],
    [
      "import java.time.*; LocalDateTime.of(2020, 1, 31, 10, 0).plus(Duration.ofMinutes(90)).toString()",
      "2020-01-31T11:30"
    ],
    ["import java.time.*; LocalDateTime.of(1969, 12, 31, 10, 0).plusHours(-10).toString()", "1969-12-31T00:00"],
    ["import java.time.*; LocalDateTime.of(2020, 1, 31, 10, 20, 30).nano", "0"],
    ["import java.time.*; LocalDateTime.of(2020, 1, 31, 10, 20, 30).second", "30"],
    ["datetime('2020-01-31T23:30:00+02:00').plusHours(1).toString()", "2020-02-01T00:30+02:00"],
    ["datetime('2020-01-31T23:30:00+02:00').toInstant().toString()", "2020-01-31T21:30:00Z"],
    ["datetime('2020-01-31T23:30:00+02:00').hour", "23"],
    ["datetime('2020-01-31T23:30:00+02:00').toLocalDateTime().toString()", "2020-01-31T23:30"],
    ["datetime('2020-01-31T23:30:00+02:00').toEpochSecond()", "1580506200"],
    ["datetime('2020-01-31T23:30:00+02:00').isBefore(datetime('2020-01-31T22:00:00Z'))", "true"],
    ["datetime('1969-12-31T23:59:59.500Z').toEpochSecond()", "-1"],
    ["datetime('1969-12-31T23:59:59.500Z').plusSeconds(1).toString()", "1970-01-01T00:00:00.500Z"],
    ["datetime('2020-01-31T00:00:00Z').plusMonths(1).dayOfMonth", "29"],
    [
      "java.time.temporal.ChronoUnit.MONTHS.between(java.time.LocalDate.of(2020,1,31), java.time.LocalDate.of(2020,2,29))",
      "0"
    ],
    [
      "java.time.temporal.ChronoUnit.MONTHS.between(java.time.LocalDate.of(2020,1,31), java.time.LocalDate.of(2020,3,31))",
      "2"
    ],
    [
      "java.time.temporal.ChronoUnit.MONTHS.between(java.time.LocalDate.of(2020,3,31), java.time.LocalDate.of(2020,1,30))",
      "-2"
    ],
    [
      "java.time.temporal.ChronoUnit.YEARS.between(java.time.LocalDate.of(2020,1,31), java.time.LocalDate.of(2023,1,30))",
      "2"
    ],
    [
      "java.time.temporal.ChronoUnit.WEEKS.between(java.time.LocalDate.of(2020,1,31), java.time.LocalDate.of(2020,1,1))",
      "-4"
    ],
    [
      "java.time.temporal.ChronoUnit.HOURS.between(java.time.LocalDateTime.of(2020,1,31,0,0), java.time.LocalDateTime.of(2020,2,1,1,30))",
      "25"
    ],
    ["java.util.concurrent.TimeUnit.SECONDS.toMinutes(119)", "1"],
    ["java.util.concurrent.TimeUnit.SECONDS.toMinutes(-119)", "-1"]
  ]
  for (const [script, value] of cases) {
    it(`is calculated as Java does: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("is refused where it does not exist", () => {
    const wrong = [
      "LocalDate.of(2021, 2, 28).withDayOfMonth(30)",
      "LocalDate.ofYearDay(2021, 366)",
      "LocalDateTime.of(2020, 1, 31, 24, 0)",
      "LocalDateTime.of(2020, 2, 30, 1, 0)",
      "LocalDate.of(2020, 1, 31).plus(2, ChronoUnit.HOURS)",
      "LocalDate.of(2020, 1, 31).plusYears(9000)",
      "LocalDate.of(2020, 1, 31).plusDays(9223372036854775807L)",
      "LocalDate.of(2020, 1, 31).plusMonths(9223372036854775807L)",
      "LocalDate.of(2020, 1, 31).withMonth(13)",
      "LocalDate.of(2020, 1, 31).withYear(99999)",
      "ChronoUnit.HOURS.between(LocalDate.of(2020, 1, 31), LocalDate.of(2020, 2, 1))"
    ]
    for (const script of wrong) {
      const caught = `try { ${script} } catch (DateTimeException e) { 'refused' }`
      expect(text(resultOf(caught)), script).toBe("refused")
    }
    for (const written of ["2020-01-31", "2020-01-31T25:00", "x", "2020-02-30T10:00"]) {
      const caught = `try { LocalDateTime.parse('${written}') } catch (DateTimeException e) { 'refused' }`
      expect(text(resultOf(caught)), written).toBe("refused")
    }
  })

  it("is now, without arguments", () => {
    expect(resultOf("LocalDateTime.now() > LocalDateTime.of(2020, 1, 1, 0, 0)")).toBe(true)
    expect(resultOf("OffsetDateTime.now() > OffsetDateTime.parse('2020-01-31T10:20:30Z')")).toBe(true)
  })
})
