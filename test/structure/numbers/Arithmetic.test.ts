import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { ArithmeticFailure, MalformedText } from "../../../src/structure/errors/ValueErrors.ts"
import {
  add,
  average,
  castTo,
  commonKind,
  divide,
  larger,
  multiply,
  smaller,
  subtract,
  toBigInt,
  toDouble
} from "../../../src/structure/numbers/Arithmetic.ts"
import {
  compareDecimals,
  decimalOfDouble,
  decimalText,
  decimalToDouble,
  divideDecimals,
  parseDecimal,
  setScale
} from "../../../src/structure/numbers/Decimal.ts"
import { compareNumbers } from "../../../src/structure/numbers/NumberOrder.ts"
import {
  BigDecimal,
  BigInteger,
  Byte,
  Double,
  double,
  Float,
  type GremlinNumber,
  type NumberKind,
  numberKind,
  Short
} from "../../../src/structure/numbers/Numbers.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { numbers } from "../Values.ts"

/** A number with its kind, to compare by. */
const shown = (value: GremlinNumber): string => `${numberKind(value)} ${text(value)}`

const integers: FastCheck.Arbitrary<GremlinNumber> = FastCheck.oneof(
  FastCheck.integer({ min: -128, max: 127 }).map((n) => new Byte(n)),
  FastCheck.integer({ min: -32768, max: 32767 }).map((n) => new Short(n)),
  FastCheck.integer(),
  FastCheck.integer({ min: -3, max: 3 }),
  FastCheck.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
)

/** The narrowest kind from `kind` up that holds an integer; undefined beyond Long. */
const holding = (value: bigint, kind: NumberKind): string | undefined => {
  const kinds = ["Byte", "Short", "Int", "Long"]
  const bits = [8, 16, 32, 64]
  const at = bits.findIndex((width, i) => i >= kinds.indexOf(kind) && BigInt.asIntN(width, value) === value)
  return at === -1 ? undefined : `${kinds[at]} ${value}`
}

describe("integer arithmetic", () => {
  const operations = [
    { name: "add", run: add, reference: (a: bigint, b: bigint) => a + b },
    { name: "subtract", run: subtract, reference: (a: bigint, b: bigint) => a - b },
    { name: "multiply", run: multiply, reference: (a: bigint, b: bigint) => a * b },
    { name: "divide", run: divide, reference: (a: bigint, b: bigint) => a / b }
  ]

  it.each(operations)("of any two types is exact, in the narrowest common type that fits ($name)", (operation) => {
    FastCheck.assert(
      FastCheck.property(integers, integers, (a, b) => {
        if (operation.name === "divide" && toBigInt(b) === 0n) {
          expect(() => operation.run(a, b)).toThrow("/ by zero")
          return
        }
        const expected = operation.reference(toBigInt(a), toBigInt(b))
        const held = holding(expected, commonKind(numberKind(a), numberKind(b)))
        if (held === undefined) expect(() => operation.run(a, b)).toThrow("long overflow")
        else expect(shown(operation.run(a, b))).toBe(held)
      }),
      { numRuns: 1000 }
    )
  })

  it("promotes on overflow and fails beyond Long", () => {
    expect(shown(add(new Byte(127), new Byte(1)))).toBe("Short 128")
    expect(shown(add(new Short(32767), new Byte(1)))).toBe("Int 32768")
    expect(shown(add(2147483647, 1))).toBe("Long 2147483648")
    expect(shown(multiply(2147483647, 2147483647))).toBe("Long 4611686014132420609")
    expect(shown(divide(-2147483648, -1))).toBe("Long 2147483648")
    expect(shown(add(2n ** 63n - 1n, new BigInteger(1n)))).toBe("BigInteger 9223372036854775808")
    expect(() => add(2n ** 63n - 1n, 1)).toThrow(ArithmeticFailure)
  })

  it("never returns -0 for an Int", () => {
    expect(Object.is(multiply(-1, 0), 0)).toBe(true)
    expect(Object.is(divide(-1, 2), 0)).toBe(true)
  })

  it("refuses to grow integers beyond the limit", () => {
    let value: GremlinNumber = new BigInteger(10n ** 1000n)
    expect(() => {
      for (let i = 0; i < 30; i++) value = multiply(value, value)
    }).toThrow("more than 65536 bits")
  })
})

