import { expect, it } from "vitest"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf, type SchemaEditor } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { runLater } from "../../../process/run.ts"
import { settled } from "../../Completion.ts"
import { lmdbStore } from "../../lmdb/Stores.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

const edited = async (graph: CellGraph, edit: (editor: SchemaEditor) => void): Promise<void> => {
  const editor = await graph.management.edit()
  edit(editor)
  await graph.management.commit(editor)
}

/** A graph whose label `lives` connects persons to cities. */
const constrained = async (answersLater: boolean) => {
  const graph = await cellGraph(new MemoryCellStore({ answersLater }), { schemaMaker: "none", constraints: true })
  await edited(graph, (editor) => {
    const [person, city] = ["person", "city"].map((label) => editor.makeVertexLabel(label, false, false))
    editor.addConnection(editor.makeLabel("lives", "MULTI", false, []), person!, city!)
  })
  const join = (out: string, label: string, into: string) =>
    runLater(graph, `g.addV('${out}').as('a').addV('${into}').addE('${label}').from('a').none()`)
  return { graph, join }
}

it.each([false, true])(
  "An edge label keeps its connections when it is renamed (asynchronous store: %s)",
  async (later) => {
    const { graph, join } = await constrained(later)
    await edited(graph, (editor) => {
      editor.changeName(editor.label("lives")!.id, "EDGELABEL", "lives", "dwells")
      // In the same transaction the label still has its old name.
      editor.addConnection(editor.label("lives")!, editor.vertexLabel("city")!, editor.vertexLabel("city")!)
    })
    await join("person", "dwells", "city")
    await join("city", "dwells", "city")
    await edited(graph, (editor) => editor.makeLabel("lives", "MULTI", false, []))
    await expect(join("person", "lives", "city")).rejects.toThrow("Connection constraint does not exist")
    expect((await runLater(graph, "g.E().label()")).map(text)).toEqual(["dwells", "dwells"])
  }
)

it("A type that another transaction has renamed keeps that name, and can be renamed afterwards", async () => {
  const graph = await cellGraph(new MemoryCellStore())
  await edited(graph, (editor) => {
    const keys = [editor.makeKey("age", dataTypeOf("Integer"), "SINGLE")]
    editor.makeIndex({ name: "byAge", element: "vertex", kind: "equality", unique: false, keys })
  })
  const [first, second] = [await graph.management.edit(), await graph.management.edit()]
  const { id } = first.key("age")!
  const index = graph.core.schema.indexes[0]!
  first.changeName(id, "PROPERTYKEY", "age", "years")
  second.changeName(id, "PROPERTYKEY", "age", "old")
  await graph.management.commit(first)
  await expect(graph.management.commit(second)).rejects.toThrow("age was renamed or dropped by another management")
  await edited(graph, (editor) => editor.changeName(id, "PROPERTYKEY", "years", "old"))
  expect([...(await graph.management.schema()).keys.keys()]).toEqual(["old"])

  const late = await graph.management.edit()
  late.changeName(index.id, "GRAPHINDEX", "byAge", "byYears")
  await graph.management.drop(index.id)
  await expect(graph.management.commit(late)).rejects.toThrow("byAge was renamed or dropped by another management")
})

it("A renamed key has its new name as a meta-property, also beside commits that share a transaction of lmdb with the change", async () => {
  const graph = await cellGraph(await lmdbStore({ sync: "none" }))
  await runLater(graph, "g.addV('a').property('name', 'n', 'since', 2020).addV('b').none()")
  const [id] = await runLater(graph, "g.V().hasLabel('a').id()")
  const asked = `g.V(${id}L).properties('name').valueMap()`
  for (let read = 0; read < 3; read++) expect((await runLater(graph, asked)).map(text)).toEqual(["{since=2020}"])
  const commits: Array<Promise<void>> = []
  const renamed = edited(graph, (editor) => editor.changeName(editor.key("since")!.id, "PROPERTYKEY", "since", "from"))
  let isRenamed = false
  void renamed.finally(() => (isRenamed = true))
  while (!isRenamed) {
    const transaction = graph.begin()
    transaction.addVertex("b", undefined)
    commits.push(settled(transaction.commit()))
    await (commits.length % 10 === 0 ? commits.at(-1) : undefined)
  }
  await Promise.all([renamed, ...commits])
  expect((await runLater(graph, asked)).map(text)).toEqual(["{from=2020}"])
  await runLater(graph, `g.V(${id}L).properties('name').property('from', 2021).none()`)
  expect((await runLater(graph, asked)).map(text)).toEqual(["{from=2021}"])
  await graph.close()
})
