import { describe, expect, it } from "vitest"
import type { HostCall } from "../../src/gremlin/Scope.ts"
import { listMethods, mapMethods, setMethods } from "../../src/gremlin/script/CollectionMethods.ts"
import type { Methods } from "../../src/gremlin/script/MethodTable.ts"
import { GremlinMap } from "../../src/structure/Collections.ts"
import { Detached } from "../../src/structure/Element.ts"
import { keyText } from "../../src/structure/Equivalence.ts"
import { Path } from "../../src/structure/Path.ts"
import { text } from "../../src/structure/Text.ts"
import { frozen } from "../structure/Frozen.ts"
import { asked, FakeHost, resultOf } from "./FakeHost.ts"

/** What a script gives, as a text, or how it fails, without the place. */
const outcome = (script: string): string => {
  try {
    const value = resultOf(script)
    keyText(value)
    return text(value)
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message.split("\n")[0]?.replace(/column \d+/, "")}`
  }
}

/** Collections by the methods they have, as a script writes them, with scripts for parts of them. */
const collections: ReadonlyArray<readonly [literal: string, methods: Methods, parts: ReadonlyArray<string>]> = [
  ["[]", listMethods, []],
  ["[3, 1, 2]", listMethods, ["x[0]", "x.take(2)"]],
  ["[[1], [2, [3]], ['a': [4]]]", listMethods, ["x[0]", "x[1]", "x[2]", "x[1][1]", "x.take(1)"]],
  ["[:]", mapMethods, []],
  ["['a': [1], 'b': ['c': 2]]", mapMethods, ["x.a", "x.b", "x.values()", "x.keySet()"]],
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

describe("A script that gives a collection itself or a part of itself", () => {
  it("gets what it gets with an equal collection, and nothing that contains itself", () => {
    const different: Array<string> = []
    for (const [literal, methods, parts] of collections) {
      for (const other of ["x", ...parts]) {
        for (const statement of statementsOf(methods)) {
          const end = `${statement}; [r, x]`
          const aliased = outcome(`x = ${literal}; r = null; y = ${other}; ${end}`)
          // z is what y is, of a collection of its own.
          const equal = outcome(`x = ${literal}; r = null; z = ${literal}; y = ${other.replaceAll("x", "z")}; ${end}`)
          if (aliased !== equal)
            different.push(`${literal}, y = ${other}, ${statement}: ${aliased} instead of ${equal}`)
        }
      }
    }
    expect(different).toEqual([])
  })

  it("may do so many times over", () => {
    expect(resultOf("x = [1]; x.addAll(x); x.addAll(x); x << x; x.size()")).toBe(5)
    expect(text(resultOf("m = [:]; m[m] = m; m.put(m, m); m.put('m', m); m.size()"))).toBe("3")
    expect(text(resultOf("m = [:]; m[m] = 1; m"))).toBe("{{}=1}")
  })
})

/** An element with a list, and a path with one, none of which may change. */
const graph = new Detached()
const tags = frozen([1, [2], new GremlinMap([["a", [3]]])])
const vertex = graph.addVertex(1, "person")
graph.addVertexProperty(vertex, 10n, "tags", tags, null)
const path = frozen(new Path([tags, vertex], [new Set(["a"]), new Set<string>()]))

/** Every way to a collection that is not the script's own. */
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

/** Statements that change a collection x, and what it is then. */
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

describe("A collection that comes from elsewhere", () => {
  it("is the script's own to change, and stays as it is where it came from", () => {
    for (const way of ways) {
      for (const [change, expected] of changes) {
        const script = `w = g.V(); x = ${way}; ${change}; x`
        expect(text(host().run(script)), script).toBe(expected)
      }
    }
  })

  it("is one and the same under all of its names in the script", () => {
    expect(text(host().run("x = t; y = x; y.add(5); x[1].add(6); x == t && y == t && t[3] == 5 && t[1][1] == 6"))).toBe(
      "true"
    )
  })
})

describe("A collection that leaves a script", () => {
  const ends = ["x.add(5)", "x.clear()", "x[1].add(5)", "x[0] = 9"]

  it("does not change any more as the argument of a traversal or of the host", () => {
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

  it("does not change any more as the result of a session", () => {
    const running = host()
    const result = frozen(running.run("x = [1, [2]]; y = [x, x[1]]"))
    const before = text(result)
    running.run("x.clear(); y[0].add(1); y.add(1)")
    expect(text(result)).toBe(before)
  })
})
