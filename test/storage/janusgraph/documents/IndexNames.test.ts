import { describe, expect, it } from "vitest"
import { RestEngine } from "../../../../src/storage/search/RestEngine.ts"
import { searchOptions } from "../../search/StandIn.ts"
import { opened } from "./DocumentGraphs.ts"
import { makeJanusGraphIndex } from "./JanusGraphIndexes.ts"

describe("The name of a mixed index in a search engine", () => {
  it("is refused if it differs only by its case from that of another index of the engine", async () => {
    const { engine, graph } = await opened()
    const editor = await graph.management.edit()
    const index = (name: string, backing: string) =>
      ({ name, element: "vertex", kind: "mixed", unique: false, backing, keys: [editor.key("code")!] }) as const
    const documents = [...engine.mappings.keys()].length
    expect(() => editor.makeIndex(index("people", "search"))).toThrow(
      "The index people would have the documents of the index People"
    )
    expect(() => editor.makeIndex(index("TIES", "search"))).toThrow("the index ties")
    // Indexes in the graph's own store have names with capitals.
    expect(editor.makeIndex(index("people", "other")).name).toBe("people")
    expect(editor.makeIndex(index("persons", "search")).name).toBe("persons")
    expect([...engine.mappings.keys()]).toHaveLength(documents)
  })

  it("is refused if it is the first name of an index that was renamed, or that is disabled", async () => {
    const { graph } = await opened()
    const people = graph.core.schema.indexTable.named("People")!
    const renaming = await graph.management.edit()
    renaming.changeName(people.id, "GRAPHINDEX", "People", "people_old")
    await graph.management.commit(renaming)
    const make = async (name: string) => {
      const editor = await graph.management.edit()
      const keys = [editor.key("code")!]
      editor.makeIndex({ name, element: "vertex", kind: "mixed", unique: false, backing: "search", keys })
    }
    const refused =
      "would have the documents of the index people_old: the search engine has kept its first name People."
    await expect(make("people")).rejects.toThrow(refused)
    await graph.management.setStatus(people.id, "DISABLED")
    await expect(make("people")).rejects.toThrow(refused)
    await make("people_new")
  })

  it.each(["*", "peopl*", "a,b", "a b", "a/b", "a:b", "<now>", "#"])("is refused if it is %s", async (name) => {
    const { engine, graph } = await opened()
    const editor = await graph.management.edit()
    const keys = [editor.key("code")!]
    const index = { name, element: "vertex", kind: "mixed", unique: false, keys } as const
    expect(() => editor.makeIndex({ ...index, backing: "search" })).toThrow(
      `A search engine can have no index with the name ${name}`
    )
    // In the graph's own store every name is only a text.
    expect(editor.makeIndex({ ...index, backing: "other" }).name).toBe(name)
    const direct = new RestEngine(searchOptions(engine.port))
    await expect(direct.register(name, [])).rejects.toThrow("can have no index with the name")
    direct.close()
  })

  it.each(["*", "peopl*", "a,b", "?"])("is never part of a request if it is %s", async (name) => {
    const { engine } = await opened()
    const before = engine.received.length
    for (const [indexName, store] of [
      ["janusgraph", name],
      [name, "People"]
    ] as const) {
      const direct = new RestEngine(searchOptions(engine.port, { indexName }))
      const refused = "for a list or a pattern of indexes"
      await direct.discard(store)
      await expect(direct.search(store, "{}")).rejects.toThrow(refused)
      await expect(direct.register(store, [])).rejects.toThrow()
      direct.close()
    }
    expect(engine.received).toHaveLength(before)
  })

  it.each(["*", "people?", "a,b", "<now>"])("does not keep an index of JanusGraph if it is %s", async (name) => {
    const { engine, graph } = await opened()
    await makeJanusGraphIndex(graph, name, "VERTEX", { nick: { type: "String" } })
    const { id } = graph.core.schema.indexTable.named(name)!
    const before = engine.received.length
    await graph.management.drop(id)
    expect(graph.core.schema.indexTable.named(name)).toBeUndefined()
    expect(engine.received).toHaveLength(before)
  })

  it("is not among the indexes to remove with the graph if it is a pattern", async () => {
    const { graph } = await opened()
    await makeJanusGraphIndex(graph, "p*", "VERTEX", { nick: { type: "String" } })
    const { indexes } = await graph.core.documents!.leave()
    expect(indexes.map(({ name }) => name)).toContain("janusgraph_people")
    expect(indexes.map(({ name }) => name)).not.toContain("janusgraph_p*")
  })

  it("may have white space that the engine takes, and its index is removed", async () => {
    const { engine } = await opened()
    const direct = new RestEngine(searchOptions(engine.port))
    await direct.register("a\u00a0b", [])
    expect(engine.indexes).toContain("janusgraph_a\u00a0b")
    await direct.discard("a\u00a0b")
    direct.close()
    expect(engine.indexes).not.toContain("janusgraph_a\u00a0b")
  })

  it.each(["", " "])("is refused if it is blank, as the name of any index is (%j)", async (name) => {
    const { graph } = await opened()
    const editor = await graph.management.edit()
    const keys = [editor.key("code")!]
    const blank = "The name of an index cannot be blank"
    for (const kind of ["mixed", "equality", "ordered"] as const)
      expect(() => editor.makeIndex({ name, element: "vertex", kind, unique: false, keys })).toThrow(blank)
    const label = editor.makeLabel("knows", "MULTI", false, [])
    expect(() => editor.makeRelationIndex(label, name, "BOTH", false, keys)).toThrow(blank)
  })
})
