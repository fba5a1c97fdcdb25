import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Mean, maximum, minimum, Sum } from "../../src/structure/Accumulators.ts"
import { add, multiply } from "../../src/structure/Arithmetic.ts"
import { Detached } from "../../src/structure/Element.ts"
import {
  BigDecimal,
  BigInteger,
  Byte,
  double,
  Float,
  type GremlinNumber,
  numberKind,
  Short
} from "../../src/structure/Numbers.ts"
import { OffsetDateTime } from "../../src/structure/Temporal.ts"
import { text } from "../../src/structure/Text.ts"
import { TypeMismatch } from "../../src/structure/ValueErrors.ts"
import { numbers } from "./Values.ts"

const shown = (value: GremlinNumber | null): string => (value === null ? "null" : `${numberKind(value)} ${text(value)}`)

const sumOf = (...values: unknown[]): string => {
  const sum = new Sum()
  for (const value of values) sum.add(value, 1)
  return shown(sum.result())
}

const meanOf = (...values: unknown[]): string => {
  const mean = new Mean()
  for (const value of values) mean.add(value, 1)
  return shown(mean.result())
}

/** What a calculation gives, or why it failed. */
const outcome = (calculate: () => string): string => {
  try {
    return calculate()
  } catch (error) {
    return (error as Error).constructor.name
  }
}

describe("Sum", () => {
  it("is what adding one by one gives, kinds and failures included", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(numbers, { minLength: 1, maxLength: 6 }), (values) => {
        expect(outcome(() => sumOf(...values))).toBe(outcome(() => shown(values.reduce((a, b) => add(a, b)))))
      }),
      { numRuns: 2000 }
    )
  })

  it("counts a value as often as its bulk says, without widening the kind", () => {
    const sum = new Sum()
    sum.add(new Byte(2), 3)
    expect(shown(sum.result())).toBe("Byte 6")
    sum.add(5, 2)
    expect(shown(sum.result())).toBe("Int 16")
    sum.add(double(0.5), 4)
    expect(shown(sum.result())).toBe("Double 18.0")
    const wide = new Sum()
    wide.add(2147483647, 4194305)
    expect(shown(wide.result())).toBe(`Long ${2147483647n * 4194305n}`)
    wide.add(2147483647, 4_000_000_000)
    expect(shown(wide.result())).toBe(`Long ${2147483647n * 4194305n + 2147483647n * 4_000_000_000n}`)
    FastCheck.assert(
      FastCheck.property(FastCheck.integer(), FastCheck.integer({ min: 1, max: 1_000_000 }), (value, bulk) => {
        const many = new Sum()
        many.add(value, bulk)
        expect(shown(many.result())).toBe(shown(multiply(value, bulk)))
      })
    )
  })

  it("promotes, ignores nulls, and is null over nothing but nulls", () => {
    expect(sumOf(new Byte(127), new Byte(1))).toBe("Short 128")
    expect(sumOf(new Short(-32768), new Short(-1))).toBe("Int -32769")
    expect(sumOf(2147483647, 1)).toBe("Long 2147483648")
    expect(sumOf(2147483647, 1, -2147483647)).toBe("Long 1")
    expect(sumOf(1n, 2)).toBe("Long 3")
    expect(sumOf(29, 27, new BigInteger(1000n))).toBe("BigInteger 1056")
    expect(sumOf(new Float(1), new Float(2))).toBe("Float 3.0")
    expect(sumOf(0.2, double(1))).toBe("Double 1.2")
    expect(sumOf(null, 10, 5, null)).toBe("Int 15")
    expect(sumOf(null)).toBe("null")
    expect(() => sumOf(2n ** 63n - 1n, 1)).toThrow("long overflow")
    expect(() => sumOf(1, "a")).toThrow(TypeMismatch)
  })

  it("takes the numbers of a Double column as Doubles", () => {
    const sum = new Sum()
    sum.addDouble(1, 2)
    sum.addDouble(0.5, 1)
    expect(shown(sum.result())).toBe("Double 2.5")
    const after = new Sum()
    after.add(1, 1)
    after.addDouble(1, 1)
    expect(shown(after.result())).toBe("Double 2.0")
  })
})

describe("Mean", () => {
  it("is a Double for all kinds but the unbounded ones, nulls ignored", () => {
    expect(meanOf(29, 27, 32, 35)).toBe("Double 30.75")
    expect(meanOf(null, 10, 20, null)).toBe("Double 15.0")
    expect(meanOf(new Byte(127), new Byte(127))).toBe("Double 127.0")
    expect(meanOf(new Float(1), 2n)).toBe("Double 1.5")
    expect(meanOf(new BigDecimal(15n, 1), 1)).toBe("BigDecimal 1.25")
    expect(meanOf(null)).toBe("null")
    expect(() => meanOf("a")).toThrow(TypeMismatch)
    const bulked = new Mean()
    bulked.add(1, 3)
    bulked.addDouble(5, 1)
    expect(shown(bulked.result())).toBe("Double 2.0")
  })
})

describe("minimum and maximum", () => {
  it("order numbers, strings, booleans and dates, and pass over null", () => {
    expect(minimum(null, 5)).toBe(5)
    expect(maximum(5, null)).toBe(5)
    expect(minimum(null, null)).toBe(null)
    expect(maximum(1, 2.5)).toBe(2.5)
    expect(shown(minimum(1, 2.5) as GremlinNumber)).toBe("Double 1.0")
    expect(maximum("lop", "vadas")).toBe("vadas")
    expect(minimum(true, false)).toBe(false)
    expect(maximum(new OffsetDateTime(1, 0, 0), new OffsetDateTime(2, 0, 0))).toEqual(new OffsetDateTime(2, 0, 0))
  })

  it("refuse values without a common order", () => {
    const vertex = new Detached().addVertex(1, "person")
    expect(() => minimum(1, "a")).toThrow("cannot be compared: the Integer '1' and the String 'a'")
    expect(() => maximum(vertex, vertex)).toThrow(TypeMismatch)
    expect(() => maximum([1], [2])).toThrow(TypeMismatch)
  })
})
