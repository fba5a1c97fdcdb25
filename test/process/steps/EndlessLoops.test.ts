import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { loadToyGraph } from "../../../src/storage/memory/ToyGraphs.ts"
import type { GraphStore } from "../../../src/structure/graph/GraphStore.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { settled } from "../../storage/Completion.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { LaterGraph } from "../../storage/LaterGraph.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { results, runLater, toy } from "../run.ts"

/** More calls than any test here needs. A loop that does not stop reaches this number within a second. */
const mostCalls = 25_000

const given = (script: string): ReadonlyArray<string> => results(toy(), script, { mostCalls })

/** A loop over the toy graph without end, because each vertex has a neighbour. */
const ENDLESS = "__.repeat(__.both()).emit()"
const start = "g.V().order().by('name').limit(3)"

describe("A limit inside a child stops an endless repeat() for each traverser", () => {
  it("in local() with one result", () => {
    expect(
      given("g.V().limit(2).local(__.repeat(__.both()).until(__.has('name', 'josh')).limit(1)).values('name')")
    ).toEqual(["josh", "josh"])
  })

  it.each(["local", "flatMap", "optional", "coalesce"])("in %s()", (step) => {
    expect(given(`g.V().limit(3).${step}(${ENDLESS}.limit(2)).count()`)).toEqual(["6"])
  })

  it.each(["union(#)", "choose(__.identity(), #)", "branch(__.identity()).option(Pick.any, #)"])(
    "of %s, where one limit counts the results of all traversers",
    (step) => {
      expect(given(`g.V().limit(3).${step.replace("#", `${ENDLESS}.limit(2)`)}.path()`)).toEqual([
        "path[v[1], v[3]]",
        "path[v[1], v[2]]"
      ])
    }
  )

  it("in match()", () => {
    expect(given("g.V().limit(3).match(__.as('a').repeat(__.both()).emit().limit(2).as('b')).count()")).toEqual(["6"])
  })

  it("in sideEffect()", () => {
    expect(given(`g.V().limit(3).sideEffect(${ENDLESS}.limit(4).aggregate('x')).cap('x').count(Scope.local)`)).toEqual([
      "12"
    ])
  })

  it("in by(), which uses the first result", () => {
    expect(given(`g.V().limit(3).project('a').by(${ENDLESS})`)).toEqual(["{a=v[3]}", "{a=v[1]}", "{a=v[1]}"])
    expect(given(`g.V().limit(3).project('a').by(__.flatMap(${ENDLESS}))`)).toEqual([
      "{a=v[3]}",
      "{a=v[1]}",
      "{a=v[1]}"
    ])
    expect(given(`g.V().limit(1).project('a').by(${ENDLESS}.limit(3).fold())`)).toEqual(["{a=[v[3], v[2], v[4]]}"])
    expect(given(`g.V().limit(3).order().by(__.flatMap(${ENDLESS}).values('name'))`)).toHaveLength(3)
    expect(given(`g.V().limit(3).group().by(__.flatMap(${ENDLESS})).count(Scope.local)`)).toEqual(["2"])
  })

  it("in range(), and in limit() before tail(), sample() and order()", () => {
    expect(given(`g.V().limit(3).local(${ENDLESS}.range(1, 3)).count()`)).toEqual(["6"])
    expect(given(`g.V().limit(3).local(${ENDLESS}.limit(5).tail(2)).path()`)).toEqual([
      "path[v[1], v[3], v[1]]",
      "path[v[1], v[3], v[4]]",
      "path[v[2], v[1], v[4]]",
      "path[v[2], v[1], v[3], v[1]]",
      "path[v[3], v[1], v[3]]",
      "path[v[3], v[1], v[2]]"
    ])
    expect(given(`g.V().limit(3).local(${ENDLESS}.limit(5).sample(5).count())`)).toEqual(["5", "5", "5"])
    expect(given(`g.V().limit(3).local(${ENDLESS}.limit(5).order().by('name').values('name')).count()`)).toEqual(["15"])
    expect(given(`g.V().limit(3).local(${ENDLESS}.limit(0)).count()`)).toEqual(["0"])
  })

  it("in timeLimit(), also inside a branch", () => {
    expect(given(`g.V().limit(2).local(${ENDLESS}.timeLimit(1)).limit(1).count()`)).toEqual(["1"])
    expect(given(`g.V().limit(2).union(${ENDLESS}.timeLimit(1)).limit(1).count()`)).toEqual(["1"])
    expect(given(`g.V(1).union(${ENDLESS}.timeLimit(1).hasLabel('none')).count()`)).toEqual(["0"])
  })

  it("in each iteration of an outer loop", () => {
    expect(given("g.V().limit(3).local(__.repeat(__.both().limit(2)).times(2)).count()")).toEqual(["6"])
    expect(given(`g.V().limit(3).local(__.repeat(__.local(${ENDLESS}.limit(2))).times(2)).count()`)).toEqual(["12"])
    expect(given(`g.V(1).emit().repeat(__.union(${ENDLESS}.limit(2)).limit(1)).times(3).count()`)).toEqual(["4"])
  })
})

