import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1, whose time zone is UTC.

const IMPORTS = "import java.time.*\nimport java.time.format.*\nimport java.text.*\n"

const check = (cases: ReadonlyArray<readonly [script: string, value: string]>): void => {
  for (const [script, value] of cases) expect.soft(text(resultOf(`${IMPORTS}${script}`)), script).toBe(value)
}

const refused = (cases: ReadonlyArray<readonly [script: string, message: string]>): void => {
  for (const [script, message] of cases) {
    expect.soft(() => resultOf(`${IMPORTS}try { ${script} } catch (e) { 'caught' }`), script).toThrow(message)
  }
}

/** Texts of one value by many patterns. */
const checkPatterns = (written: (pattern: string) => string, expected: { readonly [pattern: string]: string }): void =>
  check(Object.entries(expected).map(([pattern, value]) => [written(`"${pattern}"`), value]))

describe("A DateTimeFormatter", () => {
  it("writes the fields of its pattern", () => {
    checkPatterns(
      (pattern) =>
        `OffsetDateTime.parse('2020-01-02T03:04:05.006+02:00').format(DateTimeFormatter.ofPattern(${pattern}))`,
      {
        ...{ y: "2020", yy: "20", yyy: "2020", yyyy: "2020", yyyyy: "02020", uuuu: "2020" },
        ...{ M: "1", MM: "01", MMM: "Jan", MMMM: "January", d: "2", dd: "02", D: "2", DDD: "002" },
        ...{ E: "Thu", EEE: "Thu", EEEE: "Thursday", a: "AM", H: "3", HH: "03", k: "3", K: "3", h: "3", hh: "03" },
        ...{ m: "4", mm: "04", s: "5", ss: "05", S: "0", SS: "00", SSS: "006", SSSSSS: "006000", n: "6000000" },
        ...{ X: "+02", XX: "+0200", XXX: "+02:00", x: "+02", xx: "+0200", xxx: "+02:00", Z: "+0200" },
        ...{ "'x'": "x", "'o''clock'": "o'clock", "yyyy-MM-dd'T'HH:mm": "2020-01-02T03:04", "yyyy''MM": "2020'01" }
      }
    )
    check([
      ["LocalDate.of(2020, 1, 2).format(DateTimeFormatter.ofPattern('dd.MM.yyyy'))", "02.01.2020"],
      ["DateTimeFormatter.ofPattern('HH:mm').format(LocalDateTime.of(2020, 1, 2, 13, 4))", "13:04"],
      ["DateTimeFormatter.ofPattern('yyyy').withZone(ZoneOffset.UTC).format(Instant.ofEpochMilli(5))", "1970"],
      ["def f = DateTimeFormatter.ofPattern('hh a'); LocalDateTime.of(2020, 1, 2, 0, 4).format(f)", "12 AM"]
    ])
  })

  it("raises Java's exception for a value without a field of its pattern", () => {
    const caught = (script: string) => `try { ${script} } catch (e) { e.class.simpleName + ': ' + e.message }`
    const missing = "UnsupportedTemporalTypeException: Unsupported field: "
    check([
      [caught("LocalDate.of(2020, 1, 2).format(DateTimeFormatter.ofPattern('HH'))"), `${missing}HourOfDay`],
      [
        caught("LocalDateTime.of(2020, 1, 2, 3, 4).format(DateTimeFormatter.ofPattern('X'))"),
        `${missing}OffsetSeconds`
      ],
      [caught("DateTimeFormatter.ofPattern('yyyy').format(Instant.ofEpochMilli(5))"), `${missing}YearOfEra`],
      [caught("DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(LocalDate.of(2020, 1, 2))"), `${missing}HourOfDay`]
    ])
  })

  it("reads texts of its pattern", () => {
    const read = (type: string, text: string, pattern: string) =>
      `${type}.parse("${text}", DateTimeFormatter.ofPattern("${pattern}")).toString()`
    check([
      [read("LocalDate", "2020-02-30", "yyyy-MM-dd"), "2020-02-29"],
      [read("LocalDate", "2020-2-3", "yyyy-M-d"), "2020-02-03"],
      [read("LocalDate", "20200203", "yyyyMMdd"), "2020-02-03"],
      [read("LocalDate", "03/02/20", "dd/MM/yy"), "2020-02-03"],
      [read("LocalDate", "3 Feb 2020", "d MMM yyyy"), "2020-02-03"],
      [read("LocalDate", "3 February 2020", "d MMMM yyyy"), "2020-02-03"],
      [read("LocalDate", "2020-02-03 10:11", "yyyy-MM-dd HH:mm"), "2020-02-03"],
      [read("LocalDate", "020-11-03", "yyy-MM-dd"), "0020-11-03"],
      [read("LocalDateTime", "2020-02-03 10:11:12", "yyyy-MM-dd HH:mm:ss"), "2020-02-03T10:11:12"],
      [read("LocalDateTime", "2020-02-03 10:11:12.5", "yyyy-MM-dd HH:mm:ss.S"), "2020-02-03T10:11:12.500"],
      [read("LocalDateTime", "2020-02-03 01:11 PM", "yyyy-MM-dd hh:mm a"), "2020-02-03T13:11"],
      [read("LocalDateTime", "2020-02-03 24:00", "yyyy-MM-dd HH:mm"), "2020-02-04T00:00"],
      [read("LocalDateTime", "2020-02-03T10:11:12+0200", "yyyy-MM-dd'T'HH:mm:ssZ"), "2020-02-03T10:11:12"],
      [read("OffsetDateTime", "2020-02-03T10:11:12+02:00", "yyyy-MM-dd'T'HH:mm:ssXXX"), "2020-02-03T10:11:12+02:00"],
      [read("LocalDateTime", "20200203101112", "yyyyMMddHHmmss"), "2020-02-03T10:11:12"],
      [read("LocalDateTime", "20200203101112123", "yyyyMMddHHmmssSSS"), "2020-02-03T10:11:12.123"],
      [read("LocalDate", "2020-366", "yyyy-DDD"), "2020-12-31"],
      [read("LocalDate", "0000-01-02", "uuuu-MM-dd"), "0000-01-02"]
    ])
  })

  it("raises a DateTimeParseException for a text of another form", () => {
    const message = (type: string, text: string, pattern: string) =>
      `try { ${type}.parse("${text}", DateTimeFormatter.ofPattern("${pattern}")) } catch (DateTimeParseException e) { e.message }`
    const cannot = (text: string, why: string) => `Text '${text}' could not be parsed${why}`
    check([
      [
        message("LocalDate", "2023-366", "yyyy-DDD"),
        cannot("2023-366", ": Invalid date 'DayOfYear 366' as '2023' is not a leap year")
      ],
      [
        message("LocalDate", "0000-01-02", "yyyy-MM-dd"),
        cannot("0000-01-02", ": Invalid value for YearOfEra (valid values 1 - 999999999/1000000000): 0")
      ],
      [
        message("OffsetDateTime", "2020-01-02 10 -1830", "yyyy-MM-dd HH XX"),
        cannot("2020-01-02 10 -1830", " at index 14")
      ],
      [message("LocalDate", "2020-02-3", "yyyy-MM-dd"), cannot("2020-02-3", " at index 8")],
      [message("LocalDate", "2020-02-03x", "yyyy-MM-dd"), cannot("2020-02-03x", ", unparsed text found at index 10")],
      [message("LocalDate", "12020-02-03", "yyyy-MM-dd"), cannot("12020-02-03", " at index 0")],
      [message("LocalDate", "Mon 3 feb 2020", "EEE d MMM yyyy"), cannot("Mon 3 feb 2020", " at index 6")],
      [
        message("LocalDate", "2020-13-03", "yyyy-MM-dd"),
        cannot("2020-13-03", ": Invalid value for MonthOfYear (valid values 1 - 12): 13")
      ]
    ])
    for (const [type, written, pattern] of [
      ["LocalDate", "2020-02", "yyyy-MM"],
      ["LocalDate", "Tue 3 Feb 2020", "EEE d MMM yyyy"],
      ["LocalDateTime", "2020-02-03", "yyyy-MM-dd"],
      ["LocalDateTime", "2020-02-03 01:11", "yyyy-MM-dd hh:mm"]
    ] as const) {
      const found = String(resultOf(IMPORTS + message(type, written, pattern)))
      expect.soft(found, written).toContain(cannot(written, ": "))
    }
  })

  it("has the constants for ISO-8601", () => {
    check([
      ["DateTimeFormatter.ISO_LOCAL_DATE.format(LocalDate.of(2020, 1, 2))", "2020-01-02"],
      ["DateTimeFormatter.ISO_DATE.format(LocalDate.of(2020, 1, 2))", "2020-01-02"],
      ["DateTimeFormatter.BASIC_ISO_DATE.format(LocalDate.of(2020, 1, 2))", "20200102"],
      ["DateTimeFormatter.ISO_INSTANT.format(Instant.ofEpochMilli(5))", "1970-01-01T00:00:00.005Z"],
      ["LocalDateTime.of(2020, 1, 2, 3, 4).format(DateTimeFormatter.ISO_LOCAL_DATE_TIME)", "2020-01-02T03:04:00"],
      ["DateTimeFormatter.ISO_DATE_TIME.format(LocalDateTime.of(2020, 1, 2, 3, 4))", "2020-01-02T03:04:00"],
      [
        "OffsetDateTime.parse('2020-01-02T03:04:05+01:00').format(DateTimeFormatter.ISO_OFFSET_DATE_TIME)",
        "2020-01-02T03:04:05+01:00"
      ],
      ["LocalDate.parse('2020-01-02', DateTimeFormatter.ISO_DATE).toString()", "2020-01-02"],
      ["LocalDate.parse('20200102', DateTimeFormatter.BASIC_ISO_DATE).toString()", "2020-01-02"],
      ["LocalDateTime.parse('2020-01-02T10:11:12', DateTimeFormatter.ISO_DATE_TIME).toString()", "2020-01-02T10:11:12"]
    ])
  })

  it("reads by a constant for ISO-8601 only what has its form and the fields of the class", () => {
    for (const [type, written, constant] of [
      ["LocalDate", "2020-01-02", "BASIC_ISO_DATE"],
      ["LocalDateTime", "2020-01-02T10:11", "ISO_OFFSET_DATE_TIME"],
      ["LocalDateTime", "2020-01-02T10:11", "ISO_LOCAL_DATE"],
      ["LocalDateTime", "2020-01-02", "ISO_DATE"],
      ["OffsetDateTime", "2020-01-02T10:11", "ISO_DATE_TIME"],
      ["OffsetDateTime", "2020-01-02", "ISO_DATE"]
    ] as const) {
      const script = `try { ${type}.parse("${written}", DateTimeFormatter.${constant}) } catch (e) { e.class.simpleName }`
      expect.soft(resultOf(IMPORTS + script), script).toBe("DateTimeParseException")
    }
    check([
      ["LocalDate.parse('20200102+0200', DateTimeFormatter.BASIC_ISO_DATE).toString()", "2020-01-02"],
      ["OffsetDateTime.parse('2020-01-02T10:11Z', DateTimeFormatter.ISO_DATE_TIME).toString()", "2020-01-02T10:11Z"]
    ])
    refused([
      ["LocalDateTime.parse('2020-01-02T10:11:12Z', DateTimeFormatter.ISO_INSTANT)", "ISO_INSTANT only writes"],
      ["LocalDate.parse('2020-01-02T10:11Z[UTC]', DateTimeFormatter.ISO_DATE_TIME)", "scripts read no names of zones"]
    ])
  })

  it("writes times with an offset at its zone, and reads texts without an offset in it", () => {
    const zoned = "def f = DateTimeFormatter.ofPattern('yyyy-MM-dd HH:mm XXX').withZone(ZoneOffset.ofHours(2)); "
    const local = "def f = DateTimeFormatter.ofPattern('yyyy-MM-dd HH:mm').withZone(ZoneOffset.ofHours(2)); "
    check([
      [`${zoned}f.format(OffsetDateTime.parse('2020-01-02T23:11:12Z'))`, "2020-01-03 01:11 +02:00"],
      [`${local}f.format(LocalDateTime.parse('2020-01-02T23:11:12'))`, "2020-01-02 23:11"],
      [`${local}ZonedDateTime.parse('2020-01-02 23:11', f).toString()`, "2020-01-02T23:11+02:00"],
      [`${local}LocalDateTime.parse('2020-01-02 23:11', f).toString()`, "2020-01-02T23:11"]
    ])
    refused([[`${zoned}OffsetDateTime.parse('2020-01-02 23:11 Z', f)`, "without withZone()"]])
  })

  it("is refused for letters that scripts do not have, and no script catches that", () => {
    refused([
      ["DateTimeFormatter.ofPattern('yyyy G')", "have no letter G in scripts; they have y, u, M"],
      ["DateTimeFormatter.ofPattern('ddd')", "the letter d at most 2 times"],
      ["DateTimeFormatter.ofPattern('yyyy[-MM]')", "patterns have no [ in scripts"],
      ["DateTimeFormatter.ofPattern('-' * 300)", "has at most 200 characters"],
      ["DateTimeFormatter.ofPattern('yyyy').parse('2020')", "has no method parse()"]
    ])
  })
})

