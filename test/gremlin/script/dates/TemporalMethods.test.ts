import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

describe("Dates, instants and durations of scripts are those of Java", () => {
  it.each([
    ["Duration.ofSeconds(1, 5)", "PT1.000000005S"],
    ["Duration.ofSeconds(-1, -5)", "PT-1.000000005S"],
    ["Duration.ofDays(2).plus(Duration.ofMillis(1))", "PT48H0.001S"],
    ["Duration.of(3, ChronoUnit.HOURS)", "PT3H"],
    ["Duration.of(3, java.time.temporal.ChronoUnit.MICROS)", "PT0.000003S"],
    ["TimeUnit.HOURS.toMillis(2)", "7200000"],
    ["TimeUnit.SECONDS.toMinutes(-90)", "-1"],
    ["TimeUnit.HOURS.toMillis(9223372036854775807L)", "9223372036854775807"],
    ["TimeUnit.DAYS.toNanos(-9223372036854775807L)", "-9223372036854775808"],
    ["TimeUnit.MICROSECONDS.toNanos(3).class.simpleName", "Long"],
    ["Duration.ofSeconds(90).toMinutes()", "1"],
    ["Duration.ofSeconds(-90).toMinutes()", "-1"],
    ["Duration.ofMillis(-1).toMillis()", "-1"],
    ["Duration.ofMillis(-1).getSeconds()", "-1"],
    ["Duration.ofMillis(-1).nano", "999000000"],
    ["Duration.ofMinutes(3).seconds", "180"],
    ["Duration.ofSeconds(90).minus(30, ChronoUnit.SECONDS)", "PT1M"],
    ["Duration.ofSeconds(90).plusMinutes(1).multipliedBy(2)", "PT5M"],
    ["Duration.ofSeconds(90).dividedBy(4)", "PT22.5S"],
    ["Duration.ofSeconds(90).dividedBy(Duration.ofSeconds(40))", "2"],
    ["Duration.ofSeconds(-90).abs()", "PT1M30S"],
    ["Duration.ofSeconds(90).negated().isNegative()", "true"],
    ["Instant.ofEpochSecond(5, 7).getEpochSecond()", "5"],
    ["Instant.ofEpochMilli(-1).epochSecond", "-1"],
    ["Instant.ofEpochMilli(-1).getNano()", "999000000"],
    ["Instant.EPOCH.plusSeconds(3).minusMillis(1)", "1970-01-01T00:00:02.999Z"],
    ["Instant.EPOCH.plus(3, ChronoUnit.DAYS)", "1970-01-04T00:00:00Z"],
    ["Instant.ofEpochSecond(86399).truncatedTo(ChronoUnit.HOURS)", "1970-01-01T23:00:00Z"],
    ["Instant.ofEpochSecond(-1).truncatedTo(ChronoUnit.DAYS)", "1969-12-31T00:00:00Z"],
    ["new Date(120, 0, 1).toInstant()", "2020-01-01T00:00:00Z"],
    ["new Date(99, 11, 31, 23, 59).toInstant()", "1999-12-31T23:59:00Z"],
    ["new Date(-1850, 0, 1, 0, 0, 5).toInstant()", "0050-01-01T00:00:05Z"],
    ["new Date(5).time", "5"],
    ["new Date(5).after(new Date(4))", "true"],
    ["new Date(5).before(new Date(4))", "false"],
    ["new Character((char) 'a')", "a"]
  ])("%s", (script, expected) => {
    expect(text(resultOf(script))).toBe(expected)
  })

  it.each([
    ["Duration.ofDays(1, 2)", "Duration.ofDays() takes 1 arguments, not 2"],
    ["Duration.of(1, ChronoUnit.MONTHS)", "the unit must be one of NANOS"],
    ["Duration.ofDays(9223372036854775807L)", "the duration is too long"],
    ["Duration.ofSeconds(1).plus(5)", "a Duration was expected, not Integer"],
    ["Duration.ofSeconds(1).dividedBy(0)", "Cannot divide by zero"],
    ["Instant.EPOCH.plus(1, 'DAYS')", "the unit must be one of NANOS"],
    ["new Date(1, 2)", "new Date(Integer, Integer) is not available"],
    ["new Date(120, 0.5d, 1)", "new Date() takes whole numbers"],
    ["new Date(5).after(3)", "a Date was expected"]
  ])("%s is refused", (script, reason) => {
    expect(() => resultOf(script)).toThrow(reason)
  })

  it("have the units of Java only", () => {
    for (const script of [
      "TimeUnit.NANOS",
      "TimeUnit.__proto__.toMillis(1)",
      "TimeUnit.NONSENSE",
      "ChronoUnit.NONSENSE",
      "ChronoUnit.NANOSECONDS",
      "ChronoUnit.constructor"
    ]) {
      expect(() => resultOf(script), script).toThrow(/Unit has no constant/)
    }
    expect(() => resultOf("TimeUnit.SECOND")).toThrow("Did you mean TimeUnit.SECONDS?")
    for (const method of ["toMILLIS", "tomillis", "toMilliseconds", "to", "__proto__", "constructor"]) {
      expect(() => resultOf(`TimeUnit.HOURS.${method}(1)`), method).toThrow(/scripts do not have the method/)
    }
  })

  it("give no more than a Long has", () => {
    for (const script of [
      "Duration.ofSeconds(9223372036854775807L).toNanos()",
      "Duration.ofSeconds(-9223372036854775807L).toMillis()",
      "Instant.ofEpochSecond(31556889864403199L).toEpochMilli()",
      "ChronoUnit.NANOS.between(java.time.LocalDateTime.of(1,1,1,0,0), java.time.LocalDateTime.of(9999,1,1,0,0))"
    ]) {
      expect(() => resultOf(script), script).toThrow("The result is no Long")
      expect(text(resultOf(`try { ${script} } catch (ArithmeticException e) { 1 }`)), script).toBe("1")
    }
    expect(text(resultOf("[Math.round(1e300d), Math.round(-1e30f), Math.round(2.5d), Math.round(Double.NaN)]"))).toBe(
      "[9223372036854775807, -2147483648, 3, 0]"
    )
  })

  it("have dates and times that exist only", () => {
    const years = "[java.time.LocalDate.of(50, 1, 1), java.time.LocalDate.parse('0004-02-29').plusDays(1)]"
    expect(text(resultOf(years))).toBe("[0050-01-01, 0004-03-01]")
    for (const [script, type] of [
      ["LocalDate.of(2020, 13, 1)", "DateTimeException"],
      ["LocalDate.of(50, 2, 29)", "DateTimeException"],
      ["LocalDate.parse('2020-13-01')", "DateTimeParseException"],
      ["LocalDate.parse('0050-02-29')", "DateTimeParseException"],
      ["LocalDateTime.parse('2020-01-01T10:61')", "DateTimeParseException"],
      ["LocalDateTime.parse('2020-01-01T24:00')", "DateTimeParseException"],
      ["LocalDateTime.parse('2020-01-01T10:00:60')", "DateTimeParseException"],
      ["LocalDateTime.parse('2020-02-30T10:00')", "DateTimeParseException"]
    ]) {
      const caught = `import java.time.*; try { ${script} } catch (Exception e) { e.class.simpleName }`
      expect(text(resultOf(caught)), script).toBe(type)
    }
  })
})
