// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A closure of several parameters that gets one list", () => {
  it.each([
    ["def f = { a, b -> [a, b] }; f([5, 6])", "[5, 6]"],
    ["def f = { a, b, c = 3 -> [a, b, c] }; f([5, 6])", "[5, 6, 3]"],
    ["def f = { int a, int b = 2 -> [a, b] }; f([5, 6])", "[5, 6]"],
    ["def f = { String a = 'x', int b = 3 -> a * b }; f(['q', 2])", "qq"]
  ])("takes its members, if the list itself is not enough: %s", (script, value) => {
    expect(text(resultOf(script))).toBe(value)
  })

  it.each([
    ["def f = { a, b = 2 -> [a, b] }; f([5, 6])", "[[5, 6], 2]"],
    ["def f = { a = 1, b = 2 -> [a, b] }; f([5, 6])", "[[5, 6], 2]"],
    ["def f = { List a = [], Map b = [:] -> [a, b] }; f([5])", "[[5], {}]"],
    ["def f = { a, Object... b -> [a, b as List] }; f([1, 2])", "[[1, 2], []]"],
    ["[[1, 2], [3, 4]].collect { a, b = 9 -> [a, b] }", "[[[1, 2], 9], [[3, 4], 9]]"]
  ])("takes the list, if the other parameters have default values: %s", (script, value) => {
    expect(text(resultOf(script))).toBe(value)
  })
})

