import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

describe("A string", () => {
  it.each([
    ["'abcd'.regionMatches(1, 'xbc', 1, 2)", "true"],
    ["'abcd'.regionMatches(true, 1, 'XBC', 1, 2)", "true"],
    ["'abcd'.regionMatches(-1, 'a', 0, 1)", "false"],
    ["'abcd'.regionMatches(0, 'abcdef', 0, 6)", "false"],
    ["'abcd'.regionMatches(0, 'a', 0, -1)", "true"],
    ["'abc'.contentEquals(new StringBuilder('abc'))", "true"],
    ["'aBc'.containsIgnoreCase('bC')", "true"],
    ["'\u0130x'.containsIgnoreCase('i')", "true"],
    ["'stra\u00dfe'.containsIgnoreCase('SS')", "false"],
    ["'\u03a3\u0391\u03a3'.containsIgnoreCase('\u03c3\u03b1\u03c2')", "true"],
    ["'abc'.containsIgnoreCase('')", "false"],
    ["'aBc'.startsWithIgnoreCase('AB')", "true"],
    ["'abc'.startsWithIgnoreCase('')", "false"],
    ["'aBc'.endsWithIgnoreCase('bC')", "true"],
    ["'abc'.startsWithAny('x', 'ab')", "true"],
    ["'abc'.endsWithAny('x', 'b')", "false"]
  ])("compares its parts as Java and Groovy do: %s", (script, value) => {
    expect(shown(script)).toBe(value)
  })

  it("refuses letters that it cannot compare as Java does", () => {
    expect(() => resultOf("'\u1fb3'.containsIgnoreCase('a')")).toThrow(/use toLowerCase\(\)/)
  })

  it("has streams of its lines and characters", () => {
    expect(shown("['abc'.chars().sum(), 'a\ud83d\ude00'.codePoints().count()]")).toBe("[294, 2]")
    expect(shown("'a\\nb\\r\\nc\\n'.lines().map { it + 1 }.collect(Collectors.toList())")).toBe("[a1, b1, c1]")
  })

  it("changes the beginnings and the ends of its lines", () => {
    expect(resultOf("'a\\n\\nb'.indent(1)")).toBe(" a\n \n b\n")
    expect(resultOf("'  a\\n b\\n'.indent(-1)")).toBe(" a\nb\n")
    expect(resultOf("'a'.indent(0) + ''.indent(2)")).toBe("a\n")
    expect(resultOf("'a\\r\\nb\\rc\\n'.normalize()")).toBe("a\nb\nc\n")
  })

  it("tells of which type a number in it may be", () => {
    expect(shown("['1.5d', 'NaN', '-Infinity', '0x1p3', ' 5. ', '1e', ''].collect { it.isDouble() }")).toBe(
      "[true, true, true, true, true, false, false]"
    )
    expect(shown("['1.5f'.isFloat(), 'NaN'.isNumber(), '1.5f'.isBigDecimal(), '1e400'.isBigDecimal()]")).toBe(
      "[true, false, false, true]"
    )
    expect(shown("[' +5 ', '1.5', ''].collect { it.isBigInteger() }")).toBe("[true, false, false]")
  })

  it("becomes a Short and a Character", () => {
    expect(shown("[' 12 '.toShort() instanceof Short, 'ab'.toCharacter() instanceof Character]")).toBe("[true, true]")
    expect(() => resultOf("'70000'.toShort()")).toThrow(/70000/)
    expect(() => resultOf("''.toCharacter()")).toThrow(/out of bounds/)
  })
})

describe("A StringBuilder", () => {
  it("replaces one character", () => {
    expect(shown("sb = new StringBuilder('abc'); sb.setCharAt(1, 'x' as char); sb.toString()")).toBe("axc")
    expect(
      shown(
        "try { new StringBuilder('abc').setCharAt(3, 'x' as char) } catch (IndexOutOfBoundsException e) { e.message }"
      )
    ).toBe("index 3, length 3")
  })
})

describe("An iterator", () => {
  it("is joined, reversed and shortened", () => {
    expect(shown("it = [1, 2, 3].iterator(); [it.join('-'), it.hasNext()]")).toBe("[1-2-3, false]")
    expect(shown("it = [1, 2, 3].iterator(); it.drop(1); it.next()")).toBe("2")
    expect(shown("[1, 2, 3].iterator().reverse().toList()")).toBe("[3, 2, 1]")
  })
})
