import { describe, expect, it } from "vitest"
import { ArithmeticFailure, MalformedText } from "../../../src/structure/errors/ValueErrors.ts"
import { average, divide, multiply } from "../../../src/structure/numbers/Arithmetic.ts"
import { parseDecimal } from "../../../src/structure/numbers/Decimal.ts"
import { BigDecimal } from "../../../src/structure/numbers/Numbers.ts"

const small = new BigDecimal(1n, 0x7fff_ffff)
const large = new BigDecimal(1n, -0x8000_0000)

describe("The scale of a BigDecimal", () => {
  it("is an Int, so that the binary formats have it: other results fail as in Java", () => {
    const tenth = new BigDecimal(1n, 1)
    const ten = new BigDecimal(1n, -1)
    expect(() => multiply(small, tenth)).toThrow(new ArithmeticFailure("Underflow"))
    expect(() => multiply(large, ten)).toThrow(new ArithmeticFailure("Overflow"))
    expect(() => divide(small, ten)).toThrow(new ArithmeticFailure("Underflow"))
    expect(() => divide(large, tenth)).toThrow(new ArithmeticFailure("Overflow"))
    expect(() => average(small, 2)).toThrow(new ArithmeticFailure("Underflow"))
    expect(multiply(small, ten)).toEqual(new BigDecimal(1n, 0x7fff_fffe))
    expect(multiply(large, tenth)).toEqual(new BigDecimal(1n, -0x7fff_ffff))
  })

  it("of 0 is the nearest Int", () => {
    expect(multiply(new BigDecimal(0n, 0x7fff_ffff), new BigDecimal(5n, 2))).toEqual(new BigDecimal(0n, 0x7fff_ffff))
    expect(divide(new BigDecimal(0n, -0x8000_0000), new BigDecimal(5n, 2))).toEqual(new BigDecimal(0n, -0x8000_0000))
  })

  it("of a text is an Int", () => {
    expect(parseDecimal("1E-2147483647")).toEqual(small)
    expect(parseDecimal("1E+2147483648")).toEqual(large)
    for (const text of ["1.5E-2147483647", "1E+2147483649", "1E-99999999999999999999"]) {
      expect(() => parseDecimal(text), text).toThrow(new MalformedText("Scale out of range."))
    }
  })
})
