import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

/** Checks scripts against the texts of their values. */
const check = (cases: ReadonlyArray<readonly [script: string, value: string]>): void => {
  for (const [script, value] of cases) expect.soft(text(resultOf(script)), script).toBe(value)
}

describe("The constants of an enumeration", () => {
  it("are in the order in which TinkerPop declares them", () => {
    check([
      ["[T.label, T.id, T.value, T.key].sort()", "[label, id, key, value]"],
      ["[Direction.BOTH, Direction.IN, Direction.OUT].sort()", "[OUT, IN, BOTH]"],
      ["[T.label < T.id, T.label <=> T.id, [T.label, T.id].max()]", "[true, -1, id]"],
      ["[(T.label): 1, (T.id): 2].sort()", "{label=1, id=2}"]
    ])
  })
})

describe("sort()", () => {
  it("sorts lists, maps and sets by their hash codes, as Groovy does", () => {
    check([
      ["[[1, 100], [2, 1]].sort()", "[[2, 1], [1, 100]]"],
      ["[[1, 100], [2, 1]].sort { it }", "[[2, 1], [1, 100]]"],
      ["[[1, 100], [2, 1]].toSorted()", "[[2, 1], [1, 100]]"],
      ["[[a: 100], [a: 1]].sort()", "[{a=100}, {a=1}]"],
      ["[[n: 'x', v: [1, 100]], [n: 'y', v: [2, 1]]].sort { it.v }*.n", "[y, x]"],
      ["[a: [2, 1], b: [1, 100]].sort { it.value }", "{a=[2, 1], b=[1, 100]}"],
      ["[['b', 1], ['a', 2]].sort()", "[[a, 2], [b, 1]]"],
      ["[[1, 2], [1, 2, 3], [1]].sort()", "[[1], [1, 2], [1, 2, 3]]"]
    ])
  })

  it("sorts values of several types", () => {
    check([
      ["[1, 'a', 2.5d].sort()", "[1, 2.5, a]"],
      ["['b', 'a' as char].sort()", "[a, b]"],
      ["[null, 2, null, 1].sort()", "[null, null, 1, 2]"],
      [
        "['f0000000-0000-0000-0000-000000000002', '00000000-0000-0000-0000-000000000001'].collect { UUID.fromString(it) }.sort()*.toString()*.take(2)",
        "[f0, 00]"
      ],
      ["[Double.NaN, 1d].sort()", "[1.0, NaN]"],
      ["[1L, 2, 1.5d].sort()", "[1, 1.5, 2]"]
    ])
  })
})

describe("Collections", () => {
  it("have no order for an operator, min() and max()", () => {
    for (const script of ["[1] <=> [2]", "[1] < [2]", "[:] <=> [:]", "[[1], [2]].max()", "[[1], [2]].min { it }"]) {
      expect.soft(() => resultOf(script), script).toThrow(/does not take/)
    }
  })
})

describe("A comparison of a number with a character", () => {
  it("uses the code of the character", () => {
    check([
      ["5 <=> 'a'", "-1"],
      ["'a' <=> 5", "1"],
      ["1 < 'a'", "true"],
      ["'a' < 1", "false"]
    ])
  })

  it("needs a text of one character", () => {
    expect(() => resultOf("1 < 'ab'")).toThrow("< does not take Integer and String")
  })
})
