import { describe, expect, it } from "vitest"
import type { HostCall } from "../../../../src/gremlin/HostCall.ts"
import { listMethods, setMethods } from "../../../../src/gremlin/script/collections/ListMethods.ts"
import { mapMethods } from "../../../../src/gremlin/script/collections/MapMethods.ts"
import type { Methods } from "../../../../src/gremlin/script/methods/MethodTable.ts"
import { GremlinMap } from "../../../../src/structure/collections/Collections.ts"
import { keyText } from "../../../../src/structure/collections/Equivalence.ts"
import { Detached } from "../../../../src/structure/elements/Element.ts"
import { Path } from "../../../../src/structure/elements/Path.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { frozen } from "../../../structure/Frozen.ts"
import { asked, FakeHost, resultOf } from "../../FakeHost.ts"

/** The result of a script as text, or its error without the position. */
const outcome = (script: string): string => {
  try {
    const value = resultOf(script)
    keyText(value)
    return text(value)
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message.split("\n")[0]?.replace(/column \d+/, "")}`
  }
}

/** Literals of collections, with their methods and with expressions for their parts. */
const collections: ReadonlyArray<readonly [literal: string, methods: Methods, parts: ReadonlyArray<string>]> = [
  ["[]", listMethods, []],
  ["[3, 1, 2]", listMethods, ["x[0]", "x.take(2)"]],
  ["[[1], [2, [3]], ['a': [4]]]", listMethods, ["x[0]", "x[1]", "x[2]", "x[1][1]", "x.take(1)"]],
  ["[:]", mapMethods, []],
  // keySet() is left out: it is a view of the map, which also has the keys that are added to the map.
  ["['a': [1], 'b': ['c': 2]]", mapMethods, ["x.a", "x.b", "x.values()"]],
  ["([1, 2] as Set)", setMethods, ["x.toList()"]],
  ["([[1], [2]] as Set)", setMethods, ["x.first()"]]
]

const binaryOperators = ["+", "-", "*", "/", "%", "==", "!=", "<", ">=", "in", "<<"]

/** Statements that use a collection x and the other operand y. */
const statementsOf = (methods: Methods): ReadonlyArray<string> => [
  ...binaryOperators.flatMap((operator) => [
    `r = x ${operator} y`,
    ...(operator === "<<" ? [] : [`r = y ${operator} x`])
  ]),
  ...["+", "-", "<<"].map((operator) => `x ${operator}= y; r = 0`),
  ...["x[0] = y", "x['k'] = y", "x.k = y", "x[y] = 1", "x[y] = y"].map((assignment) => `${assignment}; r = 0`),
  "r = [x, y, [x]]",
  "r = ['k': x, 'l': y]",
  "r = [(x): y]",
  "r = ([x, y] as Set)",
  ...Object.entries(methods).flatMap(([name, [least, most]]) =>
    Array.from({ length: most - least + 1 }, (_, more) => least + more)
      .filter((count) => count > 0)
      .flatMap((count) => (count === 1 ? ["y"] : ["y, y", "y, x", "x, y", "0, y", "'k', y"]))
      .map((args) => `r = x.${name}(${args})`)
  )
]

describe("A script that passes a collection, or a part of it, to its own methods", () => {
  it("has the same result as with an equal copy, or is told that a collection cannot contain itself", () => {
    const different: Array<string> = []
    for (const [literal, methods, parts] of collections) {
      for (const other of ["x", ...parts]) {
        for (const statement of statementsOf(methods)) {
          const end = `${statement}; [r, x]`
          const aliased = outcome(`x = ${literal}; r = null; y = ${other}; ${end}`)
          // z equals y, and is a part of a separate collection.
          const equal = outcome(`x = ${literal}; r = null; z = ${literal}; y = ${other.replaceAll("x", "z")}; ${end}`)
          if (/cannot be put into itself/.test(aliased))
            expect(/^x(?:$|\.(?:values|entrySet)\()/.test(other) || /[(,] ?x\b/.test(statement), statement).toBe(true)
          else if (aliased !== equal)
            different.push(`${literal}, y = ${other}, ${statement}: ${aliased} instead of ${equal}`)
        }
      }
    }
    expect(different).toEqual([])
  })

  it("may do so repeatedly", () => {
    expect(resultOf("x = [1]; x.addAll(x); x.addAll(x); x << ([] + x); x.size()")).toBe(5)
    expect(() => resultOf("x = [1]; x << x")).toThrow(/a collection cannot be put into itself/)
    expect(() => resultOf("x = [1]; y = [x]; x << y")).toThrow(/a collection cannot be put into itself/)
    expect(() => resultOf("m = [:]; m.put('m', m)")).toThrow(/a collection cannot be put into itself/)
    expect(text(resultOf("m = [:]; m[m] = 1; m"))).toBe("{{}=1}")
  })

  it("cannot put a map into itself by a view with a default", () => {
    for (const script of [
      "d = m.withDefault { 0 }; m.put('x', d); d",
      "d = m.withDefault { m }; d.a; m",
      "d = m.withDefault { 0 }; d.x = [m]; m",
      "d = m.withDefault { 0 }; m << [a: [d]]; m",
      "d = m.withDefault { 0 }; d.x = [d]; m",
      "d = m.withDefault { 0 }.withDefault { 1 }; m.x = [a: d]; m",
      "d = m.withDefault { 0 }; m.computeIfAbsent('x') { d }; m"
    ]) {
      expect.soft(() => resultOf(`m = [:]; ${script}`), script).toThrow("a collection cannot be put into itself")
    }
    expect(text(resultOf("m = [:]; n = [:]; d = m.withDefault { n }; d.a; n.b = 1; m"))).toBe("{a={b=1}}")
  })

  it("cannot put a list into itself by a closure that replaces the members that are visited", () => {
    const change = "if (n++ == 0) { l[0] = 1; l[1] = 2; a << l }"
    for (const call of ["sort", "unique", "removeAll"]) {
      const script = `n = 0; a = []; l = [a, [3]]; l.${call} { ${change}; 0 }; l`
      expect.soft(() => resultOf(script), script).toThrow("has changed while its members were visited")
    }
    expect(text(resultOf("l = [[2], [1], 3]; l.removeAll { it == 3 }; l.sort { it[0] }; l"))).toBe("[[1], [2]]")
  })
})

/** An element and a path with a list. No test may change them. */
const graph = new Detached()
const tags = frozen([1, [2], new GremlinMap([["a", [3]]])])
const vertex = graph.addVertex(1, "person")
graph.addVertexProperty(vertex, 10n, "tags", tags, null)
const path = frozen(new Path([tags, vertex], [new Set(["a"]), new Set<string>()]))

/** Expressions for collections that do not belong to the script. */
const ways = [
  "t",
  "v.value('tags')",
  "v.values('tags').next()",
  "v.values().toList()[0]",
  "v.property('tags').value",
  "v.property('tags').value()",
  "v.properties('tags').next().value()",
  "v.property('tags').orElse([])",
  "v.property('tags').element().value('tags')",
  "p[0]",
  "p.get(0)",
  "p.get('a')",
  "p.objects()[0]",
  "p.first()",
  "p.toList()[0]",
  "p.iterator().next()",
  "(p as List)[0]",
  "g.V().next()",
  "g.V().toList()[0]",
  "g.V().toSet().first()",
  "g.V().toBulkSet().first()",
  "g.V().tryNext().get()",
  "g.V().next(1)[0]",
  "w.next()",
  "graph.createIndex('tags')"
]

/** Statements that change a collection x, and its state after them. */
const changes: ReadonlyArray<readonly [string, string]> = [
  ["x.add(5)", "[1, [2], {a=[3]}, 5]"],
  ["x.clear()", "[]"],
  ["x << 5", "[1, [2], {a=[3]}, 5]"],
  ["x[0] = 7", "[7, [2], {a=[3]}]"],
  ["x[1].add(5)", "[1, [2, 5], {a=[3]}]"],
  ["x[2].put('b', 1)", "[1, [2], {a=[3], b=1}]"],
  ["x[2].a.add(5)", "[1, [2], {a=[3, 5]}]"],
  ["x[2].entrySet().first().getValue().clear()", "[1, [2], {a=[]}]"],
  ["x.remove(0); x.addAll(x)", "[[2], {a=[3]}, [2], {a=[3]}]"]
]

const host = (calls: Array<HostCall> = []) =>
  new FakeHost(
    (call) => {
      calls.push(call)
      return call.kind === "traversal" ? [tags] : call.kind === "method" ? tags : undefined
    },
    { t: tags, v: vertex, p: path }
  )

describe("A collection of a graph, a path or the host", () => {
  it("is copied before a script changes it", () => {
    for (const way of ways) {
      for (const [change, expected] of changes) {
        const script = `w = g.V(); x = ${way}; ${change}; x`
        expect(text(host().run(script)), script).toBe(expected)
      }
    }
  })

  it("is the same collection under all its names in the script", () => {
    expect(text(host().run("x = t; y = x; y.add(5); x[1].add(6); x == t && y == t && t[3] == 5 && t[1][1] == 6"))).toBe(
      "true"
    )
  })
})

describe("A collection that a script passes on", () => {
  const ends = ["x.add(5)", "x.clear()", "x[1].add(5)", "x[0] = 9"]

  it("does not change after it became an argument of a traversal or of the host", () => {
    for (const use of [
      "g.inject(x).iterate()",
      "g.inject([x]).iterate()",
      "g.inject(['k': x]).iterate()",
      "g.V().has('a', within(x)).iterate()",
      "t = g.V(); t.has('a', x).iterate()",
      "t = g.inject(x); t.next()",
      "a = __.inject(x); g.V().map(a).iterate()",
      "a = __.out(); a = a.is(x); g.V().map(a).iterate()",
      "s = g.withSideEffect('a', x); s.V().iterate()",
      "v.property('tags', x)",
      "graph.addVertex('label', 'person', 'tags', x)",
      "graph.createIndex(x)",
      "it = x.iterator(); it.next(); g.inject(it).iterate()"
    ]) {
      for (const end of ends) {
        const script = `x = [1, [2], [3]]; ${use}; ${end}`
        let before = ""
        const calls: Array<HostCall> = []
        const shown = (): string => calls.map(asked).join()
        const running = new FakeHost(
          (call) => {
            calls.push(call)
            before = shown()
            return call.kind === "traversal" ? [1] : undefined
          },
          { v: vertex }
        )
        running.run(script)
        expect(before, script).toContain("[2]")
        expect(shown(), script).toBe(before)
      }
    }
  })

  it("does not change after it became the result of a request in a session", () => {
    const running = host()
    const result = frozen(running.run("x = [1, [2]]; y = [x, x[1]]"))
    const before = text(result)
    running.run("x.clear(); y[0].add(1); y.add(1)")
    expect(text(result)).toBe(before)
  })
})

describe("A collection that is put into another one", () => {
  it("is shared, as in Groovy: a later change is seen in both", () => {
    expect(text(resultOf("def row = [:]; def rows = []; rows << row; row.name = 'marko'; rows"))).toBe("[{name=marko}]")
    expect(text(resultOf("def l = []; def m = [k: l]; m.k << 1; l"))).toBe("[1]")
    expect(text(resultOf("def a = [1]; def b = [a, a]; b[0] << 2; b"))).toBe("[[1, 2], [1, 2]]")
    expect(text(resultOf("def m = [:]; (1..3).each { m.get('k', []) << it }; m"))).toBe("{k=[1, 2, 3]}")
  })

  it("is copied when it becomes a key, so that the key can still be found", () => {
    expect(text(resultOf("def k = [1]; def m = [(k): 'x']; k << 2; [m[[1]], m]"))).toBe("[x, {[1]=x}]")
  })

  it("counts where it occurs when the script returns it", () => {
    const script =
      "def a = []; def b = []; for (i in 1..3000) b << a; def c = []; for (i in 1..30) c << b; for (i in 1..9000) a << i; c"
    expect(() => resultOf(script)).toThrow(/more than 10000000 members/)
  })
})

describe("A call that scripts do not have", () => {
  it("cannot be caught, because Groovy may have it", () => {
    expect(() => resultOf("try { 'a'.execute() } catch (Exception e) { 'caught' }")).toThrow(/has no method execute/)
    expect(resultOf("try { null.length() } catch (NullPointerException e) { 'caught' }")).toBe("caught")
  })
})
