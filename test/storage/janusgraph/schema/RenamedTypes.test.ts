import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import type { SchemaCategory } from "../../../../src/storage/janusgraph/format/EnumAttributes.ts"
import { dataTypeOf, type SchemaEditor } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import type { Ref } from "../../../../src/structure/elements/Element.ts"
import type { GraphTransaction } from "../../../../src/structure/graph/GraphStore.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { runLater } from "../../../process/run.ts"
import { column, fetched, settled } from "../../Completion.ts"
import { findingsIn } from "../Findings.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

const edited = async (graph: CellGraph, edit: (editor: SchemaEditor) => void): Promise<void> => {
  const editor = await graph.management.edit()
  edit(editor)
  await graph.management.commit(editor)
}

const renamed = (graph: CellGraph, category: SchemaCategory, before: string, name: string): Promise<void> =>
  edited(graph, (editor) => {
    const type = category === "VERTEXLABEL" ? editor.vertexLabel(before) : (editor.key(before) ?? editor.label(before))
    editor.changeName(type!.id, category, before, name)
  })

describe.each([false, true])("A type that is renamed beside a transaction (asynchronous store: %s)", (later) => {
  const opened = async () => {
    const graph = await cellGraph(new MemoryCellStore({ answersLater: later }))
    await edited(graph, (editor) => {
      editor.makeLabel("knows", "MULTI", false, [])
      editor.makeKey("age", dataTypeOf("Integer"), "SINGLE")
      const keys = [editor.makeKey("name", dataTypeOf("String"), "SINGLE")]
      const onlyLabel = editor.makeVertexLabel("person", false, false).id
      editor.makeIndex({ name: "byName", element: "vertex", kind: "equality", unique: true, keys, onlyLabel })
    })
    const ask = async (script: string) => (await runLater(graph, script)).map(text)
    await runLater(graph, "g.addV('person').property('name', 'a').none()")
    const session = graph.begin()
    const [id] = await runLater(graph, "g.V().id()")
    await fetched(session, { kind: "vertexIds", ids: [id] })
    const ref = session.vertexRef(id)
    return { graph, ask, session, ref }
  }

  const all = async (session: GraphTransaction, ref: Ref): Promise<void> => {
    await fetched(session, { kind: "vertex", ...column(session, ref), keys: null })
    await fetched(session, { kind: "adjacent", ...column(session, ref), direction: "BOTH", labels: null, edges: true })
  }

  it("is still the label of the vertices that the transaction adds and removes", async () => {
    const { ask, graph, ref, session } = await opened()
    await all(session, ref)
    session.removeVertex(ref)
    session.setVertexProperty(session.addVertex("person", undefined), null, "name", "b")
    session.setVertexProperty(session.addVertex("people", undefined), null, "name", "c")
    await renamed(graph, "VERTEXLABEL", "person", "people")
    await settled(session.commit())
    expect(await ask("g.V().hasLabel('people').values('name').order()")).toEqual(["b", "c"])
    // The removed vertex has left no entry in the unique index.
    await runLater(graph, "g.addV('people').property('name', 'a').none()")
    expect(await ask("g.V().has('people', 'name', 'a').count()")).toEqual(["1"])
    expect(await ask("g.V().hasLabel('people').count()")).toEqual(["3"])
    if (!later) expect(findingsIn(graph.core)).toEqual([])
  })

  it("is a conflict, if the transaction has written values of the key or edges of the label", async () => {
    for (const [category, name] of [
      ["PROPERTYKEY", "age"],
      ["EDGELABEL", "knows"]
    ] as const) {
      const { ask, graph, ref, session } = await opened()
      await all(session, ref)
      if (category === "PROPERTYKEY") session.setVertexProperty(ref, null, name, 5)
      else session.addEdge(ref, name, ref, undefined)
      await renamed(graph, category, name, "other")
      await edited(graph, (editor) => {
        if (category === "PROPERTYKEY") editor.makeKey(name, dataTypeOf("String"), "LIST")
        else editor.makeLabel(name, "ONE2ONE", false, [])
      })
      await expect((async () => settled(session.commit()))()).rejects.toThrow(`${name} was renamed or removed`)
      expect(await ask("g.V().values('age').count()")).toEqual(["0"])
      expect(await ask("g.E().count()")).toEqual(["0"])
    }
  })

  it("is a conflict, if the transaction has taken the new type of another one", async () => {
    for (const kind of ["key", "label", "vertexLabel"] as const) {
      const { graph, ref, session } = await opened()
      await all(session, ref)
      await edited(graph, (editor) => {
        if (kind === "key") editor.makeKey("new", dataTypeOf("Integer"), "SINGLE")
        else if (kind === "label") editor.makeLabel("new", "MULTI", false, [])
        else editor.makeVertexLabel("new", false, false)
      })
      if (kind === "key") session.setVertexProperty(ref, null, "new", 5)
      else if (kind === "label") session.addEdge(ref, "new", ref, undefined)
      else session.addVertex("new", undefined)
      const category = kind === "key" ? "PROPERTYKEY" : kind === "label" ? "EDGELABEL" : "VERTEXLABEL"
      await renamed(graph, category, "new", "newer")
      await expect((async () => settled(session.commit()))(), kind).rejects.toThrow("type new was renamed or removed")
      const { keys, labels, vertexLabels } = await graph.management.schema()
      const names = [...keys.keys(), ...labels.keys(), ...vertexLabels.keys()]
      expect([names.includes("new"), names.includes("newer")]).toEqual([false, true])
    }
  })
})
