import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

const expectAll = (cases: ReadonlyArray<readonly [script: string, value: string]>): void => {
  for (const [script, value] of cases) expect(text(resultOf(script)), script).toBe(value)
}

describe("The members of a collection", () => {
  it("are found by grep() as switch compares", () => {
    expectAll([
      ["[0, 1, 'a', '', null, []].grep()", "[1, a]"],
      ["[1, 2, 'a'].grep(Integer)", "[1, 2]"],
      ["['ab', 'cd'].grep(~/a.*/)", "[ab]"],
      ["[1, 2, 3].grep(1..2)", "[1, 2]"],
      ["[1, 2, 3].grep { it > 1 }", "[2, 3]"],
      ["[null, 1].grep(null)", "[null]"],
      ["([1, 2, 3] as Set).grep(1..2) instanceof Set", "true"],
      ["[a: 1, b: 2].grep { it.value > 1 }.size()", "1"],
      ["'abc'.grep { it > 'a' }", "[b, c]"]
    ])
  })

  it("are compared by grep() in steps", () => {
    const many = "l = (1..3000).toList(); "
    expect(text(resultOf(`${many}l.grep(l).size()`))).toBe("3000")
    expect(text(resultOf(`${many}[l, l]*.grep(2..3)`))).toBe("[[2, 3], [2, 3]]")
  })

  it("are chosen in all ways", () => {
    expectAll([
      ["[[1, 2], [3, 4]].combinations()", "[[1, 3], [2, 3], [1, 4], [2, 4]]"],
      ["[[1, 2], 3].combinations()", "[[1, 3], [2, 3]]"],
      ["[[1, 2], []].combinations()", "[]"],
      ["[[1, 2], [3, 4]].combinations { a, b -> a * b }", "[3, 6, 4, 8]"],
      ["r = []; [[1, 2], [3]].eachCombination { r << it }; r", "[[1, 3], [2, 3]]"],
      ["[1, 2, 3].permutations() == [[1,2,3], [1,3,2], [2,1,3], [2,3,1], [3,1,2], [3,2,1]] as Set", "true"],
      ["[1, 1].permutations()", "[[1, 1]]"],
      ["[1, 2, 3].permutations { it.sum() }", "[6, 6, 6, 6, 6, 6]"],
      ["r = []; [1, 2].eachPermutation { r << it }; r.size()", "2"],
      ["[1, 2, 3].subsequences() == [[1], [2], [3], [1, 2], [1, 3], [2, 3], [1, 2, 3]] as Set", "true"],
      ["[].subsequences()", "[]"]
    ])
  })

  it("are chosen in the order of Java's sets", () => {
    expectAll([
      ["[1, 2, 3].permutations()*.join('')", "[123, 321, 213, 312, 132, 231]"],
      ["[1, 2, 3].subsequences()*.join('')", "[1, 123, 2, 23, 12, 3, 13]"],
      ["['a', 'b', 'c'].subsequences()*.join('')", "[abc, a, b, bc, ab, c, ac]"],
      ["[1, 1, 2].permutations()*.join('')", "[112, 211, 121]"],
      ["[1, 2, 3, 4, 5].permutations()*.join('').take(5)", "[12354, 14532, 41235, 25431, 45312]"],
      ["(1..6).toList().subsequences()*.join('').take(6)", "[12356, 134, 256, 135, 23, 136]"],
      ["['x', 'y', 'z', 'w'].permutations()*.join('').take(4)", "[xywz, xzwy, wyxz, wzxy]"]
    ])
  })

  it("are chosen as Groovy chooses them", () => {
    expectAll([
      ["['ab', 'c'].combinations()", "[[a, c], [b, c]]"],
      ["[null, [1]].combinations()", "[]"],
      ["[[1, 2], null].combinations { it }", "[]"],
      ["[[a: 1], [3]].combinations().toString()", "[[a=1, 3]]"],
      ["[1, 1].permutations { it }", "[[1, 1]]"],
      ["r = []; [1, 1].eachPermutation { r << it }; r", "[[1, 1], [1, 1]]"],
      ["r = []; [1, 2, 3].eachPermutation { r << it.join('') }; r", "[123, 132, 213, 231, 312, 321]"],
      ["[1, 2].eachPermutation { }.hasNext()", "false"]
    ])
    expect(() => resultOf("([1, 2] as Set).subsequences()")).toThrow("has no method subsequences()")
  })

  it("of a map are entries for grep()", () => {
    expectAll([
      ["[a: 1].grep().toString()", "[a=1]"],
      ["[a: 1].grep(1)", "[]"],
      ["[a: 1, b: 2].grep([a: 1].entrySet()).toString()", "[a=1]"],
      ["[a: 1, b: 2].grep { it.value == 2 }.toString()", "[b=2]"]
    ])
    expect(() => resultOf("[a: 1, b: 2].grep { k, v -> true }")).toThrow()
  })

  it("are refused if there are too many ways", () => {
    for (const script of [
      "(1..30).toList().permutations()",
      "(1..2000).toList().permutations()",
      "(1..40).toList().subsequences()",
      "(1..2000).toList().subsequences()",
      "([(1..10).toList()] * 10).combinations()",
      "([(1..10).toList()] * 1000).combinations { it }",
      "(1..12).toList().eachPermutation { }"
    ]) {
      expect(() => resultOf(script), script).toThrow("items in one operation; the limit for scripts is 100000")
    }
    expect(() => resultOf("[].permutations()")).toThrow("permutations() of an empty collection")
  })
})
