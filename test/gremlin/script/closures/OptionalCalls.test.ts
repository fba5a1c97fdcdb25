import { describe, expect, it } from "vitest"
import { Optional } from "../../../../src/gremlin/Scope.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("The result of tryNext()", () => {
  const bindings = { some: new Optional(3), none: new Optional(undefined) }
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["some.map { it + 1 }.orElse(-1)", "4"],
    ["none.map { it + 1 }.orElse(-1)", "-1"],
    ["some.map { null }.isPresent()", "false"],
    ["some.filter { it > 5 }.isPresent()", "false"],
    ["some.filter { it < 5 }.get()", "3"],
    ["none.filter { true }.isPresent()", "false"],
    ["r = []; some.ifPresent { r << it }; none.ifPresent { r << it }; r", "[3]"],
    ["[some.orElseGet { 7 }, none.orElseGet { 7 }]", "[3, 7]"],
    ["[some.toString(), none.toString()]", "[Optional[3], Optional.empty]"]
  ]
  for (const [script, value] of cases) {
    it(`passes its value to a closure: ${script}`, () => {
      expect(text(resultOf(script, [], bindings))).toBe(value)
    })
  }

  it("has no other methods", () => {
    expect(() => resultOf("some.collect { it }", [], bindings)).toThrow(
      "Optional with a closure has no method collect()"
    )
    expect(() => resultOf("none.orElseThrow()", [], bindings)).toThrow("No value present")
  })
})
