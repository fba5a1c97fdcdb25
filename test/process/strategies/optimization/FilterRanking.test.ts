import { describe, expect, it } from "vitest"
import { prepare, results, toy } from "../../run.ts"

const names = (script: string): ReadonlyArray<string> =>
  prepare(script).compiled.traversal.steps.map(({ name, labels }) => [name, ...labels].join("@"))

describe("Filter ranking", () => {
  it("sorts filters by cost, and moves them before dedup() and order()", () => {
    expect(names("g.V().order().by('age').dedup().where(__.out()).has('name', 'josh')")).toEqual([
      "GraphStep",
      "HasStep",
      "TraversalFilterStep",
      "DedupGlobalStep",
      "OrderGlobalStep"
    ])
    expect(names("g.V().dedup().limit(1).has('name', 'josh')").slice(1)).toEqual([
      "DedupGlobalStep",
      "RangeGlobalStep",
      "HasStep"
    ])
    expect(names("g.withoutStrategies(FilterRankingStrategy).V().dedup().hasLabel('person')")[1]).toBe(
      "DedupGlobalStep"
    )
  })

  it("is observable in the results of dedup().by()", () => {
    expect(results(toy(), "g.V().dedup().by(T.label).has('name', 'josh').values('name')")).toEqual(["josh"])
    expect(results(toy(), "g.V().order().by('name', Order.desc).dedup().by(T.label).values('name')")).toEqual([
      "marko",
      "lop"
    ])
  })

  it("moves labels to the last filter, but not past one that reads them", () => {
    expect(names("g.V().dedup().as('a').has('name', 'josh').select('a')").slice(0, 3)).toEqual([
      "GraphStep",
      "HasStep",
      "DedupGlobalStep@a"
    ])
    expect(names("g.V().as('a').out().dedup().as('b').where('b', P.neq('a')).select('a')").slice(1, 4)).toEqual([
      "VertexStep",
      "DedupGlobalStep@b",
      "WherePredicateStep"
    ])
  })
})
