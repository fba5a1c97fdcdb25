import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

describe("A property", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["[[].empty, [1].empty, [null].empty, [[1]].empty]", "[true, false, false, false]"],
    ["[([] as Set).empty, [1].toSet().empty, [a: 1].values().empty, [:].keySet().empty]", "[true, false, false, true]"],
    ["[''.empty, 'a'.empty, ' '.blank, '12'.number]", "[true, false, true, true]"],
    ["[g.V().tryNext().present, Optional.empty().present, Optional.of(1).empty]", "[true, false, false]"],
    ["[['a', '']*.empty, ['a', ''].collect { it.empty }]", "[[false, true], [false, true]]"]
  ]
  it.each(cases)("is the getter whose name begins with is: %s", (script, value) => {
    expect(text(resultOf(script, [1]))).toBe(value)
  })

  it("of a map is a key, and of a list that of its members", () => {
    expect(text(resultOf("[[a: 1].empty, [empty: 2].empty, [[a: 1], null, [a: 2]].a, [[[a: 1]], [[a: 2]]].a]"))).toBe(
      "[null, 2, [1, 2], [[1], [2]]]"
    )
  })
})