describe("A parameter", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["def m = [a: 1]; [*: m, b: 2]", "{a=1, b=2}"],
    ["def m = [a: 1]; [b: 2, *:m]", "{b=2, a=1}"],
    ["def m = [a: 1]; [a: 5, *:m]", "{a=1}"],
    ["def f(Object... xs) { xs.length }; [f(), f(1), f(1,2)]", "[0, 1, 2]"],
    ["def f(a, Object... xs) { [a, xs as List] }; [f(1), f(1, 2, 3)]", "[[1, []], [1, [2, 3]]]"],
    ["def f(int... xs) { xs.sum() }; f(1,2,3)", "6"],
    ["def f(String... xs) { xs.join('-') }; f('a','b')", "a-b"],
    ["def f(String... xs) { xs.join('-') }; f(*['a','b'])", "a-b"],
    ["def f(Object... xs) { xs.length }; f([1,2] as Object[])", "2"],
    ["def f(Object... xs) { xs.length }; f([1,2])", "1"],
    ["def f(Object a) { 'o' }; def f(Object... a) { 'v' }; [f(1), f(1, 2), f()]", "[o, v, v]"],
    ["def f(Object... a) { 'v' }; def f(a) { 'o' }; [f(1), f(1, 2), f()]", "[o, v, v]"],
    [
      "def f(String... a) { 's' }; def f(int... a) { 'i' }; [f(1), f('a'), f([1] as int[]), f(['a'] as String[])]",
      "[i, s, i, s]"
    ],
    ["def f(int... xs) { xs }; f(1, 2 as short)", "[1, 2]"],
    ["def f(int... xs) { xs }; f(null)", "null"],
    [
      "def f(a, b = 1, Object... xs) { [a, b, xs as List] }; [f(1), f(1, 2), f(1, 2, 3)]",
      "[[1, 1, []], [1, 2, []], [1, 2, [3]]]"
    ],
    ["def c = { a, b = 1, int... xs -> [a, b, xs as List] }; [c(1), c(1, 2, 3)]", "[[1, 1, []], [1, 2, [3]]]"],
    ["def f(Object[] xs) { xs.length }; f(1,2)", "2"],
    ["def c = { Object... xs -> xs.length }; [c(), c(1,2,3)]", "[0, 3]"],
    ["def c = { a, ... xs -> 1 }; 1", "1"],
    ["def f(Map m, x) { [m, x] }; f(1, a: 2)", "[{a=2}, 1]"],
    ["def f(Map m) { m }; f(a: 1, b: 2)", "{a=1, b=2}"],
    ["def f(m) { m }; f(a: 1)", "{a=1}"],
    ["def c = { m, x -> [m, x] }; c(a: 1, 5)", "[{a=1}, 5]"],
    ["def c = { m -> m }; c(a: 1, b: 3)", "{a=1, b=3}"],
    ["def f(Map m, x, y) { [m,x,y] }; f(1, z: 3, 2)", "[{z=3}, 1, 2]"],
    ["def f(long b) { b }; f(200)", "200"],
    ["def f(double b) { b }; f(200)", "200.0"],
    ["def c = { long b -> b }; c(200)", "200"],
    ["def c = { double b -> b }; c(200)", "200.0"],
    ["def c = { Object... b -> b.length }; c([1,2])", "1"],
    ["[a: 1..3].toString()", "[a:1..3]"],
    ['"${[a: 1..3]}".toString()', "[a:1..3]"],
    ["def f(List l) { l.size() }; f(1..3)", "3"],
    ["def f(Long b) { b }; f(200)", "200"],
    ["def f(Double b) { b }; f(200)", "200.0"],
    ["def f(BigDecimal b) { b }; f(200)", "200"],
    ["def f(BigInteger b) { b }; f(200)", "200"],
    ["def f(float b) { b }; f(200)", "200.0"],
    ["def f(float b) { b }; f(200L)", "200.0"],
    ["def f(double b) { b }; f(2.5f)", "2.5"],
    ["def f(double b) { b }; f(1.5)", "1.5"],
    ["def f(Double b) { b }; f(1.5)", "1.5"],
    ["def f(BigDecimal b) { b }; f(1.5d)", "1.5"],
    ["def f(Collection s) { s.size() }; f([1] as Set)", "1"],
    ["def f(Integer b) { b }; f(null)", "null"],
    ["def f(Number b) { b }; f(2L)", "2"],
    ["def f(long b) { b }; f(2 as short)", "2"],
    ["def f(int b) { b }; f((byte) 1)", "1"],
    ["def f(Object b) { b }; f(2)", "2"],
    ["def f(Integer b) { b }; f((byte) 1)", "1"],
    ["def f(double b) { b }; f(1g)", "1.0"],
    ['def f(String s) { s }; f("a${1}")', "a1"],
    ["def f(CharSequence s) { s }; f('c')", "c"],
    ["def f(Closure c) { c(1) }; f({ it + 1 })", "2"],
    ["def c = { Long b -> b }; c(1)", "1"],
    ["def c = { Double b -> b }; c(1)", "1.0"],
    ["[1,2].collect { Long x -> x }", "[1, 2]"],
    ["[1,2].collect { long x -> x }", "[1, 2]"],
    ["[1,2].inject(0) { int a, int b -> a + b }", "3"],
    ["def f(int a, String b = 'x') { \"$a$b\".toString() }; f(1)", "1x"],
    ["def f(int a) { 'int' }; def f(String a) { 'string' }; [f(1), f('x')]", "[int, string]"],
    ["def f(Integer a) { 'int' }; def f(Long a) { 'long' }; [f(1), f(1L)]", "[int, long]"],
    ["def f(Object a) { 'obj' }; def f(Long a) { 'long' }; [f(1), f(1L)]", "[long, long]"],
    ["def f(List a) { 'list' }; def f(Map a) { 'map' }; [f([1]), f([a:1])]", "[list, map]"]
  ]
  for (const [script, value] of cases) {
    it(`takes what Groovy passes: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("refuses an argument that Groovy does not pass", () => {
    const refused: ReadonlyArray<readonly [script: string, message: string]> = [
      ["def f(int b) { b }; f(200L)", "f() takes int for b, not Long"],
      ["def f(byte b) { b }; f(200)", "f() takes byte for b, not Integer"],
      ["def f(String b) { b }; f(200)", "f() takes String for b, not Integer"],
      ["def f(float b) { b }; f(2.5d)", "f() takes float for b, not Double"],
      ["def f(boolean b) { b }; f(1)", "f() takes boolean for b, not Integer"],
      ["def f(Set s) { s }; f([1])", "f() takes Set for s, not ArrayList"],
      ["def f(int b) { b }; f(null)", "f() takes int for b, not null"],
      ["[1L].collect { int x -> x }", "the closure takes int for x, not Long"],
      ["def f(a, b) { a }; f(1)", "f() takes 2 arguments, not 1"]
    ]
    for (const [script, message] of refused) expect(() => resultOf(script), script).toThrow(message)
  })

  it("of any number of arguments takes those of its type only", () => {
    const refused: ReadonlyArray<readonly [script: string, problem: string]> = [
      ["def f(int... xs) { xs }; f('a')", "f() takes int... for xs, and String is no int"],
      ["def f(int... xs) { xs }; f(1, null)", "and null is no int"],
      ["def f(int... xs) { xs }; f(1L)", "and Long is no int"],
      ["def f(int... xs) { xs }; f(['a'] as String[])", "and String is no int"],
      ["def f(String... xs) { xs }; f(1)", "and Integer is no String"],
      ["def c = { int... xs -> xs }; c('a')", "the closure takes int... for xs"],
      ["def f(a, b = 1, Object... xs) { a }; f()", "f() takes at least 1 argument"],
      ["def c = { a, b -> a }; c([1, 2, 3])", "the closure takes 2 arguments, not 3"]
    ]
    for (const [script, problem] of refused) expect(() => resultOf(script), script).toThrow(problem)
  })
})
