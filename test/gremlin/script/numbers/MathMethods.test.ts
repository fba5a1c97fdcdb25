import { expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

it("floorDiv() and floorMod() of Math round towards negative infinity, in the types of Java", () => {
  expect(shown("[Math.floorDiv(-7, 2), Math.floorDiv(7, -2), Math.floorDiv(-8, 2), Math.floorMod(-7, 2)]")).toBe(
    "[-4, -4, -4, 1]"
  )
  expect(shown("[Math.floorDiv(-7L, 2), Math.floorMod(-7L, 2), Math.floorMod(-7, 2L)]*.class*.simpleName")).toBe(
    "[Long, Integer, Long]"
  )
  expect(shown("[Math.floorDiv(Integer.MIN_VALUE, -1), Math.floorMod(7, -3)]")).toBe("[-2147483648, -2]")
})

it("The exact methods of Math refuse a result that their type cannot hold", () => {
  expect(shown("[Math.addExact(1, 2), Math.subtractExact(1L, 2), Math.multiplyExact(3, 4), Math.negateExact(3)]")).toBe(
    "[3, -1, 12, -3]"
  )
  expect(shown("[Math.incrementExact(3), Math.decrementExact(3), Math.toIntExact(3L)]")).toBe("[4, 2, 3]")
  expect(shown("Math.subtractExact(1L, 2).class.simpleName + Math.toIntExact(3L).class.simpleName")).toBe("LongInteger")
  const messageOf = (call: string): string =>
    shown(`try { ${call}; 'none' } catch (ArithmeticException e) { e.message }`)
  expect(messageOf("Math.addExact(Integer.MAX_VALUE, 1)")).toContain("integer overflow")
  expect(messageOf("Math.multiplyExact(Long.MAX_VALUE, 2)")).toContain("long overflow")
  expect(messageOf("Math.toIntExact(3000000000L)")).toContain("integer overflow")
  expect(messageOf("Math.floorDiv(1, 0)")).toContain("/ by zero")
  expect(() => resultOf("Math.addExact(1.5d, 1)")).toThrow("Math.addExact() takes an Integer or a Long, not Double")
})

it("Math has the hyperbolic functions, logarithms near one, and copySign()", () => {
  expect(shown("[Math.sinh(0), Math.cosh(0), Math.tanh(0), Math.log1p(0), Math.expm1(0)]")).toBe(
    "[0.0, 1.0, 0.0, 0.0, 0.0]"
  )
  expect(shown("[Math.copySign(3, -0.0d), Math.copySign(-3, 2)]")).toBe("[-3.0, 3.0]")
})

it("Math gives a Float where Java has a method for it, and takes a BigInteger as an Integer", () => {
  expect(shown("[Math.signum(2.0f).class.simpleName, Math.copySign(1.0f, -2.0f).class.simpleName]")).toBe(
    "[Float, Float]"
  )
  expect(shown("[Math.signum(2.0d).class.simpleName, Math.copySign(1.0f, -2.0d).class.simpleName]")).toBe(
    "[Double, Double]"
  )
  expect(shown("[Math.floorMod(7G, 3), Math.addExact(5G, 3)]")).toBe("[1, 8]")
})

it("Math converts angles with the factors of Java, and rounds a number just below a half down", () => {
  expect(shown("[Math.toDegrees(3.14159d), Math.toRadians(180)]")).toBe("[179.9998479605043, 3.141592653589793]")
  expect(shown("[Math.round(0.49999999999999994d), Math.round(2.5d), Math.round(-2.5d)]")).toBe("[0, 3, -2]")
})
