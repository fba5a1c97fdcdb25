import { expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

const messages: ReadonlyArray<readonly [script: string, message: string]> = [
  ["'abc'.substring(5)", "StringIndexOutOfBoundsException: begin 5, end 3, length 3"],
  ["'abc'.substring(2, 1)", "StringIndexOutOfBoundsException: begin 2, end 1, length 3"],
  ["'abc'.charAt(5)", "StringIndexOutOfBoundsException: String index out of range: 5"],
  ["'abc'[5]", "StringIndexOutOfBoundsException: begin 5, end 6, length 3"],
  ["'abc'[1..5]", "StringIndexOutOfBoundsException: begin 1, end 6, length 3"],
  ["'abc'[-9]", "ArrayIndexOutOfBoundsException: Negative array index [-9] too large for array size 3"],
  ["[1, 2][-5]", "ArrayIndexOutOfBoundsException: Negative array index [-5] too large for array size 2"],
  ["[1, 2][1..5]", "IndexOutOfBoundsException: toIndex = 6"],
  ["[1, 2].subList(1, 5)", "IndexOutOfBoundsException: toIndex = 5"],
  ["[1].subList(-1, 1)", "IndexOutOfBoundsException: fromIndex = -1"],
  ["[1].subList(1, 0)", "IllegalArgumentException: fromIndex(1) > toIndex(0)"],
  ["[1].add(4, 1)", "IndexOutOfBoundsException: Index: 4, Size: 1"],
  ["[1].addAll(4, [1])", "IndexOutOfBoundsException: Index: 4, Size: 1"],
  ["[].first()", "NoSuchElementException: Cannot access first() element from an empty List"],
  ["'x'.foo", "MissingPropertyException: No such property: foo for class: java.lang.String"],
  [
    "'1x' as BigDecimal",
    'NumberFormatException: Character x is neither a decimal digit number, decimal point, nor "e" notation exponential mark.'
  ],
  ["new BigDecimal('1.2.3')", "NumberFormatException: Character array contains more than one decimal point."]
]

it("An exception has the class and the message of Java", () => {
  for (const [script, message] of messages) {
    const caught = resultOf(`try { ${script} } catch (e) { e.class.simpleName + ': ' + e.message }`)
    expect(text(caught), script).toBe(message)
  }
})

it("A method with a closure that Groovy has for other collections only is refused", () => {
  for (const script of ["[a: 1].sum { it.value }", "[a: 1].unique { it.value }", "[a: 1].average { it.value }"]) {
    expect(() => resultOf(script), script).toThrow("call it on map.values() or map.entrySet()")
  }
  for (const script of ["'xyx'.countBy { it }", "'xyx'.sum { it }", "'xyx'.groupBy { it }", "'xyx'.max { it }"]) {
    expect(() => resultOf(script), script).toThrow("call it on its characters, text.toList()")
  }
  expect(text(resultOf("[[a: 1].values().sum { it }, 'xyx'.toList().countBy { it }]"))).toBe("[1, {x=2, y=1}]")
})

it("Two functions that take the same arguments are refused with the place of the second one", () => {
  for (const script of ["def f(a, b = 2) { a }; def f(a) { 3 }; f(1)", "def f(a) { 1 }; def f(b) { 2 }; f(1)"]) {
    expect(() => resultOf(script), script).toThrow(/^Line 1, column \d\d: the function f\(Object\) is defined twice/)
  }
  expect(resultOf("def f(int a) { 1 }; def f(b, c = 1) { 2 }; f('x')")).toBe(2)
})

it("An error names the type of a value as users know it, not the class of the server", () => {
  const types: ReadonlyArray<readonly [value: string, type: string]> = [
    ["g", "GraphTraversalSource"],
    ["g.tx()", "Transaction"],
    ["graph", "graph"],
    ["__.out()", "GraphTraversal"],
    ["__.out(x)", "GraphTraversal"],
    ["[1].iterator()", "Iterator"],
    ["new Random()", "Random"],
    ["('a' =~ /a/)", "Matcher"],
    ["~/a/", "Pattern"],
    ["graph.query()", "Query"],
    ["graph.compute()", "GraphComputer"],
    ["{ -> 1 }.memoize()", "Closure"],
    ["Map.of(1, 2)", "LinkedHashMap"],
    ["List.of(1)", "ArrayList"],
    ["[:].withDefault { 1 }", "LinkedHashMap"]
  ]
  for (const [value, type] of types) {
    const script = `def x = 'knows'; def y = ${value}; 3 * y`
    expect.soft(() => resultOf(script), script).toThrow(`* does not take Integer and ${type}`)
  }
})

it("A graph that is used as a traversal source is refused with what to write instead", () => {
  expect(() => resultOf("def h = graph; h.V()")).toThrow("h is a graph and not a traversal source: write h.traversal()")
})
