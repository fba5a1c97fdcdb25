import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { Float } from "../../../../src/structure/numbers/Numbers.ts"
import { Char } from "../../../../src/structure/scalars/Char.ts"
import { Cardinality } from "../../../../src/structure/scalars/Enums.ts"
import { Uuid } from "../../../../src/structure/scalars/Uuid.ts"
import { Timestamp } from "../../../../src/structure/times/Temporal.ts"
import { runLater } from "../../../process/run.ts"
import { settled } from "../../Completion.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

const UUID = "41d2e28a-20a4-4ab0-b379-d810dede3786"

const types = { i: "Integer", f: "Float", s: "String", d: "Date", u: "UUID", c: "Character", many: "Integer" } as const

const values: Readonly<Record<keyof typeof types, unknown>> = {
  i: 17,
  f: new Float(Math.fround(0.1)),
  s: "17",
  d: new Timestamp(5),
  u: new Uuid(UUID),
  c: new Char("x"),
  many: 5
}

/** A vertex with an edge to itself, both with a value of each type, and indexes of a kind over all keys; null for none. */
const graphOf = async (kind: "equality" | "ordered" | null): Promise<CellGraph> => {
  const graph = await cellGraph(new MemoryCellStore(), { schemaMaker: "none" })
  const editor = await graph.management.edit()
  const names = Object.keys(types) as ReadonlyArray<keyof typeof types>
  for (const name of names) editor.makeKey(name, dataTypeOf(types[name]), name === "many" ? "SET" : "SINGLE")
  editor.makeVertexLabel("item", false, false)
  const label = editor.makeLabel("to", "MULTI", false, [])
  for (const name of kind === null ? [] : names) {
    editor.makeIndex({ name: `by ${name}`, element: "vertex", unique: false, kind: kind!, keys: [editor.key(name)!] })
  }
  editor.makeRelationIndex(label, "sorted", "BOTH", false, [editor.key("i")!])
  await graph.management.commit(editor)
  for (const { name } of editor.indexes) await graph.management.built(name)
  const transaction = graph.begin()
  const ref = transaction.addVertex("item", undefined)
  const edge = transaction.addEdge(ref, "to", ref, undefined)
  for (const name of names) {
    transaction.setVertexProperty(ref, name === "many" ? Cardinality.set : Cardinality.single, name, values[name])
    if (name !== "many") transaction.setEdgeProperty(edge, name, values[name])
  }
  transaction.setVertexProperty(ref, Cardinality.set, "many", 6)
  await settled(transaction.commit())
  return graph
}

const counts = async (graph: CellGraph, traversals: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const traversal of traversals) {
    found.push(`${String((await runLater(graph, `g.${traversal}.count()`))[0])} ${traversal}`)
  }
  return found
}

/** Each traversal with the count that JanusGraph 1.1 gives. */
const expected = [
  "1 V().has('i', '17')",
  "1 V().has('i', 17L)",
  "0 V().has('i', 'x')",
  "0 V().has('i', 17.5d)",
  "1 V().has('i', gt('16'))",
  "1 V().has('i', between('10', '20'))",
  "1 V().has('i', outside('18', '20'))",
  "1 V().has('i', within('17', '18'))",
  "0 V().has('i', without('17'))",
  "0 V().has('i', neq('17'))",
  "0 V().has('i', P.not(eq('17')))",
  "1 V().has('i', gt('16').and(lt('18')))",
  "1 V().has('i', eq('16').or(eq('17')))",
  "1 V().has('s', 17)",
  "1 V().has('s', startingWith('1'))",
  "1 V().has('f', 0.1d)",
  "1 V().has('f', '0.1')",
  "1 V().has('d', 5L)",
  "1 V().has('d', '1970-01-01T00:00:00.005Z')",
  "1 V().has('d', gt(4L))",
  `1 V().has('u', '${UUID}')`,
  "0 V().has('u', 'zz')",
  "1 V().has('c', 'x')",
  "0 V().has('c', 'xyz')",
  "1 V().has('many', '5')",
  "1 V().has('many', neq('5'))",
  "1 V().hasLabel('item').has('i', '17').has('s', 17)",
  "1 V().as('a').has('item', 'i', '17')",
  "1 V().filter(has('i', '17'))",
  "1 V().or(has('i', '17'), has('s', 'no'))",
  "1 V().or(has('i', '16'), and(has('s', 17), has('c', 'x')))",
  "1 E().has('i', '17')",
  "1 V().outE('to').has('i', '17')",
  "2 V().bothE().has('i', gt('16'))",
  "1 V().where(outE('to').has('i', '17'))",
  "1 V().barrier().has('i', '17')",
  "1 V().has('c', 'x').barrier(2).barrier().has('i', '17')",
  "1 V().barrier().and(has('i', '17'), has('c', 'x'))",
  "1 V().outE('to').barrier().has('i', '17')",
  // JanusGraph passes these conditions to no query of its own.
  "0 V().out('to').has('i', '17')",
  "0 V().values('i').is('17')",
  "0 V().limit(100).has('i', '17')",
  "0 V().properties('i').hasValue('17')"
]

describe("has() after V(), E() and steps to edges converts values to the type of the key, as JanusGraph", () => {
  it.each([null, "equality", "ordered"] as const)("with indexes of the kind %s", async (kind) => {
    const graph = await graphOf(kind)
    expect(
      await counts(
        graph,
        expected.map((line) => line.slice(2))
      )
    ).toEqual(expected)
  })

  it("also for values that the transaction has written", async () => {
    const graph = await graphOf("equality")
    const transaction = graph.begin()
    const ref = transaction.addVertex("item", undefined)
    transaction.setVertexProperty(ref, null, "u", new Uuid(UUID.replace("4", "5")))
    const found = await runLater(graph, `g.V().has('u', '${UUID.replace("4", "5")}')`, { transaction })
    expect(found).toHaveLength(1)
  })

  it("so that mergeV() and mergeE() find what they would write again", async () => {
    const graph = await graphOf("equality")
    expect(await counts(graph, ["mergeV([(T.label): 'item', 'i': '17', 'c': 'x'])", "V()"])).toEqual([
      "1 mergeV([(T.label): 'item', 'i': '17', 'c': 'x'])",
      "1 V()"
    ])
    const merge = "V().as('a').mergeE([(T.label): 'to', 'i': '17', (OUT): Merge.outV, (IN): Merge.inV])"
    const options = ".option(Merge.outV, select('a')).option(Merge.inV, select('a'))"
    expect(await counts(graph, [merge + options, "E()"])).toEqual([`1 ${merge}${options}`, "1 E()"])
  })
})
