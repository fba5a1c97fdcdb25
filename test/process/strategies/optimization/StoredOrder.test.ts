import { describe, expect, it } from "vitest"
import { explainTask } from "../../../../src/process/compiler/Explain.ts"
import { gremlin } from "../../../../src/process/Gremlin.ts"
import { Binding, Bytecode, Instruction } from "../../../../src/process/language/Bytecode.ts"
import { P } from "../../../../src/process/language/Predicate.ts"
import { openEnvironment } from "../../../../src/process/machine/TraversalRun.ts"
import { runWhole } from "../../../../src/scheduling/Task.ts"
import { TimeSlice } from "../../../../src/scheduling/TimeSlice.ts"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { MemoryGraph } from "../../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../../../src/storage/memory/Options.ts"
import { equals } from "../../../../src/structure/comparison/Equality.ts"
import type { GraphStore } from "../../../../src/structure/graph/GraphStore.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { settled } from "../../../storage/Completion.ts"
import { cellGraph } from "../../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../../storage/janusgraph/MemoryCellStore.ts"
import { bytecodeOf, runLater, toy } from "../../run.ts"

const access = (graph: GraphStore, traversal: string): string => {
  const transaction = graph.begin()
  try {
    const explained = runWhole(
      explainTask(
        bytecodeOf(traversal),
        null,
        { instructions: [] },
        { language: gremlin, transaction, environment: openEnvironment },
        new TimeSlice()
      )
    )
    return explained.intermediate.at(-1)!.steps[0]!
  } finally {
    transaction.rollback()
  }
}

const people = async (answersLater: boolean): Promise<CellGraph> => {
  const graph = await cellGraph(new MemoryCellStore({ answersLater }))
  const editor = await graph.management.edit()
  const age = editor.makeKey("age", dataTypeOf("Integer"), "SINGLE")
  const person = editor.makeVertexLabel("person", false, false)
  editor.makeIndex({
    name: "byAge",
    element: "vertex",
    kind: "ordered",
    unique: false,
    keys: [age],
    onlyLabel: person.id
  })
  await graph.management.commit(editor)
  const transaction = graph.begin()
  for (const value of [5, 3, 9, 1, 7, 3]) {
    const ref = transaction.addVertex("person", undefined)
    transaction.setVertexProperty(ref, null, "age", value)
  }
  transaction.addVertex("person", undefined)
  const thing = transaction.addVertex("thing", undefined)
  transaction.setVertexProperty(thing, null, "age", 0)
  transaction.addEdge(thing, "made", thing, undefined)
  await settled(transaction.commit())
  return graph
}

describe("A count", () => {
  it.each<readonly [string, () => Promise<GraphStore>, string]>([
    ["in memory", async () => toy("modern"), "counters"],
    ["over cells", () => people(false), "counters"],
    ["over cells that answers later", () => people(true), "full scan"]
  ])("reads the counters of a graph %s, or scans if it has none", async (_, open, expected) => {
    const graph = await open()
    const all = (traversal: string) => runLater(graph, traversal)
    for (const traversal of ["g.V().count()", "g.V().hasLabel('person').count()", "g.E().count()"]) {
      expect(access(graph, traversal)).toContain(expected)
      const scanned = traversal.replace(".count()", ".fold().count(local)")
      expect(await all(traversal)).toEqual(await all(scanned))
    }
    const grouped = "g.V().groupCount().by(label)"
    expect(access(graph, grouped)).toContain(expected)
    const scanned = await all("g.V().label().groupCount()")
    expect(equals((await all(grouped))[0], scanned[0])).toBe(true)
    expect(await all("g.V().hasLabel('none').count()")).toEqual([0n])
    expect(text((await all("g.V().hasLabel('none').groupCount().by(label)"))[0])).toBe("{}")
  })

  it("finds no elements for within() of null", async () => {
    const variables = new Map([["x", null]])
    const ofNull = new Bytecode(
      [],
      [
        new Instruction("V", []),
        new Instruction("hasLabel", [new P("within", new Binding("x", null))]),
        new Instruction("count", [])
      ]
    )
    for (const graph of [toy("modern"), await people(false), await people(true)]) {
      for (const tests of ["V().hasLabel(within(x))", "E().hasLabel(within(x))", "V().has('age', within(x))"]) {
        expect(await runLater(graph, `g.${tests}.count()`, { variables })).toEqual([0n])
        expect(text((await runLater(graph, `g.${tests}.groupCount().by(label)`, { variables }))[0])).toBe("{}")
      }
      expect(await runLater(graph, "g.V().hasId(within(x)).count()", { variables })).toEqual([0n])
      expect(await runLater(graph, ofNull)).toEqual([0n])
    }
  })

  it("includes the changes of the transaction", async () => {
    const graph = new MemoryGraph(tinkerGraph("g"))
    const transaction = graph.begin()
    transaction.addVertex("person", undefined)
    const found = await runLater(graph, "g.V().groupCount().by(label)", { transaction })
    expect(text(found[0])).toBe("{person=1}")
    expect(await runLater(graph, "g.V().hasLabel('person').count()", { transaction })).toEqual([1n])
    transaction.rollback()
  })

  it("scans elements for other conditions", async () => {
    const graph = await people(false)
    expect(access(graph, "g.V().has('age', 3).count()")).toContain("full scan")
    expect(await runLater(graph, "g.V().has('age', 3).count()")).toEqual([2n])
    expect(await runLater(graph, "g.V().hasLabel(neq('person')).count()")).toEqual([1n])
  })
})

