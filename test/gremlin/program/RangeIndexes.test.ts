import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

describe("A range as an index", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["'abc'[1..-1]", "bc"],
    ["'abcdef'[0..-2]", "abcde"],
    ["'abcdef'[-1..0]", "fedcba"],
    ["'abcdef'[-3..-1]", "def"],
    ["'abcdef'[3..1]", "dcb"],
    ["'abcdef'[2..<-1]", "cde"],
    ["'abcdef'[-1..<2]", "fed"],
    ["'abc'[1..<1]", ""],
    ["'a\u{1f600}b'[-1..0]", "b\u{1f600}a"],
    ["[1, 2, 3][1..-1]", "[2, 3]"],
    ["[1, 2, 3][ 0 .. -2 ]", "[1, 2]"],
    ["[1, 2, 3, 4][1..<-1]", "[2, 3]"],
    ["[1, 2, 3][-1..0]", "[3, 2, 1]"],
    ["def n = 1; [1, 2, 3, 4][n..-1]", "[2, 3, 4]"],
    ["def r = 1..-1; 'hello'[r]", "ello"],
    ["def l = [1, 2, 3, 4]; l[1..l.size() - 2]", "[2, 3]"],
    ["['a', 'b', 'c'][1..-1].collect { it[0..-1] }", "[b, c]"],
    ["[[2, 3]: 'pair'][2..3]", "pair"]
  ]
  for (const [script, value] of cases) {
    it(`counts negative ends from the end: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("must be inside of the list or string", () => {
    for (const index of ["0..5", "3..3", "3..-1", "-4..0", "0..<4"]) {
      for (const of of ["[1, 2, 3]", "'abc'"]) {
        const caught = `try { ${of}[${index}] } catch (IndexOutOfBoundsException e) { 'outside' }`
        expect.soft(resultOf(caught), `${of}[${index}]`).toBe("outside")
      }
    }
  })

  it("is a list of integers elsewhere, also with one negative end", () => {
    expect(text(resultOf("(1..-1).collect { it }"))).toBe("[1, 0, -1]")
    expect(text(resultOf("def r = 1..-1; r.reverse() + (2..<0)"))).toBe("[-1, 0, 1, 2, 1]")
    expect(text(resultOf("def s = 0; for (i in 2..-2) s += i; [s, (3..-3).size()]"))).toBe("[0, 7]")
    expect(() => resultOf("[1][0..999999999]")).toThrow("range")
  })
})
