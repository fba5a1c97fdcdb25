import { expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

it("The classes of numbers compare as Java does", () => {
  expect(shown("[Long.compare(1, 2), Long.compare(3L, 2L), Integer.compare(2, 2)]")).toBe("[-1, 1, 0]")
  expect(shown("[Double.compare(0.0d, -0.0d), Double.compare(Double.NaN, 1.0d), Double.compare(1, 2)]")).toBe(
    "[1, 1, -1]"
  )
  expect(shown("[Float.compare(1f, 2f), Short.compare((short) 1, (short) 5), Byte.compare((byte) 1, (byte) 5)]")).toBe(
    "[-1, -4, -4]"
  )
  expect(shown("Character.compare('a' as char, 'c' as char)")).toBe("-2")
  expect(() => resultOf("Short.compare(1, 5)")).toThrow(/the methods of Short take numbers of its type, not Integer/)
})

it("The classes of numbers calculate in their types", () => {
  expect(shown("[Integer.max(1, 2), Integer.min(1, 2), Integer.sum(2147483647, 1)]")).toBe("[2, 1, -2147483648]")
  expect(shown("[Long.max(1, 2), Long.sum(1L, 9223372036854775807L)]")).toBe("[2, -9223372036854775808]")
  expect(shown("[Double.max(1, 2), Double.min(0.0d, -0.0d), Double.sum(1.5d, 2), Float.sum(1f, 2f)]")).toBe(
    "[2.0, -0.0, 3.5, 3.0]"
  )
  expect(shown("[Long.max(1, 2), Double.max(1, 2), Float.max(1f, 2f)]*.class*.simpleName")).toBe(
    "[Long, Double, Float]"
  )
  expect(shown("[Long.signum(-5L), Integer.bitCount(255), Integer.bitCount(-1), Long.bitCount(-1L)]")).toBe(
    "[-1, 8, 32, 64]"
  )
  expect(() => resultOf("Integer.max(1L, 2)")).toThrow(/the methods of Integer take numbers of its type, not Long/)
})

it("asBoolean() is the truth of a value", () => {
  expect(shown("[7, 0, '', [], [a: 1], true, 0.0m, new Date()]*.asBoolean()")).toBe(
    "[true, false, false, false, true, true, false, true]"
  )
})
