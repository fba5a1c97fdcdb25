import { describe, expect, it } from "vitest"
import { Pending } from "../../../src/scheduling/Pending.ts"
import { RowChanges } from "../../../src/storage/janusgraph/commit/RowChanges.ts"
import { connect, putSchemaVertex } from "../../../src/storage/janusgraph/commit/SchemaCommit.ts"
import { type DefinitionCategory, javaEnum } from "../../../src/storage/janusgraph/format/EnumAttributes.ts"
import { fieldParameters } from "../../../src/storage/janusgraph/management/IndexDefinition.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "./Graphs.ts"
import { MemoryCellStore } from "./MemoryCellStore.ts"

/**
 * A graph whose keys `bio` of vertices, `note` of edges and `since` of vertex properties are in mixed indexes that JanusGraph keeps in
 * Elasticsearch.
 */
const opened = async (staleMixedIndexes: boolean) => {
  const store = new MemoryCellStore()
  const graph = await cellGraph(store, { staleMixedIndexes })
  const editor = await graph.management.edit()
  const keys = ["bio", "note", "since", "name"].map((name) => editor.makeKey(name, dataTypeOf("String"), "SINGLE"))
  await graph.management.commit(editor)
  await runLater(graph, "g.addV('person').property('name', 'p').addV('person').property('name', 'q').none()")
  await Pending.toPromise(
    store.commit((batch) => {
      const changes = new RowChanges()
      for (const [at, element] of (["VERTEX", "EDGE", "PROPERTY"] as const).entries()) {
        const id = graph.core.ids.schema("other")
        const definitions = new Map<DefinitionCategory, unknown>([
          ["ELEMENT_CATEGORY", javaEnum("ElementCategory", element)],
          ["INDEX_CARDINALITY", javaEnum("Cardinality", "LIST")],
          ["INTERNAL_INDEX", false],
          ["BACKING_INDEX", "search"],
          ["INDEXSTORE_NAME", `by${at}`]
        ])
        putSchemaVertex(changes, { id, category: "GRAPHINDEX", name: `by${at}`, definitions }, () =>
          graph.core.ids.relation()
        )
        const modifier = fieldParameters(0, undefined)
        connect(changes, { from: id, to: keys[at]!.id, category: "INDEX_FIELD", modifier }, graph.core.ids.relation())
      }
      changes.apply(batch)
      batch.advanceSchema()
    })
  )
  return { graph, all: async (script: string) => (await runLater(graph, script)).map(text) }
}

describe("A mixed index that JanusGraph keeps in another system", () => {
  it("is known with its keys, and is not searched", async () => {
    const { all, graph } = await opened(true)
    expect(
      graph.core
        .newestSchema()
        .engineIndexes.map(({ name, engineKeys }) => [name, engineKeys])
        .sort()
    ).toEqual([
      ["by0", ["bio"]],
      ["by1", ["note"]],
      ["by2", ["since"]]
    ])
    await all("g.V().has('name', 'p').property('bio', 'likes graphs').none()")
    expect(await all("g.V().has('bio', textContains('graphs')).values('name')")).toEqual(["p"])
  })

  it.each([
    "g.V().has('name', 'p').property('bio', 'x')",
    "g.addV('person').property('bio', 'x')",
    "g.V().has('name', 'p').as('p').addE('knows').to('p').property('note', 'x')"
  ])("refuses the write to one of its keys: %s", async (script) => {
    const { all } = await opened(false)
    await expect(all(script)).rejects.toThrow(
      /in the mixed index by\d, which JanusGraph keeps in the index backend 'search'/
    )
    expect(await all("g.V().values('bio').count()")).toEqual(["0"])
  })

  it("refuses to add, change or remove a property of a vertex that has one of its keys as a meta-property", async () => {
    const { all, graph } = await opened(true)
    await all("g.V().has('name', 'p').property('note', 'x', 'since', 'y').property('bio', 'plain').none()")
    const strict = await cellGraph(graph.core.cells)
    const ask = async (script: string) => (await runLater(strict, script)).map(text)
    for (const script of [
      "g.V().has('name', 'q').property('note', 'x', 'since', 'y')",
      "g.addV().property('note', 'x', 'since', 'y')",
      "g.V().has('name', 'p').property('note', 'z')",
      "g.V().has('name', 'p').properties('note').drop()",
      "g.V().has('name', 'p').properties('note').property('since', 'z')",
      "g.V().has('name', 'p').drop()"
    ]) {
      await expect(ask(script), script).rejects.toThrow("which JanusGraph keeps in the index backend 'search'")
    }
    await ask("g.V().has('name', 'q').property('note', 'plain')")
    expect(await ask("g.V().has('name', 'p').properties('note').values('since')")).toEqual(["y"])
  })

  it("allows writes to other keys, and to the key on other elements", async () => {
    const { all } = await opened(false)
    await all("g.V().has('name', 'p').property('note', 'x').as('p').addE('knows').to('p').property('bio', 'y').none()")
    expect(await all("g.V().has('note', 'x').outE().values('bio')")).toEqual(["y"])
  })

  it("refuses to remove an element that it contains", async () => {
    const { all, graph } = await opened(true)
    await all("g.V().has('name', 'p').property('bio', 'x').as('p').addE('knows').to('p').property('note', 'x').none()")
    const strict = await cellGraph(graph.core.cells)
    const ask = (script: string) => runLater(strict, script)
    await expect(ask("g.V().has('name', 'p').drop()")).rejects.toThrow("JanusGraph keeps")
    await expect(ask("g.E().drop()")).rejects.toThrow("JanusGraph keeps")
    await ask("g.V().has('name', 'q').drop()")
    expect(await all("g.V().count()")).toEqual(["1"])
  })
})
