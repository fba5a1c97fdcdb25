import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

const expectAll = (cases: ReadonlyArray<readonly [script: string, value: string]>): void => {
  for (const [script, value] of cases) expect(text(resultOf(script)), script).toBe(value)
}

describe("A range", () => {
  it("of Longs has the numbers with the same value as members", () => {
    expectAll([
      ["[1 in 1L..3L, 1.0 in 1L..3L, 1.5 in 1L..3L, 4 in 1L..3L]", "[true, true, false, false]"],
      ["(1L..3L).containsAll([1, 2])", "true"],
      ["switch (2) { case 1L..3L: 'yes'; break; default: 'no' }", "yes"],
      ["(1..3).contains(1L)", "false"]
    ])
  })

  it("of texts may have variables as its ends, and leave out the last text", () => {
    expectAll([
      ["('a'..<'e').toList()", "[a, b, c, d]"],
      ["a = 'a'; (a..'c').toList()", "[a, b, c]"],
      ["a = 'c'; (a..'a').toList()", "[c, b, a]"],
      ["a = 'ab'; (a..'ad').toList()", "[ab, ac, ad]"],
      ["a = 'a'; r = ''; for (x in a..'c') r += x; r", "abc"],
      ["a = 'a'; 'b' in (a..'c')", "true"]
    ])
    expect(() => resultOf("a = 'ay'; a..'bb'")).toThrow("may differ only in their last character")
  })
})

describe("An index", () => {
  it("of an array counts from the end if it is negative", () => {
    expectAll([
      ["a = [1, 2, 3] as int[]; a[-1]", "3"],
      ["a = [1, 2, 3] as int[]; a[-1] = 9; a", "[1, 2, 9]"],
      ["a = [1, 2, 3] as int[]; a[-1]++; a[-3] += 5; a", "[6, 2, 4]"]
    ])
    for (const script of ["a[-4]", "a[3]", "a[-4] = 1"]) {
      expect(() => resultOf(`a = [1, 2, 3] as int[]; ${script}`), script).toThrow("is out of bounds for length 3")
    }
  })

  it("that is a list stores one value, or a list of as many", () => {
    expectAll([
      ["l = [1, 2, 3]; l[0, 2] = 5; l", "[5, 2, 5]"],
      ["l = [1, 2, 3]; l[0, 2] = 'ab'; l", "[ab, 2, ab]"],
      ["l = [1, 2, 3]; l[0, 2] = [7, 8]; l", "[7, 2, 8]"],
      ["l = [1, 2, 3]; l[[]] = 5; l", "[1, 2, 3]"]
    ])
    for (const value of ["[]", "[1, 2, 3]", "null"]) {
      expect(() => resultOf(`l = [1, 2, 3]; l[0, 2] = ${value}`), value).toThrow("a list of 2 values is needed")
    }
    // As in Groovy, a list of values is stored as one by one, but a single value is not.
    expectAll([["l = [1, 2, 3]; l[-1, 5] = [7, 8]; l", "[1, 2, 7, null, null, 8]"]])
    for (const script of ["l[5, 6] = 7", "l[3, 4] = 7", "l[-1, -2] = 7"]) {
      expect(() => resultOf(`l = [1, 2, 3]; ${script}`), script).toThrow("is out of bounds for length 3")
    }
  })
})

it("Math.abs() of a BigInteger is an Int, as in Groovy", () => {
  expectAll([["[Math.abs(-2G), Math.abs(-2G).class.simpleName, Math.abs(-3000000000G)]", "[2, Integer, 1294967296]"]])
})

describe("The methods of Objects", () => {
  it("are those of Java", () => {
    expectAll([
      ["[Objects.hash(null), Objects.hash(null, null), Objects.hash(1, 2)]", "[0, 961, 994]"],
      ["Objects.hash([1, 2] as Object[])", "994"],
      ["[Objects.toString(null), Objects.toString(5), Objects.toString(null, 'x')]", "[null, 5, x]"],
      ["[Objects.toString([a: 1]), Objects.toString([[a: 1]], 'x')]", "[{a=1}, [{a=1}]]"],
      ["[Objects.requireNonNull(5), Objects.requireNonNullElse(null, 6)]", "[5, 6]"]
    ])
    expect(resultOf("try { Objects.requireNonNull(null) } catch (NullPointerException e) { 'caught' }")).toBe("caught")
    expect(() => resultOf("Objects.requireNonNullElse(null, null)")).toThrow("Objects.requireNonNullElse() got null")
  })
})
