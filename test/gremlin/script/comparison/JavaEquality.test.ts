import { describe, expect, it } from "vitest"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("Objects.equals()", () => {
  it("is Java's equals(), also of members", () => {
    for (const [values, isEqual] of [
      ["1, 1L", false],
      ["1, 1.0d", false],
      ["1, 1", true],
      ["1L, 1L", true],
      ["new BigDecimal('1.0'), new BigDecimal('1.00')", false],
      ["1.0, 1.0", true],
      ["Double.NaN, Double.NaN", true],
      ["0.0d, -0.0d", false],
      ["null, null", true],
      ["null, 1", false],
      ["'a', 'a' as char", false],
      ["'a', 'a'", true],
      ["[1], [1L]", false],
      ["[1, [2]], [1, [2]]", true],
      ["[[1]], [[1L]]", false],
      ["[a: 1], [a: 1L]", false],
      ["[a: 1], [a: 1]", true],
      ["[1] as Set, [1L] as Set", false],
      ["[1, 2] as Set, [2, 1] as Set", true],
      ["[1] as int[], [1] as int[]", false]
    ] as const) {
      expect.soft(resultOf(`Objects.equals(${values})`), values).toBe(isEqual)
    }
    expect(resultOf("a = [1] as int[]; Objects.equals(a, a)")).toBe(true)
  })
})