describe("A limit after a child stops an endless repeat() of the child", () => {
  const four = ["path[v[1], v[3]]", "path[v[1], v[2]]", "path[v[1], v[4]]"]
  it.each([
    ["local", "path[v[1], v[3], v[1]]"],
    ["optional", "path[v[1], v[3], v[1]]"],
    ["union", "path[v[1], v[3], v[1]]"],
    ["flatMap", "path[v[1], v[1]]"],
    ["coalesce", "path[v[1], v[1]]"]
  ])("in %s()", (step, fourth) => {
    expect(given(`g.V().limit(3).${step}(${ENDLESS}).limit(4).path()`)).toEqual([...four, fourth])
  })

  it("at every depth of nesting", () => {
    expect(given(`g.V().limit(3).local(__.flatMap(${ENDLESS}).limit(2)).count()`)).toEqual(["6"])
    expect(given(`g.V().limit(3).flatMap(__.local(__.optional(${ENDLESS}).out())).limit(7).count()`)).toEqual(["7"])
    expect(given(`g.V().limit(3).local(__.coalesce(__.out('none'), ${ENDLESS}).limit(2)).count()`)).toEqual(["6"])
    expect(given(`g.V().limit(3).repeat(__.flatMap(${ENDLESS}).limit(2)).times(2).count()`)).toEqual(["2"])
  })

  it("after the last result of a loop that finds no further results", () => {
    expect(given(`g.V().limit(3).local(${ENDLESS}.dedup()).limit(3).path()`)).toEqual(four)
    expect(given(`g.V().limit(3).local(${ENDLESS}.dedup().limit(9)).limit(3).path()`)).toEqual(four)
  })

  it("in a filter that needs only one result", () => {
    expect(given(`g.V().where(__.flatMap(${ENDLESS})).count()`)).toEqual(["6"])
    expect(given(`g.V().not(__.local(${ENDLESS})).count()`)).toEqual(["0"])
    expect(given(`g.V().and(__.flatMap(${ENDLESS}), __.local(${ENDLESS})).count()`)).toEqual(["6"])
    expect(given(`g.V().choose(__.optional(${ENDLESS}), __.constant(1), __.constant(2)).sum()`)).toEqual(["6"])
    expect(given(`g.V().repeat(__.out()).until(__.coalesce(${ENDLESS})).count()`)).toEqual(["6"])
    expect(given(`g.V().where(__.local(${ENDLESS}.limit(2)).has('name', 'josh')).values('name')`)).toEqual([
      "lop",
      "ripple"
    ])
  })
})

describe("A filter on a count stops an endless repeat()", () => {
  it.each([
    ["P.gt(5)", 6],
    ["P.gte(5)", 6],
    ["0", 0],
    ["P.lt(5)", 0],
    ["P.inside(2, 5)", 0],
    ["P.within(2, 5)", 0],
    ["P.neq(0)", 6],
    ["P.outside(2, 5)", 6],
    ["P.not(P.lte(3)).and(P.without(4, 2))", 6]
  ])("when further results cannot change it: is(%s)", (predicate, vertices) => {
    expect(given(`g.V().where(${ENDLESS}.count().is(${predicate})).count()`)).toEqual([String(vertices)])
    expect(given(`g.V().not(${ENDLESS}.count().is(${predicate})).count()`)).toEqual([String(6 - vertices)])
  })

  it("in choose(), until() and or()", () => {
    const asked = `${ENDLESS}.count().is(P.gt(2))`
    expect(given(`g.V().choose(${asked}, __.constant(1), __.constant(2)).sum()`)).toEqual(["6"])
    expect(given(`g.V().repeat(__.out()).until(${asked}).count()`)).toEqual(["6"])
    expect(given(`g.V().or(${asked}, __.out('none')).count()`)).toEqual(["6"])
  })

  it("with the same result as the whole count, for every predicate", () => {
    const predicates = FastCheck.constantFrom("eq", "neq", "lt", "lte", "gt", "gte").chain((name) =>
      FastCheck.constantFrom("-1", "0", "1", "1.5d", "2L", "3").map((value) => `P.${name}(${value})`)
    )
    const both = FastCheck.tuple(predicates, FastCheck.constantFrom("and", "or"), predicates)
    FastCheck.assert(
      FastCheck.property(both, FastCheck.constantFrom("where", "not"), ([one, joint, other], step) => {
        const asked = `out().count().is(${one}.${joint}(${other}))`
        const whole = results(toy(), `g.withoutStrategies(CountStrategy).V().${step}(__.${asked})`)
        expect(results(toy(), `g.V().${step}(__.${asked})`)).toEqual(whole)
      }),
      { numRuns: 150 }
    )
  })

  it("and does not change a count that is a result", () => {
    expect(given("g.V().count().is(P.gt(3))")).toEqual(["6"])
    expect(given("g.V().local(__.out().count().is(P.gt(1)))")).toEqual(["3", "2"])
  })
})