describe("floating arithmetic", () => {
  it("of two Doubles is JavaScript's", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.double(), FastCheck.double(), (a, b) => {
        for (const [run, expected] of [
          [add, a + b],
          [subtract, a - b],
          [multiply, a * b],
          [divide, a / b]
        ] as const) {
          const result = run(double(a), double(b))
          expect(numberKind(result)).toBe("Double")
          expect(toDouble(result)).toBe(expected)
        }
      })
    )
  })

  it("is Float up to 32 bits, Double up to 64, else BigDecimal", () => {
    expect(shown(add(1, new Float(0.5)))).toBe("Float 1.5")
    expect(shown(add(1n, new Float(0.5)))).toBe("Double 1.5")
    expect(shown(add(1, double(1)))).toBe("Double 2.0")
    expect(shown(add(new BigInteger(1n), new Float(0.1)))).toBe("BigDecimal 1.1")
    expect(shown(multiply(new BigDecimal(15n, 1), 2))).toBe("BigDecimal 3.0")
    expect(shown(divide(1, new Float(0)))).toBe("Double Infinity")
    expect(shown(multiply(new Float(3e38), new Float(10)))).toBe("Double 3.000000005497756E39")
    expect(shown(divide(1.5, 0))).toBe("Double Infinity")
    expect(() => divide(new BigDecimal(1n, 0), 0)).toThrow("Division by zero")
  })

  it("has means that are Doubles, or BigDecimals of limited length", () => {
    expect(shown(average(123, 4))).toBe("Double 30.75")
    expect(shown(average(4n, 2))).toBe("Double 2.0")
    expect(shown(average(new BigInteger(1n), 3))).toBe("BigDecimal 0.3333333333")
  })
})

describe("smaller and larger", () => {
  it("return one of both values, in the wider type of both", () => {
    FastCheck.assert(
      FastCheck.property(integers, integers, (a, b) => {
        const kind = commonKind(numberKind(a), numberKind(b))
        expect(numberKind(smaller(a, b))).toBe(kind)
        expect(compareNumbers(smaller(a, b), compareNumbers(a, b) < 0 ? a : b)).toBe(0)
        expect(compareNumbers(larger(a, b), compareNumbers(a, b) > 0 ? a : b)).toBe(0)
      })
    )
    expect(shown(smaller(1, 2.5))).toBe("Double 1.0")
    expect(shown(larger(1n, new BigDecimal(5n, 1)))).toBe("BigDecimal 1")
  })

  it("prefer any number to NaN", () => {
    expect(smaller(Number.NaN, 1)).toBe(1)
    expect(larger(1, new Float(Number.NaN))).toBe(1)
    expect(smaller(Number.NaN, Number.NaN)).toBeNaN()
  })
})

describe("castTo", () => {
  it("truncates fractions and keeps the digits of a Float", () => {
    expect(shown(castTo(5.67, "Int"))).toBe("Int 5")
    expect(shown(castTo(-5.67, "Long"))).toBe("Long -5")
    expect(shown(castTo(new Float(0.1), "Double"))).toBe("Double 0.1")
    expect(shown(castTo(new Float(0.1), "BigDecimal"))).toBe("BigDecimal 0.1")
    expect(shown(castTo(12, "Byte"))).toBe("Byte 12")
    expect(shown(castTo(5, "Double"))).toBe("Double 5.0")
    expect(shown(castTo(new BigDecimal(15n, 1), "BigInteger"))).toBe("BigInteger 1")
  })

  it("fails for a value that is out of range, with the names of both types", () => {
    expect(() => castTo(32768, "Short")).toThrow("Can't convert number of type Integer to Short due to overflow.")
    expect(() => castTo(300, "Byte")).toThrow("Can't convert number of type Integer to Byte due to overflow.")
    expect(() => castTo(1e300, "Long")).toThrow("Can't convert number of type Double to Long due to overflow.")
    expect(() => castTo(-1e300, "Int")).toThrow("Can't convert number of type Double to Integer due to underflow.")
    expect(() => castTo(1e300, "Float")).toThrow("due to overflow")
    expect(() => castTo(new BigDecimal(1n, -400), "Double")).toThrow("due to overflow")
    expect(() => castTo(Number.NaN, "Int")).toThrow("Can't convert NaN to Integer.")
    expect(() => castTo(Number.POSITIVE_INFINITY, "Int")).toThrow("Can't convert floating point infinity to Integer.")
    expect(castTo(Number.POSITIVE_INFINITY, "Float")).toEqual(new Float(Number.POSITIVE_INFINITY))
  })

  it("returns the requested type with the same value for integers that fit", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.integer({ min: -128, max: 127 }), (n) => {
        for (const kind of ["Byte", "Short", "Int", "Long", "BigInteger", "Float", "Double", "BigDecimal"] as const) {
          const cast = castTo(n, kind)
          expect(numberKind(cast)).toBe(kind)
          expect(compareNumbers(cast, n)).toBe(0)
        }
      })
    )
  })
})

