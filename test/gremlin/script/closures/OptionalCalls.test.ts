import { describe, expect, it } from "vitest"
import { Optional } from "../../../../src/gremlin/script/values/Optional.ts"
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

describe("An Optional of a script", () => {
  const shown = (script: string): string => text(resultOf(script))

  it("is made of a value, or of nothing", () => {
    expect(
      shown("[Optional.of(1), Optional.empty(), Optional.ofNullable(null), Optional.ofNullable(3)]*.toString()")
    ).toBe("[Optional[1], Optional.empty, Optional.empty, Optional[3]]")
    expect(() => resultOf("Optional.of(null)")).toThrow(/Optional.of\(\) got null/)
  })

  it("is equal to another one with the same value, and true if it has one", () => {
    expect(shown("[Optional.of(1) == Optional.of(1), Optional.of(1) == Optional.of(1L)]")).toBe("[true, false]")
    expect(shown("[Optional.empty() == Optional.empty(), Optional.of(1) == Optional.empty()]")).toBe("[true, false]")
    expect(shown("[Optional.empty(), Optional.of(0)].collect { it ? 1 : 2 } + [[].iterator() ? 1 : 2]")).toBe(
      "[2, 1, 2]"
    )
  })

  it("is no key, and puts no list into itself", () => {
    expect(() => resultOf("[Optional.of(1)].toSet()")).toThrow(/an Optional is no key/)
    expect(() => resultOf("[Optional.of(1)].contains(Optional.of(1))")).toThrow(/an Optional is no key/)
    expect(() => resultOf("l = []; l << Optional.of(l)")).toThrow(/a collection cannot be put into itself/)
    expect(() => resultOf("l = []; l << [Optional.of(l)]")).toThrow(/a collection cannot be put into itself/)
    expect(() => resultOf("o = Optional.of(1); 200.times { o = Optional.of(o) }; o.toString()")).toThrow(/nest at most/)
  })

  it("continues with another Optional", () => {
    expect(shown("Optional.of(1).flatMap { Optional.of(it + 1) }.get()")).toBe("2")
    expect(shown("[Optional.empty().or { Optional.of(2) }, Optional.of(3).or { Optional.of(2) }]*.get()")).toBe(
      "[2, 3]"
    )
    expect(() => resultOf("Optional.of(1).flatMap { 5 }")).toThrow(/the closure of flatMap\(\) gives an Optional/)
  })

  it("calls one of two closures", () => {
    const run = "ifPresentOrElse({ s << it }, { s << 'none' })"
    expect(shown(`s = []; Optional.of(1).${run}; Optional.empty().${run}; s`)).toBe("[1, none]")
  })

  it("is a stream", () => {
    expect(shown("[Optional.of(1).stream().toList(), Optional.empty().stream().count()]")).toBe("[[1], 0]")
  })
})
