// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A text behind `+`", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["[1] + 'a'", "[1, a]"],
    ["([1] as Set) + 'a'", "[1, a]"],
    ["[a:1] + 'a'", "[a:1]a"],
    ["1 + 'a'", "1a"],
    ["null + 'a'", "nulla"],
    ["1.5d + 'a'", "1.5a"],
    ["[1,2].toArray() + 'a'", "[1, 2, a]"],
    ["(1..2) + 'a'", "[1, 2, a]"],
    ["'a' + [1]", "a[1]"],
    ["'a' + null", "anull"],
    ["[1] + null", "[1, null]"]
  ]
  for (const [script, value] of cases) {
    it(`is joined, or becomes a member: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("is refused behind an object that has no `+` in Groovy", () => {
    for (const script of ["true + 'a'", "new Date(0) + 'a'", "T.id + 'x'"]) {
      expect(() => resultOf(script), script).toThrow("+ does not take")
    }
  })
})
