import { describe, expect, it } from "vitest"
import { TraversalError } from "../../../src/process/language/Errors.ts"
import { parseNumber } from "../../../src/process/scalars/NumberParser.ts"
import { BigInteger } from "../../../src/structure/numbers/Numbers.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { typeName } from "../../../src/structure/texts/TypeNames.ts"

/** A text, and the number to which Gremlin Server converts it, with its type. */
const numbers: ReadonlyArray<readonly [string, string]> = [
  ["5", "Integer 5"],
  ["-5", "Integer -5"],
  ["+5", "Integer 5"],
  ["05", "Integer 5"],
  ["010", "Integer 8"],
  ["-010", "Integer -8"],
  ["0x5", "Integer 5"],
  ["0X1F", "Integer 31"],
  ["-0x1F", "Integer -31"],
  ["0xFFFFFFFF", "Long 4294967295"],
  ["0x7FFFFFFF", "Integer 2147483647"],
  ["0x80000000", "Long 2147483648"],
  ["0x7FFFFFFFFFFFFFFF", "Long 9223372036854775807"],
  ["0x8000000000000000", "BigInteger 9223372036854775808"],
  ["0xFFFFFFFFFFFFFFFFF", "BigInteger 295147905179352825855"],
  ["2147483647", "Integer 2147483647"],
  ["2147483648", "Long 2147483648"],
  ["-2147483648", "Integer -2147483648"],
  ["-2147483649", "Long -2147483649"],
  ["9223372036854775807", "Long 9223372036854775807"],
  ["9223372036854775808", "BigInteger 9223372036854775808"],
  ["5.43", "Float 5.43"],
  ["5.0", "Float 5.0"],
  ["1.0", "Float 1.0"],
  ["0.1", "Float 0.1"],
  ["1.1", "Float 1.1"],
  ["3.14159265358979", "Double 3.14159265358979"],
  ["0.30000000000000004", "Double 0.30000000000000004"],
  ["1e3", "Float 1000.0"],
  ["1E3", "Float 1000.0"],
  ["1e-3", "Float 0.001"],
  ["1e400", "BigDecimal 1E+400"],
  ["1e-400", "BigDecimal 1E-400"],
  ["1.7976931348623157e308", "Double 1.7976931348623157E308"],
  ["1e39", "Double 1.0E39"],
  ["1e38", "Float 1.0E38"],
  ["3.4e38", "Float 3.4E38"],
  ["5l", "Long 5"],
  ["5L", "Long 5"],
  ["5f", "Float 5.0"],
  ["5.5f", "Float 5.5"],
  ["5F", "Float 5.0"],
  ["5d", "Double 5.0"],
  ["5.5D", "Double 5.5"],
  ["1e5f", "Float 100000.0"],
  ["1e40f", "Double 1.0E40"],
  ["1e310d", "BigDecimal 1E+310"],
  ["1e-50f", "Double 1.0E-50"],
  ["0.0", "Float 0.0"],
  ["0", "Integer 0"],
  ["-0", "Integer 0"],
  ["-0.0", "Float -0.0"],
  ["0.0f", "Float 0.0"],
  [".5", "Float 0.5"],
  ["5.", "Float 5.0"],
  ["5.e3", "Float 5000.0"],
  [".5e1", "Float 5.0"],
  ["  7  ", "Integer 7"],
  ["1.23456789012345678901234567890", "BigDecimal 1.23456789012345678901234567890"],
  ["00", "Integer 0"],
  ["0.10", "Float 0.1"],
  ["08.5", "Float 8.5"],
  ["0777", "Integer 511"],
  ["123456789012345678901234567890", "BigInteger 123456789012345678901234567890"],
  ["+5.5", "Float 5.5"],
  ["0x00000000F", "Integer 15"],
  ["0x000000000FFFFFFFF", "Long 4294967295"],
  ["1.0E+2", "Float 100.0"],
  ["9999999999.9", "Double 9.9999999999E9"],
  ["16777217", "Integer 16777217"],
  ["16777217.0", "Double 1.6777217E7"],
  ["-0x80000000", "Long -2147483648"],
  ["-0x8000000000000000", "BigInteger -9223372036854775808"],
  ["9223372036854775808L", "BigInteger 9223372036854775808"],
  ["1e0", "Float 1.0"],
  ["0.0000001", "Float 1.0E-7"],
  ["12345678.9", "Double 1.23456789E7"],
  ["0L", "Long 0"],
  ["-0L", "Long 0"],
  ["00.5", "Float 0.5"],
  ["01.", "Float 1.0"],
  ["01.5e2", "Float 150.0"],
  ["+1e2", "Float 100.0"],
  ["+5f", "Float 5.0"]
]

const noNumbers = [
  "09",
  "+0x1F",
  "#1F",
  "-#1F",
  "0x",
  "0xG",
  "5.0L",
  "",
  "  ",
  "1 000",
  "1,000",
  "test",
  "NaN",
  "Infinity",
  "1e",
  "e5",
  "1.2.3",
  "--5",
  "+-5",
  "5m",
  "5n",
  "0b101",
  "1_000",
  "0x1.8p1",
  "0xFFFFFFFFL",
  "1d2",
  "-",
  "+",
  "\u0665",
  "1e3L",
  "1.e",
  "1e99999999999",
  "1e-99999999999",
  "0e99999999999",
  "1e9999999999",
  "1e99999999999f",
  "\u20031",
  "1\u00a0",
  "01e2",
  "-01e2",
  "09f",
  "07f",
  "01d",
  "00f",
  "00e1",
  "08e1",
  "007L",
  "00L",
  "+5L"
]

describe("parseNumber", () => {
  it.each(numbers)("parses '%s' as %s", (written, expected) => {
    const number = parseNumber(written)
    expect(`${typeName(number)} ${text(number)}`).toBe(expected)
  })

  it.each(noNumbers)("refuses '%s'", (written) => {
    expect(() => parseNumber(written)).toThrow(TraversalError)
    expect(() => parseNumber(written)).toThrow(`Can't parse string '${written}' as number.`)
  })

  it("parses a long text in little time", () => {
    expect(() => parseNumber(`${"1".repeat(9_000)}x`)).toThrow(TraversalError)
    expect(() => parseNumber(`${" ".repeat(9_000)}x`)).toThrow(TraversalError)
  })

  it("refuses texts of more than 10,000 characters, which would take seconds", () => {
    for (const digits of ["1".repeat(10_001), `0x${"f".repeat(1_000_000)}`, `1.${"1".repeat(1_000_000)}`]) {
      expect(() => parseNumber(digits)).toThrow(/asNumber\(\) parses texts of at most 10000 characters/)
    }
    expect(parseNumber("9".repeat(10_000))).toBeInstanceOf(BigInteger)
  })
})