describe("A SimpleDateFormat", () => {
  it("writes the fields of its pattern", () => {
    checkPatterns((pattern) => `new SimpleDateFormat(${pattern}).format(new Date(1577959872005L))`, {
      ...{ y: "2020", yy: "20", yyy: "2020", yyyy: "2020", yyyyy: "02020" },
      ...{ M: "1", MM: "01", MMM: "Jan", MMMM: "January", d: "2", dd: "02", D: "2", DDD: "002", dddd: "0002" },
      ...{ E: "Thu", EEEE: "Thursday", a: "AM", H: "10", k: "10", K: "10", hh: "10", m: "11", s: "12" },
      ...{ S: "5", SS: "05", SSS: "005", SSSSSS: "000005", X: "Z", XXX: "Z", Z: "+0000", z: "UTC" },
      ...{ "'o''clock'": "o'clock", "EEE MMM dd HH:mm:ss z yyyy": "Thu Jan 02 10:11:12 UTC 2020" }
    })
    check([
      ["new SimpleDateFormat('zzzz').format(new Date(0))", "Coordinated Universal Time"],
      ["def f = new SimpleDateFormat('HH'); f.setTimeZone(TimeZone.getTimeZone('GMT+2')); f.format(new Date(0))", "02"],
      ["new Date(0).format('yyyy-MM-dd')", "1970-01-01"],
      ["new Date(0).format('HH:mm', TimeZone.getTimeZone('UTC'))", "00:00"],
      ["DateFormat f = new SimpleDateFormat('yyyy'); f.toPattern()", "yyyy"]
    ])
  })

  it("reads texts of its pattern leniently", () => {
    const read = (text: string, pattern: string) => `new SimpleDateFormat("${pattern}").parse("${text}").time`
    check([
      [read("2020-02-30", "yyyy-MM-dd"), "1583020800000"],
      [read("2020-2-3", "yyyy-MM-dd"), "1580688000000"],
      [read("20200203", "yyyyMMdd"), "1580688000000"],
      [read("03/02/20", "dd/MM/yy"), "1580688000000"],
      [read("3 February 2020", "d MMM yyyy"), "1580688000000"],
      [read("3 february 2020", "d MMMM yyyy"), "1580688000000"],
      [read("2020-02", "yyyy-MM"), "1580515200000"],
      [read("2020-13-32", "yyyy-MM-dd"), "1612137600000"],
      [read("2020-02-03 10:11", "yyyy-MM-dd"), "1580688000000"],
      [read("Mon 3 Feb 2020", "EEE d MMM yyyy"), "1580688000000"],
      [read("2020-02-03 10:11:12.5", "yyyy-MM-dd HH:mm:ss.SSS"), "1580724672005"],
      [read("2020-02-03T10:11:12+0200", "yyyy-MM-dd'T'HH:mm:ssZ"), "1580717472000"],
      [read("2020-02-03T10:11:12+02:00", "yyyy-MM-dd'T'HH:mm:ssXXX"), "1580717472000"],
      [read("2020-02-03T10:11:12Z", "yyyy-MM-dd'T'HH:mm:ssX"), "1580724672000"],
      [read("Thu Jan 02 10:11:12 UTC 2020", "EEE MMM dd HH:mm:ss z yyyy"), "1577959872000"],
      [read("2020-02-03 01:11 PM", "yyyy-MM-dd hh:mm a"), "1580735460000"],
      [read("10:11", "HH:mm"), "36660000"],
      ["Date.parse('yyyy-MM-dd', '2020-01-02').time", "1577923200000"]
    ])
  })

  it("raises a ParseException for another text, and for a date that does not exist if it is not lenient", () => {
    const strict = "def f = new SimpleDateFormat('yyyy-MM-dd'); f.setLenient(false); "
    check([
      [
        "try { new SimpleDateFormat('yyyy').parse('xx') } catch (ParseException e) { e.message }",
        'Unparseable date: "xx"'
      ],
      [
        `${strict}try { f.parse('2020-02-30') } catch (e) { e.class.name + ': ' + e.message }`,
        'java.text.ParseException: Unparseable date: "2020-02-30"'
      ],
      [`${strict}f.parse('2020-02-29').time`, "1582934400000"]
    ])
  })

  it("is refused where it may differ from Java, and no script catches that", () => {
    refused([
      ["new SimpleDateFormat('yyyy').parse('20')", "no dates before 1582-10-15"],
      ["new SimpleDateFormat('yyyy z').parse('2020 CET')", "read only UTC, GMT and offsets"],
      ["new SimpleDateFormat('yyyy').setTimeZone(TimeZone.getTimeZone('Europe/Berlin'))", "have UTC and offsets"],
      ["new SimpleDateFormat('yyyy GG')", "no letter G"],
      ["new SimpleDateFormat('yyyy').applyPattern('MM')", "has no method applyPattern()"]
    ])
  })
})
