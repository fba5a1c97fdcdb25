import { describe, expect, it } from "vitest"
import { toyGraph } from "../../../../src/storage/memory/ToyGraphs.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { prepare, results, run, toy } from "../../run.ts"

const names = (script: string): ReadonlyArray<string> =>
  prepare(script).compiled.traversal.steps.map(({ name, labels }) => [name, ...labels].join("@"))

const collected = (script: string): ReadonlyArray<string> =>
  results(toy(), `g.V().${script}.cap("x").unfold().values("name")`).sort()

describe("A limit() after steps that emit one object for each row", () => {
  it("moves before them", () => {
    expect(names("g.V().id().constant(1).limit(2).fold()")).toEqual([
      "GraphStep",
      "RangeGlobalStep",
      "IdStep",
      "ConstantStep",
      "FoldStep"
    ])
    expect(names("g.V().valueMap().as('a').limit(2).as('b').select('a', 'b')").slice(1, 3)).toEqual([
      "RangeGlobalStep",
      "PropertyMapStep@a@b"
    ])
    expect(names("g.V().out().limit(2)")[1]).toBe("VertexStep")
    expect(names("g.V().values('age').limit(2)")[1]).toBe("PropertiesStep")
    expect(names("g.withoutStrategies(EarlyLimitStrategy).V().id().limit(2)")[1]).toBe("IdStep")
  })

  it("stays after math() and path() whose by() may give nothing", () => {
    for (const limit of ["limit(1)", "skip(0).limit(1)", "range(0, 1)"]) {
      expect(results(toy(), `g.V(3, 1).math('_').by('age').${limit}`)).toEqual(["29.0"])
      expect(results(toy(), `g.V(3, 1).path().by('age').${limit}`)).toEqual(["path[29]"])
    }
    expect(names("g.V().values('age').math('_ + 1').limit(2)")[2]).toBe("RangeGlobalStep")
    expect(names("g.V().out().path().limit(2)")[2]).toBe("RangeGlobalStep")
  })

  it("is observable in the effects of sideEffect() and property()", () => {
    expect(collected("sideEffect(__.aggregate('x')).limit(1)")).toEqual(["marko"])
    const graph = toyGraph("modern")
    run(graph, "g.V().property('p', 1).limit(2)")
    expect(run(graph, "g.V().has('p').count()").map(text)).toEqual(["2"])
  })
})

describe("A limit() after steps with observable order", () => {
  it("stops at the first traverser beyond the limit", () => {
    expect(collected("local(__.aggregate('x')).limit(1)")).toEqual(["marko", "vadas"])
    expect(collected("local(__.aggregate('x')).range(1, 2)")).toEqual(["lop", "marko", "vadas"])
    expect(collected("local(__.aggregate('x')).limit(0)")).toEqual(["marko"])
    expect(collected("local(__.out().local(__.aggregate('x')).limit(1))")).toEqual([
      "lop",
      "lop",
      "lop",
      "ripple",
      "vadas"
    ])
    expect(collected("out().local(__.aggregate('x')).limit(1)")).toEqual(["lop", "lop"])
    const graph = toyGraph("modern")
    run(graph, "g.V().addV('x').limit(1)")
    expect(run(graph, "g.V().hasLabel('x').count()").map(text)).toEqual(["2"])
  })
})

describe("Sacks with a merge operator", () => {
  const sacks = (script: string): ReadonlyArray<string> => results(toy(), script).sort()

  it("merge at the barriers that TinkerPop inserts", () => {
    expect(sacks("g.withSack(1.0d, Operator.sum).V(1).out('knows').in('knows').sack()")).toEqual(["2.0", "2.0"])
    expect(sacks("g.withSack(1, Operator.sum).V().out().in().sack()").join("")).toBe("333444455555")
    expect(sacks("g.withSack(1, Operator.sum).V().out().order().by('name').sack()").join("")).toBe("111333")
    expect(sacks("g.withSack(1, Operator.sum).V().out().aggregate('x').sack()").join("")).toBe("111333")
    expect(sacks("g.withSack(1, Operator.sum).V().as('a').out().in().sack()").join("")).toBe("111111111111")
    expect(sacks("g.withSack(1, Operator.sum).V().repeat(__.both()).times(2).sack()").join("")).toBe(
      "3".repeat(9) + "7".repeat(21)
    )
  })

  it("count once without bulk", () => {
    expect(results(toy(), "g.withBulk(false).V().out().in().values('name')")).toEqual(["marko", "josh", "peter"])
    expect(results(toy(), "g.withBulk(false).V().both().both().count()")).toEqual(["12"])
  })
})
