import { describe, expect, it } from "vitest"
import { Planner } from "../../../../src/process/compiler/Planner.ts"
import { gremlin } from "../../../../src/process/Gremlin.ts"
import { openEnvironment, TraversalRun } from "../../../../src/process/machine/TraversalRun.ts"
import { toyGraph } from "../../../../src/storage/memory/ToyGraphs.ts"
import type { GraphStore } from "../../../../src/structure/graph/GraphStore.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { bytecodeOf, run } from "../../run.ts"

const source = "g.withStrategies(ElementIdStrategy)"

const ask = (graph: GraphStore, script: string, variables: Record<string, unknown> = {}) =>
  run(graph, script, { as: text, variables: new Map(Object.entries(variables)) })

const emptyGraph = (): GraphStore => {
  const graph = toyGraph("modern")
  run(graph, "g.V().drop()")
  return graph
}

/** Runs a traversal several times with the same cached plan. */
const runAgain = (graph: GraphStore, script: string, times: number): void => {
  const planner = new Planner(gremlin, { cacheSize: 10 })
  const origin = { instructions: [] }
  for (let i = 0; i < times; i++) {
    const prepared = planner.prepare(bytecodeOf(script), null, origin)
    const transaction = graph.begin()
    const running = new TraversalRun(prepared, transaction, openEnvironment)
    while (running.advance(Number.POSITIVE_INFINITY, { accept: () => true }) !== "done");
    running.close()
    transaction.commit()
  }
}

describe("ElementIdStrategy", () => {
  it("gives the new elements of each run an id of their own, also where the plan is cached", () => {
    const graph = emptyGraph()
    runAgain(graph, `${source}.addV('p')`, 3)
    expect(ask(graph, "g.V().values('__id').dedup().count()")).toEqual(["3"])
    runAgain(graph, `${source}.V().hasLabel('p').limit(1).as('a').addE('e').from('a').to('a')`, 3)
    expect(ask(graph, "g.E().values('__id').dedup().count()")).toEqual(["3"])
  })

  it("gives no id of its own if the traversal writes one under the key", () => {
    const graph = emptyGraph()
    const uid = "g.withStrategies(new ElementIdStrategy(idPropertyKey: 'uid'))"
    ask(graph, `${uid}.addV('p').property('uid', 'x').as('a').addE('e').from('a').to('a').property('uid', y)`, {
      y: "z"
    })
    ask(graph, `${uid}.addV('p').property([uid: 'y'])`)
    expect(ask(graph, "g.V().values('uid')")).toEqual(["x", "y"])
    expect(ask(graph, "g.E().values('uid')")).toEqual(["z"])
    ask(graph, `${uid}.addV('q').property('uid', 'x').property(T.id, 'i')`)
    expect(ask(graph, "g.V().hasLabel('q').values('uid')")).toEqual(["x", "i"])
  })

  it("stores the id that a traversal computes", () => {
    const graph = emptyGraph()
    ask(graph, `${source}.inject('q').as('x').addV('p').property('a', 1).property(T.id, __.select('x'))`)
    expect(ask(graph, "g.V().valueMap()")).toEqual(["{a=[1], __id=[q]}"])
    expect(ask(graph, `${source}.V('q').id()`)).toEqual(["q"])
  })

  it("finds elements by the ids in the property, also in lists", () => {
    const graph = emptyGraph()
    for (const id of [5, 6, 7]) ask(graph, `${source}.addV('p').property(T.id, ${id})`)
    for (const found of ["V(5, 6)", "V([5, 6])", "V([5], 6)", "V().hasId(5, 6)", "V().hasId([5, 6])"]) {
      expect(ask(graph, `${source}.${found}.id()`), found).toEqual(["5", "6"])
    }
    expect(ask(graph, `${source}.V(x).id()`, { x: 7 })).toEqual(["7"])
    expect(ask(graph, `${source}.V(x).id()`, { x: [5, 7] })).toEqual(["5", "7"])
    expect(ask(graph, `${source}.V().hasId([5, 6], 7).count()`)).toEqual(["3"])
    expect(ask(graph, `${source}.V().or(__.hasId([5, 6]), __.hasId(7)).count()`)).toEqual(["3"])
    expect(ask(graph, `${source}.V().or(__.hasId(x)).count()`, { x: [5, 7] })).toEqual(["2"])
  })

  it("takes elements as they are, because they name the ids of the graph", () => {
    const graph = toyGraph("modern")
    const [v] = run(graph, "g.V(1)", { as: (vertex) => vertex })
    const [e] = run(graph, "g.E(7)", { as: (edge) => edge })
    expect(ask(graph, `${source}.V(v).values('name')`, { v })).toEqual(["marko"])
    expect(ask(graph, `${source}.V(v, 2).values('name')`, { v })).toEqual(["marko", "vadas"])
    expect(ask(graph, `${source}.V([v]).values('name')`, { v })).toEqual(["marko"])
    expect(ask(graph, `${source}.V(v).out().count()`, { v })).toEqual(["3"])
    expect(ask(graph, `${source}.E(e).values('weight')`, { e })).toEqual(["0.5"])
    expect(ask(graph, `${source}.V(2, v).values('name')`, { v })).toEqual([])
  })
})
