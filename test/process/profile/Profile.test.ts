import { describe, expect, it } from "vitest"
import { explainTask } from "../../../src/process/compiler/Explain.ts"
import { gremlin } from "../../../src/process/Gremlin.ts"
import { openEnvironment } from "../../../src/process/machine/TraversalRun.ts"
import { runWhole } from "../../../src/scheduling/Task.ts"
import { TimeSlice } from "../../../src/scheduling/TimeSlice.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../../src/storage/memory/Options.ts"
import type { GraphStore } from "../../../src/structure/graph/GraphStore.ts"
import { type Metrics, TraversalMetrics } from "../../../src/structure/profiles/Metrics.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { LaterGraph } from "../../storage/LaterGraph.ts"
import { bytecodeOf, results, run, runLater, toy } from "../run.ts"

const modern = toy("modern")

/** A graph with an index of vertices by name. */
const indexed = async (): Promise<GraphStore> => {
  const graph = new MemoryGraph(tinkerGraph("indexed", {}))
  run(graph, "g.addV('person').property('name', 'marko').addV('person').property('name', 'vadas')")
  await graph.management.createIndex("name", "vertex")
  return graph
}

const profiled = (graph: GraphStore, traversal: string, variables?: ReadonlyMap<string, unknown>): TraversalMetrics => {
  const [metrics] = run(graph, traversal, variables === undefined ? {} : { variables })
  if (metrics instanceof TraversalMetrics) return metrics
  throw new Error(`no metrics: ${text(metrics)}`)
}

/** Names and counts of steps, with nested steps. */
const counted = (metrics: readonly Metrics[]): ReadonlyArray<unknown> =>
  metrics.map(({ counts, name, nested }) => [
    name,
    Number(counts.get("traverserCount") ?? 0n),
    Number(counts.get("elementCount") ?? 0n),
    ...(nested.length === 0 ? [] : [counted(nested)])
  ])

describe("profile()", () => {
  it.each([
    ["limit(2)", "RangeGlobalStep(0,2)"],
    ["skip(2)", "RangeGlobalStep(2,-1)"],
    ["range(1, 3)", "RangeGlobalStep(1,3)"],
    ["limit(local, 2)", "RangeLocalStep(0,2)"],
    ["tail()", "TailGlobalStep(1)"],
    ["tail(local, 3)", "TailLocalStep(3)"],
    ["order().by('name').by(id, desc)", "OrderGlobalStep([[value(name), asc], [id, desc]])"],
    ["group().by(label).by(count())", "GroupStep(label,[CountGlobalStep])"],
    ["groupCount().by('name')", "GroupCountStep(value(name))"],
    [
      "project('a', 'b').by('name').by(__.out().count())",
      "ProjectStep([a, b],[value(name), [VertexStep(OUT,vertex), CountGlobalStep]])"
    ],
    ["path().by('name')", "PathStep([value(name)])"],
    ["as('a').where('a', neq('a')).by('name')", "WherePredicateStep(a,neq(a),[value(name)])"],
    ["valueMap()", "PropertyMapStep(value)"],
    ["elementMap('name')", "ElementMapStep([name])"]
  ])("names the arguments of %s", (step, name) => {
    const { metrics } = profiled(modern, `g.V().${step}.profile()`)
    expect(metrics.at(-1)!.name).toBe(name)
  })

  it("counts the traversers that leave each step, and those of nested steps", () => {
    const { metrics } = profiled(
      modern,
      "g.V().out('created').barrier().where(__.in('knows')).union(out(), __.in()).profile()"
    )
    expect(counted(metrics)).toEqual([
      ["GraphStep(vertex,[])", 6, 6],
      ["VertexStep(OUT,[created],vertex)", 4, 4],
      ["NoOpBarrierStep", 2, 4],
      ["TraversalFilterStep([VertexStep(IN,[knows],vertex)])", 0, 0, [["VertexStep(IN,[knows],vertex)", 0, 0]]],
      [
        "UnionStep([VertexStep(OUT,vertex)], [VertexStep(IN,vertex)])",
        0,
        0,
        [
          ["VertexStep(OUT,vertex)", 0, 0],
          ["VertexStep(IN,vertex)", 0, 0]
        ]
      ]
    ])
  })

  it("counts traversers that leave a branch or a repeat() for the branching step", () => {
    const union = profiled(modern, "g.V(1).union(out('knows'), out('created')).values('name').profile()")
    expect(union.metrics.map(({ counts }) => counts.get("elementCount"))).toEqual([1n, 3n, 3n])
    const repeat = profiled(modern, "g.V(1).repeat(out()).times(2).profile()")
    expect(repeat.metrics.map(({ counts }) => counts.get("elementCount"))).toEqual([1n, 2n])
  })

  it("has durations with the right sum, percentages, and distinct ids", () => {
    const { duration, metrics } = profiled(
      modern,
      "g.V().order().by(__.out().count()).local(out().values('name')).profile()"
    )
    expect(metrics.reduce((sum, metric) => sum + metric.duration, 0n)).toBeGreaterThan(0n)
    expect(Number(duration - metrics.reduce((sum, metric) => sum + metric.duration, 0n))).toBeLessThan(
      metrics.length + 1
    )
    for (const { duration: own, nested } of metrics) {
      expect(nested.reduce((sum, metric) => sum + metric.duration, 0n)).toBeLessThanOrEqual(own + BigInt(nested.length))
    }
    const ids = metrics.flatMap(({ id, nested }) => [id, ...nested.map((inner) => inner.id)])
    expect(new Set(ids).size).toBe(ids.length)
    for (const metric of metrics) expect(metric.annotations.has("percentDur")).toBe(true)
  })

  it("shows the index of a search, a full scan, or a lookup by ids", async () => {
    const graph = await indexed()
    const index = (traversal: string) =>
      profiled(graph, traversal)
        .metrics.map(({ annotations }) => annotations.get("index"))
        .find((name) => name !== undefined)
    expect(index("g.V().has('name', 'marko').profile()")).toBe("vertex:name")
    expect(index("g.V().has('age', 29).profile()")).toBe("full scan")
    expect(index("g.V(0).profile()")).toBe("ids")
    const merge = profiled(graph, "g.mergeV([name: 'marko']).profile()")
    expect(merge.metrics[0]?.nested[0]?.annotations.get("index")).toBe("vertex:name")
  })

  it("shows values instead of parameters", () => {
    const { metrics } = profiled(modern, "g.V(x).has('name', 'marko').profile()", new Map([["x", 1]]))
    expect(metrics.map(({ name }) => name)).toEqual(["GraphStep(vertex,[1])", "HasStep([name.eq(marko)])"])
  })

  it("passes results on and is a side effect if it has a key", () => {
    expect(results(modern, "g.V(1).values('name').profile('m')")).toEqual(["marko"])
    expect(counted(profiled(modern, "g.V().values('name').profile('m').cap('m')").metrics)).toEqual([
      ["GraphStep(vertex,[])", 6, 6],
      ["PropertiesStep([name],value)", 6, 6]
    ])
  })

  it("returns metrics for a traversal without results", () => {
    expect(counted(profiled(modern, "g.V(99).out().profile()").metrics)).toEqual([
      ["GraphStep(vertex,[99])", 0, 0],
      ["VertexStep(OUT,vertex)", 0, 0]
    ])
  })

  it("is refused unless it is the last step", () => {
    expect(() => results(modern, "g.V().profile().out()")).toThrow(
      /must be the last step or followed only by the cap\(\)-step/
    )
    expect(() => results(modern, "g.V().local(__.out().profile())")).toThrow(/must be the last step/)
  })

  it("does not change the plans of other traversals", () => {
    profiled(modern, "g.V().out().profile()")
    expect(results(modern, "g.V(1).out().count()")).toEqual(["3"])
  })

  it("measures traversals with a store that answers later", async () => {
    const [metrics] = await runLater(new LaterGraph(modern), "g.V().out('knows').values('name').profile()")
    expect((metrics as TraversalMetrics).metrics.map(({ counts }) => counts.get("elementCount"))).toEqual([6n, 2n, 2n])
  })
})

