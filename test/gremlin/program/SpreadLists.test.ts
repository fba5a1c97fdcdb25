// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { FakeHost, resultOf } from "../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

/** The traversals that a script runs. */
const bytecode = (script: string): string => {
  const host = new FakeHost(() => [])
  host.run(script)
  return host.calls.join().replaceAll('"', "'")
}

describe("A spread list", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["def f(a, b) { a + b }; def l = [1, 2]; f(*l)", "3"],
    ["def f = { a, b, c -> [a,b,c] }; f(1, *[2, 3])", "[1, 2, 3]"],
    ["def l = [1,2]; [0, *l, 3]", "[0, 1, 2, 3]"],
    ["[*1..3, 4]", "[1, 2, 3, 4]"],
    ["[*null]", "[null]"],
    ["def f(a) { a }; f(*null)", "null"],
    ["def f(a) { a }; f(*[])", "null"],
    ["def f(a, b) { [a,b] }; f(*(1..2))", "[1, 2]"],
    ["def l = [3,4]; Math.max(*l)", "4"],
    ["(1..3).collect { it * 2 }.toString()", "[2, 4, 6]"]
  ]
  for (const [script, value] of cases) {
    it(`stands for its members: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("is an argument of a step for each member", () => {
    expect(bytecode("def ids = [1, 2]; g.V(*ids).values(*['name', 'age']).toList()")).toBe(
      "list g.V(1, 2).values('name', 'age')"
    )
    expect(bytecode("g.V().has('name', within(*['a', 'b'])).toList()")).toBe(
      "list g.V().has('name', P.within(['a', 'b']))"
    )
    expect(bytecode("g.inject(0, *[1, 2], [3, *[4]]).toList()")).toBe("list g.inject(0, 1, 2, [3, 4])")
    expect(bytecode("def t = g.V(1); t.out(*['a', 'b']).toList()")).toBe("list g.V(1).out('a', 'b')")
    expect(bytecode("g.V().map(__.V(*[1, 2])).toList()")).toBe("list g.V().map(__.V(1, 2))")
  })

  it("may be an array, which stands for its members as the only argument", () => {
    expect(bytecode("g.V([1, 2].toArray()).toList()")).toBe("list g.V(1, 2)")
    expect(bytecode("g.V().values(['a', 'b'] as String[]).toList()")).toBe("list g.V().values('a', 'b')")
    expect(bytecode("g.inject('a,b'.split(',')).toList()")).toBe("list g.inject('a', 'b')")
    expect(bytecode("g.V().hasId([1, 2].toArray()).toList()")).toBe("list g.V().hasId(1, 2)")
    expect(bytecode("g.V().constant([1].toArray()).toList()")).toBe("list g.V().constant([1])")
  })

  it("gives a step a bounded number of arguments", () => {
    expect(() => resultOf("g.V(*(1..10001))")).toThrow("10001 arguments of a step are too many")
    expect(() => resultOf("g.V((1..10001).toArray())")).toThrow("10001 arguments of a step are too many")
  })

  it("gives a step or a predicate only arguments that it takes", () => {
    const refused: ReadonlyArray<readonly [script: string, problem: string]> = [
      ["g.addV(*['a', 'b']).toList()", "addV() does not take 2 arguments: addV() or addV(string or traversal)"],
      ["g.V().project(*[]).toList()", "0 arguments are not enough for project(): project(string, string...)"],
      ["g.V().as(*[1]).toList()", "argument 1 of as() is an integer, but a string was expected"],
      ["g.V().where(__.has(*['a', 1, 2, 3])).toList()", "has() does not take 4 arguments"],
      ["def t = __.addV(*['a', 'b']); g.V().map(t).toList()", "addV() does not take 2 arguments"],
      ["g.V().has('a', gt(*[1, 2])).toList()", "gt() takes 1 argument, and the spread list gives 2"],
      ["g.V().has('a', eq(*[])).toList()", "eq() takes 1 argument, and the spread list gives 0"],
      ["g.V().has('a', TextP.containing(*['x', 'y'])).toList()", "containing() takes 1 argument"],
      ["g.V().has('a', between(*[1, 2, 3])).toList()", "between() takes 2 arguments, not 3"],
      ["g.withSideEffect(*[]).V().toList()", "withSideEffect() of a traversal source takes no spread list"],
      ["g.with(*[5]).V().toList()", "with() of a traversal source takes no spread list"],
      ["g.withSack(*[1, 2, 3]).V().toList()", "withSack() of a traversal source takes no spread list"],
      ["g.withBulk(*['x']).V().toList()", "withBulk() of a traversal source takes no spread list"],
      ["def t = g.V(); t.has('a', 1, 2, 3).toList()", "has() does not take 4 arguments"],
      ["def t = g.V(); t.as(1).toList()", "argument 1 of as() is an integer"]
    ]
    for (const [script, problem] of refused) expect(() => resultOf(script), script).toThrow(problem)
    expect(bytecode("g.V().has('a', between(*[1, 2])).has(*['b', gt(*[3])]).toList()")).toBe(
      "list g.V().has('a', P.between(1, 2)).has('b', P.gt(3))"
    )
    expect(bytecode("g.V().none(*[]).toList()")).toBe("list g.V().discard()")
    expect(bytecode("def t = g.V(); t.values(['a', 'b'] as String[]).toList()")).toBe("list g.V().values('a', 'b')")
    expect(bytecode("g.V().order().by(*['a', desc]).toList()")).toBe("list g.V().order().by('a', Order.desc)")
  })

  it("is a list", () => {
    for (const script of [
      "[*'abc']",
      "[*[a: 1]]",
      "[*([1] as Set)]",
      "def f(a) { a }; f(*5)",
      "[*: [1]]",
      "[1, *: [a: 1]]"
    ]) {
      expect(() => resultOf(script), script).toThrow(/takes a list|takes a map|stand in a list/)
    }
  })
})

describe("The property of a list", () => {
  it("is that of the members which are not null, and *. keeps a null", () => {
    expect(resultOf("[[a: 1], null, [a: 2]].a")).toEqual([1, 2])
    expect(resultOf("[[a: null], [a: 1]].a")).toEqual([null, 1])
    expect(resultOf("[[a: 1], null, [a: 2]]*.a")).toEqual([1, null, 2])
  })
})

describe("All spread lists of an expression", () => {
  it("have together no more members than one operation may process", () => {
    const lists = "def x = (1..60000).toList(); "
    const refused = /^Line 1, column .*\* would process 1\d{5} items/
    for (const use of [
      "[*x, *x]",
      "[[*x], [*x]]",
      "f(*x, *x)",
      "Math.max(*x, *x)",
      "[1].addAll(*x, *x)",
      "new ArrayList(*x, *x)"
    ]) {
      expect(() => resultOf(`def f(a) { a }; ${lists}${use}`), use).toThrow(refused)
    }
    expect(text(resultOf(`${lists}[*x, 1].size() + [x, x, [x]].size()`))).toBe("60004")
    const maps = "def m = [:]; for (i in 1..60000) m[i] = i; "
    expect(() => resultOf(`${maps}[*: m, *: m]`)).toThrow(/^Line 1, column .*\*: would process/)
    expect(text(resultOf(`${maps}[*: m, a: 1].size()`))).toBe("60001")
  })

  it("give a step no more arguments than it may have", () => {
    expect(() => resultOf("def x = (1..6000).toList(); g.V(*x, *x).toList()")).toThrow(
      "12000 arguments of a step are too many"
    )
  })
})
