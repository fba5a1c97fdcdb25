import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

/** The message of the ArithmeticException that a script catches. */
const problemOf = (call: string): string =>
  shown(`try { ${call}; 'none' } catch (ArithmeticException e) { e.message }`).replace(/ Line 1, .*/, "")

describe("A BigInteger", () => {
  it("has the arithmetic of Java", () => {
    expect(shown("[7g.add(2), 7g.subtract(2L), 7g.multiply(2), 7g.divide(2), 7g.max(9), 7g.min(9)]")).toBe(
      "[9, 5, 14, 3, 9, 7]"
    )
    expect(shown("x = new BigInteger('-7'); [x.divide(2g), x.remainder(2g), x.mod(2g), x % 2, -7 % 2g]")).toBe(
      "[-3, -1, 1, 1, 1]"
    )
    expect(shown("[12g.gcd(18), 0g.gcd(0g), 3g.modPow(4g, 5g), 7g.andNot(3)]")).toBe("[6, 0, 1, 4]")
    expect(shown("7g.divide(2).class.simpleName")).toBe("BigInteger")
    expect(problemOf("7g.divide(0g)")).toBe("BigInteger divide by zero")
    expect(problemOf("7g.mod(new BigInteger('-2'))")).toBe("BigInteger: modulus not positive")
    expect(problemOf("3g.modPow(4g, 0g)")).toBe("BigInteger: modulus not positive")
    expect(() => resultOf("7g.add(2.5m)")).toThrow(/add\(\) of BigInteger takes an integer, not BigDecimal/)
  })

  it("has bits", () => {
    expect(shown("[7g & 3, 7 | 8g, 7g ^ 2g, ~7g, 7g << 3, 7g >> 1, 7g << -1, 7 << 2g]")).toBe(
      "[3, 15, 5, -8, 56, 3, 3, 28]"
    )
    expect(shown("[7g.and(3g), 7g.or(8), 7g.xor(2), 7g.not(), 7g.shiftLeft(3), 7g.shiftRight(1)]")).toBe(
      "[3, 15, 5, -8, 56, 3]"
    )
    expect(shown("x = new BigInteger('-8'); [7g, x, 0g].collect { [it.bitLength(), it.bitCount()] }")).toBe(
      "[[3, 3], [3, 3], [0, 0]]"
    )
    expect(shown("[7g.testBit(0), 7g.testBit(3), 7g.toString(2), 35g.toString(36)]")).toBe("[true, false, 111, z]")
    expect(problemOf("7g.testBit(-1)")).toBe("Negative bit address")
    expect(() => resultOf("7g >>> 1")).toThrow(/a BigInteger has no bits to the left of its sign/)
  })

  it("gives an Integer or a Long only without a loss", () => {
    expect(shown("[7g.intValueExact(), 70000000000g.longValueExact()]")).toBe("[7, 70000000000]")
    expect(problemOf("70000000000g.intValueExact()")).toBe("BigInteger out of int range")
  })

  it("has a bounded number of bits", () => {
    expect(() => resultOf("1g << 70000")).toThrow(/at most 65536 bits/)
    expect(() => resultOf("(1g << 9000).gcd(3g)")).toThrow(/gcd\(\) takes numbers of at most 8192 bits/)
    expect(() => resultOf("3g.modPow(1g << 3000, 7g)")).toThrow(/modPow\(\) takes numbers of at most 2048 bits/)
  })
})

describe("An integer", () => {
  it("has the methods of its operators on bits", () => {
    expect(shown("[7.and(3), 7.or(8), 7L.xor(2), 7.leftShift(2), 7.rightShift(1), 7.bitwiseNegate(), 7.and(3g)]")).toBe(
      "[3, 15, 5, 28, 3, -8, 3]"
    )
    expect(() => resultOf("7.5d.and(3)")).toThrow(/has no method and\(\)/)
  })
})

describe("A boolean", () => {
  it("has the methods of its operators", () => {
    expect(shown("[true.booleanValue(), true.and(null), false.or(true), true.xor(true), true.implies(false)]")).toBe(
      "[true, false, true, false, false]"
    )
    expect(() => resultOf("true.or('x')")).toThrow(/a boolean was expected/)
  })
})
