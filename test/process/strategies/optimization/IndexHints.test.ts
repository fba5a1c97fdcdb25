import { beforeAll, describe, expect, it } from "vitest"
import { explainTask } from "../../../../src/process/compiler/Explain.ts"
import { gremlin } from "../../../../src/process/Gremlin.ts"
import { openEnvironment } from "../../../../src/process/machine/TraversalRun.ts"
import { runWhole } from "../../../../src/scheduling/Task.ts"
import { TimeSlice } from "../../../../src/scheduling/TimeSlice.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { MemoryGraph } from "../../../../src/storage/memory/MemoryGraph.ts"
import { tinkerTransactionGraph } from "../../../../src/storage/memory/Options.ts"
import type { GraphStore } from "../../../../src/structure/graph/GraphStore.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { settled } from "../../../storage/Completion.ts"
import { cellGraph } from "../../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../../storage/janusgraph/MemoryCellStore.ts"
import { bytecodeOf, runLater } from "../../run.ts"

const names = ["hercules", "nemean", "hydra", "jupiter", "hercules", "pluto"]

const filled = async (graph: GraphStore): Promise<GraphStore> => {
  const transaction = graph.begin()
  const refs = names.map((name, i) => {
    const ref = transaction.addVertex(i % 2 === 0 ? "hero" : "monster", undefined)
    transaction.setVertexProperty(ref, null, "name", name)
    return ref
  })
  for (const [from, to] of [
    [0, 1],
    [0, 2],
    [4, 5],
    [3, 4],
    [1, 2]
  ] as const) {
    transaction.addEdge(refs[from]!, "battled", refs[to]!, undefined)
  }
  await settled(transaction.commit())
  return graph
}

const stores = {
  "in memory": async (): Promise<GraphStore> => {
    const graph = new MemoryGraph(tinkerTransactionGraph("indexed"))
    await graph.management.createIndex("name", "vertex")
    return filled(graph)
  },
  "over cells": async (): Promise<GraphStore> => {
    const graph = await cellGraph(new MemoryCellStore({ answersLater: false }))
    const editor = await graph.management.edit()
    const name = editor.makeKey("name", dataTypeOf("String"), "SINGLE")
    editor.makeIndex({
      name: "byName",
      element: "vertex",
      kind: "equality",
      unique: false,
      keys: [name]
    })
    await graph.management.commit(editor)
    return filled(graph)
  }
}

/** The first step of a traversal in explain(). */
const accessOf = (graph: GraphStore, traversal: string): string => {
  const transaction = graph.begin()
  try {
    const surroundings = { language: gremlin, transaction, environment: openEnvironment }
    const bytecode = bytecodeOf(traversal)
    const explained = runWhole(explainTask(bytecode, null, { instructions: [] }, surroundings, new TimeSlice()))
    return explained.intermediate.at(-1)!.steps[0]!
  } finally {
    transaction.rollback()
  }
}

describe.each(Object.keys(stores) as ReadonlyArray<keyof typeof stores>)("V(), %s,", (kind) => {
  let graph: GraphStore
  let plain: GraphStore
  beforeAll(async () => {
    graph = await stores[kind]()
    plain = await filled(new MemoryGraph(tinkerTransactionGraph("plain")))
  })

  const answers = async (store: GraphStore, traversal: string) =>
    (await runLater(store, traversal, { as: text })).sort()
  const sameAnswers = async (traversal: string): Promise<void> => {
    const expected = await answers(plain, traversal)
    expect(await answers(graph, traversal)).toEqual(expected)
  }

  it.each([
    "g.V().or(has('name', 'hydra'), has('name', 'pluto')).values('name')",
    "g.V().or(has('name', 'hydra'), has('name', 'hydra')).values('name')",
    "g.V().or(has('name', 'hercules'), has('name', within('hercules', 'pluto', 'x'))).values('name')",
    "g.V().or(has('name', 'hydra'), has('name', eq('pluto').or(eq('nemean')))).values('name')",
    "g.V().has('name', eq('hydra').or(eq('pluto')).or(within('nemean'))).values('name')",
    "g.V().hasLabel('hero').has('name', eq('hydra').or(eq('pluto'))).values('name')"
  ])("reads the index for the alternatives of one key: %s", async (traversal) => {
    expect(accessOf(graph, traversal)).toContain("index")
    await sameAnswers(traversal)
  })

  it.each([
    "g.V().has('name', eq('hydra').or(eq(null))).values('name')",
    "g.V().has('name', eq('hydra').or(neq('pluto'))).values('name')",
    "g.V().has('name', eq('hydra').or(gt('j').and(lt('k')))).values('name')",
    "g.V().or(has('name', 'hydra'), hasLabel('hero')).values('name')"
  ])("reads all vertices for alternatives that no index answers: %s", async (traversal) => {
    expect(accessOf(graph, traversal)).toContain("full scan")
    await sameAnswers(traversal)
  })

  it.each([
    "g.V().match(as('a').has('name', 'hercules'), as('a').out('battled').as('b')).select('a', 'b').by('name')",
    "g.V().match(as('a').out('battled').as('b'), as('a').has('name', 'hercules')).select('a', 'b').by('name')",
    "g.V().as('a').match(as('a').has('name', 'hercules'), as('a').out('battled').as('b')).select('a', 'b').by('name')",
    "g.V().hasLabel('hero').as('a').match(as('a').out('battled').as('b'), as('a').has('name', 'hercules')).count()",
    "g.V().as('x').match(as('a').has('name', 'hercules').as('c'), as('a').out().as('b')).select('x', 'c').by('name')",
    "g.V().match(and(as('a').has('name', 'hydra'), as('a').in().as('b'))).select('b').by('name')",
    "g.V().match(as('a').hasLabel('hero').has('name', within('pluto', 'hydra')), as('a').in().as('b')).path().count(local)",
    "g.V().match(as('a').has('name', 'hercules')).select('a').values('name')",
    "g.V().as('b').match(as('b').has('name', 'hydra'), as('b').in().as('a')).select('a').by('name')"
  ])("reads the index for a condition on the start of match(): %s", async (traversal) => {
    expect(accessOf(graph, traversal)).toContain("index")
    await sameAnswers(traversal)
  })

  it.each([
    // The vertices are bound to b.
    "g.V().as('b').match(as('b').out().as('a'), as('a').out().as('c'), as('a').has('name', 'hercules')).select('c').by('name')",
    "g.V().match(as('a').out('battled').as('b'), as('b').has('name', 'hydra')).select('a', 'b').by('name')",
    "g.V().match(or(as('a').has('name', 'hydra'), as('a').has('name', 'pluto')), as('a').in().as('b')).select('b').by('name')",
    "g.V().match(not(as('a').has('name', 'hydra')), as('a').in().as('b')).select('b').by('name')",
    "g.V().match(as('a').out().has('name', 'hydra'), as('a').in().as('b')).select('b').by('name')"
  ])("reads all vertices for conditions on others: %s", async (traversal) => {
    expect(accessOf(graph, traversal)).toContain("full scan")
    await sameAnswers(traversal).catch((error: unknown) => expect(String(error)).toContain("is not bound"))
  })

  it("binds the label of match() to an earlier object if it has the label", async () => {
    const traversal =
      "g.V().has('name', 'nemean').as('a').V().match(as('a').has('name', 'nemean'), as('a').out().as('b')).select('b').by('name')"
    await sameAnswers(traversal)
    expect(await answers(graph, traversal)).toHaveLength(names.length)
  })
})