describe("explain()", () => {
  const explained = (graph: GraphStore, script: string, variables: ReadonlyMap<string, unknown> | null = null) =>
    runWhole(
      explainTask(
        bytecodeOf(script),
        variables,
        { instructions: [] },
        { language: gremlin, transaction: graph.begin(), environment: openEnvironment },
        new TimeSlice()
      )
    )

  it("shows the steps as written, after each strategy, and in the final plan", () => {
    const explanation = explained(modern, "g.withStrategies(ReadOnlyStrategy).V().hasId(1).out().identity()")
    expect(explanation.original).toEqual([
      "GraphStep(vertex,[])",
      "HasStep([~id.within([1])])",
      "VertexStep(OUT,vertex)",
      "IdentityStep"
    ])
    expect(explanation.final[0]).toBe("GraphStep(vertex,[[1]],ids)")
    const strategies = explanation.intermediate.map(({ category, strategy }) => `${category} ${strategy}`)
    expect(strategies).toContain("VerificationStrategy ReadOnlyStrategy")
    expect(strategies).toContain("OptimizationStrategy TinkerGraphStepStrategy")
    expect(strategies.at(-1)).toBe("FinalizationStrategy IndexSelection")
  })

  it("shows the index or the full scan, also of nested steps", async () => {
    const graph = await indexed()
    const final = (script: string) => explained(graph, script).final.join(" ")
    expect(final("g.V().has('name', 'marko')")).toContain("GraphStep(vertex,[],index vertex:name)")
    expect(final("g.V().has('age', 29)")).toContain("GraphStep(vertex,[],full scan)")
    expect(final("g.V(1).local(V().has('name', 'x'))")).toContain("LocalStep([GraphStep(vertex,[],index vertex:name)")
    const byVariable = explained(graph, "g.V().has('name', x)", new Map([["x", "marko"]]))
    expect(byVariable.final.join(" ")).toContain("index vertex:name")
  })

  it("does not run the traversal", () => {
    const graph = new MemoryGraph(tinkerGraph("empty", {}))
    explained(graph, "g.addV('x')")
    expect(results(graph, "g.V().count()")).toEqual(["0"])
  })

  it("refuses a traversal that verification strategies refuse", () => {
    expect(() => explained(modern, "g.withStrategies(ReadOnlyStrategy).addV()")).toThrow(/not read only/)
  })
})