describe("A limit() after order()", () => {
  it.each([false, true])(
    "reads only the first entries of an ordered index (answers later: %s)",
    async (answersLater) => {
      const graph = await people(answersLater)
      const traversal = "g.V().hasLabel('person').order().by('age').limit(3).values('age')"
      if (!answersLater) expect(access(graph, traversal)).toContain("index byAge in order")
      expect(await runLater(graph, traversal)).toEqual([1, 3, 3])
      expect(
        await runLater(graph, "g.V().hasLabel('person').has('age', gt(3)).order().by('age').limit(2).values('age')")
      ).toEqual([5, 7])
      expect(await runLater(graph, "g.V().hasLabel('person').order().by('age', desc).limit(2).values('age')")).toEqual([
        9, 7
      ])
      expect(await runLater(graph, "g.V().order().by('age').limit(2).values('age')")).toEqual([0, 1])
    }
  )

  it("sorts all elements if the transaction has changes", async () => {
    const graph = await people(false)
    const transaction = graph.begin()
    const ref = transaction.addVertex("person", undefined)
    transaction.setVertexProperty(ref, null, "age", 2)
    const traversal = "g.V().hasLabel('person').order().by('age').limit(2).values('age')"
    expect(await runLater(graph, traversal, { transaction })).toEqual([1, 2])
    transaction.rollback()
  })

  it.each([false, true])("is behind a barrier in a traversal that writes (answers later: %s)", async (answersLater) => {
    const graph = await people(answersLater)
    const filled = "g.inject(1).repeat(addV('person').property('age', 20)).times(1)"
    for (let i = 0; i < 40; i++) await runLater(graph, filled)
    await runLater(graph, "g.addV('person').property('age', 30)")
    const removes =
      "g.V().hasLabel('person').order().by('age').limit(100).sideEffect(__.V().has('person', 'age', 30).drop()).count()"
    expect(await runLater(graph, removes)).toEqual([48n])
    const lowers =
      "g.V().hasLabel('person').has('age', gte(1)).order().by('age').limit(100)" +
      ".sideEffect(__.V().has('person', 'age', 20).property('age', 0)).count()"
    expect(await runLater(graph, lowers)).toEqual([46n])
    const adds = "g.V().hasLabel('person').order().by('age').limit(100).addV('person').property('age', 50).count()"
    expect(await runLater(graph, adds)).toEqual([47n])
  })

  it("does not read later entries of the index", async () => {
    const store = new MemoryCellStore({ pageSize: 64 })
    const graph = await cellGraph(store)
    const editor = await graph.management.edit()
    const age = editor.makeKey("age", dataTypeOf("Integer"), "SINGLE")
    editor.makeIndex({ name: "byAge", element: "vertex", kind: "ordered", unique: false, keys: [age] })
    await graph.management.commit(editor)
    const transaction = graph.begin()
    for (let i = 0; i < 2000; i++) {
      const ref = transaction.addVertex("n", undefined)
      transaction.setVertexProperty(ref, null, "age", (i * 7) % 2000)
    }
    await settled(transaction.commit())
    let slices = 0
    const { snapshot } = store
    store.snapshot = () => {
      const taken = snapshot.call(store)
      const { slice } = taken
      taken.slice = (query) => {
        slices++
        return slice.call(taken, query)
      }
      return taken
    }
    expect(await runLater(graph, "g.V().order().by('age').limit(3).values('age')")).toEqual([0, 1, 2])
    expect(slices).toBeLessThan(100)
  })
})
