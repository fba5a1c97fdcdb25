import { describe, expect, it } from "vitest"
import { Parameter } from "../../../../src/storage/janusgraph/format/JavaValues.ts"
import { dataTypeOf, type SchemaEditor } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { opened } from "./DocumentGraphs.ts"
import { makeJanusGraphIndex } from "./JanusGraphIndexes.ts"

const named = (name: string) => ({ mapping: "DEFAULT", parameters: [new Parameter("mapped-name", name)] })

/** A new mixed index on two keys, whose fields have these parameters. */
const made = (editor: SchemaEditor, ...parameters: ReadonlyArray<ReadonlyArray<Parameter>>) => {
  const keys = [editor.key("code")!, editor.key("title")!]
  const mappings = ["STRING", "TEXTSTRING"]
  const index = { name: "both", element: "vertex", kind: "mixed", unique: false, backing: "search" } as const
  return editor.makeIndex({ ...index, keys, mappings, parameters })
}

describe("Two keys of a mixed index in a search engine", () => {
  it("cannot have one field that a parameter names", async () => {
    const { graph } = await opened()
    const editor = await graph.management.edit()
    const twice = [named("f").parameters, named("f").parameters]
    expect(() => made(editor, ...twice)).toThrow("The keys code and title of the index both would have one field f")
    // The field of whole texts of the other key.
    expect(() => made(editor, named("title__STRING").parameters, [])).toThrow("one field title__STRING")
    expect(made(editor, named("f").parameters, []).name).toBe("both")
  })

  it("cannot have one field because the first one was renamed", async () => {
    const { ask, engine, graph } = await opened()
    const renaming = await graph.management.edit()
    renaming.changeName(renaming.key("age")!.id, "PROPERTYKEY", "age", "years")
    await graph.management.commit(renaming)
    const editor = await graph.management.edit()
    const [age, other] = [
      editor.makeKey("age", dataTypeOf("Integer"), "SINGLE"),
      editor.makeKey("old", dataTypeOf("Integer"), "SINGLE")
    ]
    const people = graph.core.schema.indexTable.named("People")!
    expect(() => editor.addIndexKey(people, age)).toThrow(
      "The keys years and age of the index People would have one field age in its documents: a renamed key keeps its field."
    )
    editor.addIndexKey(people, age, named("age2"))
    // The same transaction gives the field to the other key already.
    expect(() => editor.addIndexKey(people, other, named("age2"))).toThrow("one field age2")
    editor.addIndexKey(people, other)
    await graph.management.commit(editor)
    await ask("g.addV().property('years', 1).property('age', 2).property('old', 3)")
    expect(engine.documents("janusgraph_people")).toEqual([{ age: 1, age2: 2, old: 3 }])
  })

  it("do not keep another key from the index if they have one field already", async () => {
    const { engine, graph } = await opened()
    await makeJanusGraphIndex(graph, "theirs", "VERTEX", {
      x: { type: "Integer", field: "f" },
      y: { type: "Integer", field: "f" }
    })
    engine.make("janusgraph_theirs")
    const editor = await graph.management.edit()
    const theirs = graph.core.schema.indexTable.named("theirs")!
    expect(() => editor.addIndexKey(theirs, editor.key("big")!, named("f"))).toThrow("The keys y and big of the index")
    editor.addIndexKey(theirs, editor.key("big")!)
    await graph.management.commit(editor)
    expect(graph.core.schema.indexTable.named("theirs")!.fields.map(({ name }) => name)).toContain("big")
  })
})
