import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { settled } from "../../../storage/Completion.ts"
import { cellGraph } from "../../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../../storage/janusgraph/MemoryCellStore.ts"
import { runLater, toy } from "../../run.ts"

/** Three people with an age and two things without one. `isIndexed`: age has an ordered index. */
const graphOf = async (answersLater: boolean, isIndexed: boolean): Promise<CellGraph> => {
  const graph = await cellGraph(new MemoryCellStore({ answersLater }))
  const editor = await graph.management.edit()
  const age = editor.makeKey("age", dataTypeOf("Integer"), "SINGLE")
  const name = editor.makeKey("name", dataTypeOf("String"), "SINGLE")
  editor.makeKey("nicks", dataTypeOf("String"), "LIST")
  editor.makeKey("place", dataTypeOf("Geoshape"), "SINGLE")
  if (isIndexed) {
    editor.makeIndex({ name: "byAge", element: "vertex", kind: "ordered", unique: false, keys: [age] })
    editor.makeIndex({ name: "byNameAndAge", element: "vertex", kind: "ordered", unique: false, keys: [name, age] })
  }
  await graph.management.commit(editor)
  const transaction = graph.begin()
  const add = (label: string, name: string, age: number | null) => {
    const ref = transaction.addVertex(label, undefined)
    transaction.setVertexProperty(ref, null, "name", name)
    if (age !== null) transaction.setVertexProperty(ref, null, "age", age)
    return ref
  }
  const first = add("thing", "c", null)
  add("person", "d", 30)
  add("person", "b", 20)
  add("thing", "a", null)
  const last = add("person", "e", 40)
  const edge = transaction.addEdge(first, "made", last, undefined)
  transaction.setEdgeProperty(edge, "age", 1)
  transaction.addEdge(last, "made", first, undefined)
  await settled(transaction.commit())
  return graph
}

/** Names in the order of a traversal that ends in elements. */
const names = async (graph: CellGraph, traversal: string): Promise<string> =>
  (await runLater(graph, `${traversal}.values('name')`)).join("")

describe.each([
  ["without an index", false, false],
  ["with a sorted index", false, true],
  ["with a sorted index that answers later", true, true]
])("order() directly after V() in a graph with a schema, %s", (_, answersLater, isIndexed) => {
  it("keeps the elements without the key, last in both directions, as JanusGraph does", async () => {
    const graph = await graphOf(answersLater, isIndexed)
    expect(await names(graph, "g.V().order().by('age')")).toMatch(/^bde(ac|ca)$/)
    expect(await names(graph, "g.V().order().by('age', desc)")).toMatch(/^edb(ac|ca)$/)
    expect(await names(graph, "g.V().order().by(values('age')).by('name')")).toBe("bdeac")
    expect(await names(graph, "g.V().order().by('age').by('name', desc)")).toBe("bdeca")
    expect(await runLater(graph, "g.V().order().by('age').count()")).toEqual([5n])
  })

  it("keeps them behind the last element with the key when there is a limit", async () => {
    const graph = await graphOf(answersLater, isIndexed)
    expect(await names(graph, "g.V().order().by('age').limit(2)")).toBe("bd")
    expect(await names(graph, "g.V().order().by('age').limit(4)")).toMatch(/^bde[ac]$/)
    expect(await names(graph, "g.V().order().by('age', desc).limit(9)")).toMatch(/^edb(ac|ca)$/)
    expect(await names(graph, "g.V().order().by('age').range(2, 4)")).toMatch(/^e[ac]$/)
    expect(await names(graph, "g.V().hasLabel('thing').order().by('age').limit(9)")).toMatch(/^(ac|ca)$/)
    expect(await names(graph, "g.V().has('name', 'a').order().by('age').limit(9)")).toBe("a")
    expect(await names(graph, "g.V().has('age', gt(20)).order().by('age').limit(9)")).toBe("de")
    const writes = "g.V().order().by('age').limit(9).property('name', 'z').count()"
    expect(await runLater(graph, writes)).toEqual([5n])
  })

  it("keeps them behind has(), also in and() and or(), and in the middle of a traversal", async () => {
    const graph = await graphOf(answersLater, isIndexed)
    expect(await names(graph, "g.V().has('name', within('a', 'b')).order().by('age')")).toBe("ba")
    expect(await names(graph, "g.V().has('name').barrier().order().by('age').by('name')")).toBe("bdeac")
    expect(await names(graph, "g.V().or(has('name', 'a'), has('age', 40)).order().by('age')")).toBe("ea")
    expect(await names(graph, "g.inject(1).V().order().by('age').by('name')")).toBe("bdeac")
    expect(await names(graph, "g.inject(1).union(V().order().by('age').by('name'))")).toBe("bdeac")
    expect(await runLater(graph, "g.E().order().by('age').count()")).toEqual([2n])
  })

  it("of which a later order() decides leaves nothing out", async () => {
    const graph = await graphOf(answersLater, isIndexed)
    expect(await names(graph, "g.V().order().by('unknown').order().by('age').by('name')")).toBe("bdeac")
    expect(await names(graph, "g.V().order().by('age').order().by(label).by('name')")).toBe("bdeac")
  })

  it("leaves them out after other steps, and by keys that JanusGraph does not sort", async () => {
    const graph = await graphOf(answersLater, isIndexed)
    for (const traversal of [
      "g.V().out().in().order().by('age')",
      "g.V().dedup().order().by('age')",
      "g.V().not(has('name', 'x')).order().by('age')",
      "g.V().or(has('name'), out()).order().by('age')",
      "g.V().hasNot('age').order().by('age')",
      "g.V().limit(9).order().by('age')",
      "g.V().order().by('age').by(label)",
      "g.V().order().by('unknown')",
      "g.V().order().by('nicks')",
      "g.V().order().by('place')",
      "g.V().fold().order(local).by('age').unfold()"
    ]) {
      expect(await names(graph, traversal), traversal).not.toMatch(/[ac]/)
    }
  })
})

it("order() in a TinkerGraph leaves out the elements without the key, as there", async () => {
  expect(await runLater(toy("modern"), "g.V().order().by('age').count()")).toEqual([4n])
  expect(await runLater(toy("modern"), "g.V().order().by('age').limit(9).count()")).toEqual([4n])
})