/** Traversals from a vertex. Each uses few results of its loop. `#` is where a number of iterations may be inserted. */
const cut = FastCheck.letrec<{ readonly child: string; readonly limited: string }>((tie) => {
  const loop = FastCheck.constantFrom(
    "repeat(__.both()).emit()#",
    "emit().repeat(__.both())#",
    "repeat(__.both().dedup()).emit()#",
    "repeat(__.both()).emit(__.hasLabel('person'))#",
    "repeat(__.union(__.out(), __.in())).emit()#",
    "repeat(__.local(__.both().limit(2))).emit()#"
  )
  const behind = FastCheck.constantFrom("", ".out()", ".hasLabel('person')", ".both()")
  const ending = FastCheck.constantFrom(
    ".limit(1)",
    ".limit(3)",
    ".range(1, 3)",
    ".limit(4).tail(2)",
    ".limit(3).order()"
  )
  const wrapped = FastCheck.tuple(
    FastCheck.constantFrom("local", "flatMap", "optional", "coalesce", "union"),
    tie("child")
  )
  return {
    child: FastCheck.oneof(
      { maxDepth: 2 },
      loop,
      wrapped.map(([step, child]) => `${step}(__.${child})`),
      FastCheck.tuple(tie("child"), behind).map(([child, more]) => child + more)
    ),
    limited: FastCheck.tuple(tie("child"), ending).map(([child, end]) => child + end)
  }
}).limited

const stores: ReadonlyArray<readonly [name: string, open: () => Promise<GraphStore>]> = [
  ["memory", async () => toy()],
  ["a store that answers later", async () => new LaterGraph(toy())],
  [
    "lmdb",
    async () => {
      const graph = await cellGraph(await lmdbStore({ sync: "none" }))
      await settled(loadToyGraph("modern", graph))
      return graph
    }
  ]
]

it.each(stores)("An endless loop has the results of a loop with enough iterations, on %s", async (_, open) => {
  const graph = await open()
  const options = { as: text, mostCalls }
  await FastCheck.assert(
    FastCheck.asyncProperty(cut, FastCheck.boolean(), async (limited, inLocal) => {
      const script = inLocal ? `${start}.local(__.${limited}).path()` : `${start}.${limited}.path()`
      const endless = await runLater(graph, script.replaceAll("#", ""), options)
      // At least every second iteration has a result that passes the filters.
      expect(endless).toEqual(await runLater(graph, script.replaceAll("#", ".times(9)"), options))
    }),
    { numRuns: 40 }
  )
})

describe("A repeat() with very many results", () => {
  it.each([
    "g.V(1).repeat(__.both()).times(40).limit(1).path()",
    "g.V(1).repeat(__.both().both()).times(40).limit(1).path()",
    "g.V().local(__.repeat(__.both()).times(40)).limit(1).path()",
    "g.V().local(__.repeat(__.both()).times(40).limit(1)).limit(1).path()",
    "g.V().local(__.repeat(__.both().as('a')).times(40)).limit(1).select('a')",
    "g.V().as('a').repeat(__.both()).times(40).limit(1).select('a')",
    "g.withSack(1).V().repeat(__.both().sack(sum).by(__.constant(1))).times(40).limit(1).sack()",
    "g.V(1).where(__.repeat(__.both()).times(40).path()).path()"
  ])("returns its first result without evaluating the others: %s", (script) => {
    expect(given(script)).toHaveLength(1)
  })

  it("returns the others in the same order", () => {
    expect(given("g.V(1).repeat(__.both()).times(2).path()")).toEqual([
      "path[v[1], v[3], v[1]]",
      "path[v[1], v[3], v[4]]",
      "path[v[1], v[3], v[6]]",
      "path[v[1], v[2], v[1]]",
      "path[v[1], v[4], v[5]]",
      "path[v[1], v[4], v[3]]",
      "path[v[1], v[4], v[1]]"
    ])
  })
})