describe("decimals", () => {
  it.each([
    ["1", "1"],
    ["1.0", "1.0"],
    ["0.000001", "0.000001"],
    ["0.0000001", "1E-7"],
    ["1E3", "1E+3"],
    ["-1.50E5", "-1.50E+5"],
    ["0E-10", "0E-10"],
    [".5", "0.5"],
    ["+5.", "5"],
    ["123456789.123456789", "123456789.123456789"]
  ])("read %s and write %s", (written, read) => {
    expect(decimalText(parseDecimal(written))).toBe(read)
  })

  it.each(["", ".", "1e", "abc", "1,5", "0x1", "1E99999999999", " 1"])("refuse '%s'", (written) => {
    expect(() => parseDecimal(written)).toThrow(MalformedText)
  })

  it.each([
    ["1", "8", "0.125"],
    ["10", "4", "2.5"],
    ["1.00", "3", "0.3333333333"],
    ["2", "3", "0.6666666667"],
    ["-2", "3", "-0.6666666667"],
    ["6.00", "3", "2.00"],
    ["0.00", "7", "0.00"],
    ["1E5", "2", "5E+4"],
    ["2", "1E5", "0.00002"],
    ["1.25", "0.5", "2.5"],
    ["1000", "10", "100"],
    ["1234567.0000000000001", "7", "176366.7142857142857"]
  ])("divide %s by %s into %s", (dividend, divisor, quotient) => {
    expect(decimalText(divideDecimals(parseDecimal(dividend), parseDecimal(divisor)))).toBe(quotient)
  })

  it("round half up and truncate", () => {
    expect(decimalText(setScale(parseDecimal("2.345"), 2, "halfUp"))).toBe("2.35")
    expect(decimalText(setScale(parseDecimal("-2.345"), 2, "halfUp"))).toBe("-2.35")
    expect(decimalText(setScale(parseDecimal("2.349"), 2, "down"))).toBe("2.34")
    expect(decimalText(setScale(parseDecimal("1E-500"), 0, "down"))).toBe("0")
  })

  it("are compared without writing their digits out, whatever their exponents", () => {
    const huge = new BigDecimal(1n, -2_000_000_000)
    expect(compareDecimals(huge, new BigDecimal(1n, 2_000_000_000))).toBe(1)
    expect(compareDecimals(new BigDecimal(-1n, -2_000_000_000), huge)).toBe(-1)
    expect(() => add(huge, 1)).toThrow("more than 10000 digits")
  })

  it("write a Double and read it back", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
        expect(decimalToDouble(decimalOfDouble(value)) - value).toBe(0)
        // Beyond 2^53 a Double is compared as the integer it is, not as the digits it is written with.
        if (Math.abs(value) < 2 ** 53) expect(compareNumbers(decimalOfDouble(value), double(value))).toBe(0)
      })
    )
  })
})

describe("compareNumbers", () => {
  it("agrees with the values as decimals", () => {
    FastCheck.assert(
      FastCheck.property(numbers, numbers, (a, b) => {
        const difference = compareNumbers(a, b)
        if (a instanceof Double && b instanceof Double) expect(difference).toBe(Math.sign(a.value - b.value))
        expect(difference).toBe(-compareNumbers(b, a) + 0)
      })
    )
  })
})
