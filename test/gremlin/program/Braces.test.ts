import { describe, expect, it } from "vitest"
import { parseScript } from "../../../src/gremlin/Parser.ts"
import { GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

/** Checks scripts against the texts of their values. */
const check = (cases: ReadonlyArray<readonly [script: string, value: string]>): void => {
  for (const [script, value] of cases) expect.soft(text(resultOf(script)), script).toBe(value)
}

describe("Braces around one value", () => {
  it("are a closure wherever an expression stands", () => {
    check([
      ["def c = {1}; c()", "1"],
      ["def c; c = {'a'}; c()", "a"],
      ["def c = {}; c() == null", "true"],
      ["[{1}, {2}]*.call()", "[1, 2]"],
      ["[{1}][0]()", "1"],
      ["def m = [a: {1}]; m.a()", "1"],
      ["def m = [:]; m['f'] = {1}; m.f()", "1"],
      ["def f() { return {1} }; f()()", "1"],
      ["def f(c) { c() }; f({1})", "1"],
      ["def c = true ? {1} : {2}; c()", "1"],
      ["def c = null ?: {1}; c()", "1"],
      ["def (a, b) = [{1}, {2}]; a() + b()", "3"],
      ["def l = []; l << {1}; l[0]()", "1"],
      ["[1, 2].collect({7})", "[7, 7]"],
      ["({1})()", "1"],
      ["return {1}()", "1"],
      ["return {1}.call()", "1"]
    ])
  })

  it("are a closure in a step that takes no set, and a set in one that takes it", () => {
    expect(() => parseScript("g.V().map({1})")).not.toThrow()
    expect(() => parseScript("g.V().map({'a'})")).not.toThrow()
    expect(parseScript("g.inject({1})").traversal?.stepInstructions[0]?.args[0]).toStrictEqual(new GremlinSet([1]))
    expect(parseScript("g.inject({})").traversal?.stepInstructions[0]?.args[0]).toStrictEqual(new GremlinSet())
  })

  it("are a closure where a source takes a value or what makes it, and a set there in gremlin-lang", () => {
    // A script with a closure is no traversal without expressions.
    const first = (script: string, language?: string) => {
      const { traversal } = parseScript(script, { language })
      return traversal === undefined ? "closure" : traversal.sourceInstructions[0]?.args.at(-1)
    }
    for (const script of ["g.withSack({1}).V()", "g.withSideEffect('x', {1}).V()"]) {
      expect.soft(first(script), script).toBe("closure")
      expect.soft(first(script, "gremlin-groovy"), script).toBe("closure")
      expect.soft(first(script, "gremlin-lang"), script).toStrictEqual(new GremlinSet([1]))
    }
    expect(first("g.withSack({1, 2}).V()")).toStrictEqual(new GremlinSet([1, 2]))
    expect(first("g.withSack({it}).V()", "gremlin-lang")).toBe("closure")
  })

  it("may be called inside of a step", () => {
    expect(() => parseScript("g.inject({1}.call())")).not.toThrow()
    expect(() => parseScript("g.V(({ 1 })())")).not.toThrow()
  })
})

describe("Braces with a comma", () => {
  it("are a closure when the comma is in a comment", () => {
    check([
      ["def f = { // first, second\n 5 }; f()", "5"],
      ["def f = { 5 // first, second\n }; f()", "5"],
      ["def f = { 5 /* a, b; } */ }; f()", "5"],
      ["def f = { // it's\n [1, 2] }; f()", "[1, 2]"],
      ['def f = { /* "a, b */ 5 }; f()', "5"],
      ["def f = { // a, b\n x, y -> x + y }; f(1, 2)", "3"],
      ["def f = { x, // first\n y /* second */ -> x + y }; f(1, 2)", "3"],
      ["[1, 2].collect { it * 2 // a, b\n }", "[2, 4]"]
    ])
    const read = "it.get().value('age')"
    expect(() => parseScript(`g.V().filter({ ${read} > 30 // older, that is\n})`)).not.toThrow()
    expect(() => parseScript("g.V().map({ it.get() /* a, b */ })")).not.toThrow()
    expect(() => parseScript("g.inject({1\n as int, 2})")).not.toThrow()
  })

  it("are a closure when the comma is in a string in slashes, and not when a slash divides", () => {
    check([
      ["def f = { 'a,b' ==~ /a,b/ }; f()", "true"],
      ["def f = { /a,b/ }; f()", "a,b"],
      ["def f = { 'x'.replaceAll(/x/, 'a') =~ /a, {/ }; f() as boolean", "false"],
      ["def f = { it in [/a, b}/] }; f('a, b}')", "true"]
    ])
    expect(() => parseScript("g.V().filter({ it.get() ==~ /a,b/ })")).not.toThrow()
    expect(() => parseScript("g.inject({8 / 2, (4) / 2, 6 / 1})")).not.toThrow()
  })

  it("are a closure when the comma is in a string of several lines or in a value of a string", () => {
    check([
      [`def f = { '''it's, a''' }; f()`, "it's, a"],
      [`def f = { """say "a", b""" }; f()`, 'say "a", b'],
      [`def f = { "a\${[1, 2].collect { it + 1 }}, b" }; f()`, "a[2, 3], b"],
      [`def f = { "\${"}, \${1}"}, b" }; f()`, "}, 1, b"]
    ])
  })

  it("are a closure when the comma follows a statement on a line before", () => {
    check([["def f = { 5\n def a, b\n 7 }; f()", "7"]])
  })

  it("are a closure however long they are", () => {
    const long = "x + ".repeat(2000)
    check([[`def x = 1; def f = { ${long} 1; [1, 2] }; f()`, "[1, 2]"]])
    expect(() => parseScript(`g.inject({ ${"1 + ".repeat(2000)} 1 }.call())`)).not.toThrow()
  })

  it("are a set when they have values only", () => {
    const first = (script: string) => parseScript(script).traversal?.stepInstructions[0]?.args[0]
    expect(first("g.inject({1, /* and */ 2})")).toStrictEqual(new GremlinSet([1, 2]))
    expect(first("g.inject({\n 'it',\n 'b;' // second = last\n})")).toStrictEqual(new GremlinSet(["it", "b;"]))
    expect(first("g.inject({'it'})")).toStrictEqual(new GremlinSet(["it"]))
    expect(first("g.inject({' it '})")).toStrictEqual(new GremlinSet([" it "]))
  })
})

describe("A function or closure of the script with the name of a step", () => {
  it("is called instead of the step", () => {
    check([
      ["def sum = { a, b -> a + b }; sum(1, 2)", "3"],
      ["def count = { 5 }, n = 1; count()", "5"],
      ["def n = 1, count = { 5 }; count()", "5"],
      ["def map = { it * 2 }; [1, 2].collect { map(it) }", "[2, 4]"],
      ["def values(x) { x * 2 }; values('a')", "aa"],
      ["values('a')\ndef values(x) { x * 2 }", "aa"]
    ])
  })
})
