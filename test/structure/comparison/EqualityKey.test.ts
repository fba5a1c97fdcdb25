import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { equals } from "../../../src/structure/comparison/Equality.ts"
import { equalityKey, unequal } from "../../../src/structure/comparison/EqualityKey.ts"
import { BigDecimal, BigInteger, type GremlinNumber } from "../../../src/structure/numbers/Numbers.ts"
import { numbers, values } from "../Values.ts"

/** As a Set compares keys. */
const sameKey = (a: unknown, b: unknown): boolean => new Set([equalityKey(a)]).has(equalityKey(b))

describe("equalityKey", () => {
  it("is shared exactly by numbers that are equal", () => {
    FastCheck.assert(
      FastCheck.property(numbers, numbers, (a, b) => {
        if (equalityKey(a) !== unequal) expect(sameKey(a, b)).toBe(equals(a, b))
      }),
      { numRuns: 3000 }
    )
  })

  it("is shared exactly by values that are equal, where values have a key", () => {
    FastCheck.assert(
      FastCheck.property(values, values, (a, b) => {
        const key = equalityKey(a)
        if (key === undefined || key === unequal) return
        expect(sameKey(a, b)).toBe(equals(a, b))
      }),
      { numRuns: 2000 }
    )
  })

  it("is the same for a large integer in every type that fits", () => {
    const large: GremlinNumber[] = [2 ** 62, 2n ** 62n, new BigInteger(2n ** 62n), new BigDecimal(2n ** 62n, 0)]
    expect(new Set(large.map(equalityKey)).size).toBe(1)
    expect(sameKey(new BigDecimal(1n, -400), new BigInteger(10n ** 400n))).toBe(true)
    expect(sameKey(new BigDecimal(1n, 400), 0)).toBe(false)
    expect(sameKey(new BigDecimal(1n, -15_000), new BigInteger(10n ** 15_000n))).toBe(true)
    expect(sameKey(new BigDecimal(1n, -90_000), new BigDecimal(10n, -89_999))).toBe(true)
    expect(sameKey(new BigDecimal(0n, -300_000_000), 0)).toBe(true)
  })
})
