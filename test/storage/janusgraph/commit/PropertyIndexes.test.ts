import { describe, expect, it } from "vitest"
import { updateIndex } from "../../../../src/layers/management/IndexActions.ts"
import { Pending } from "../../../../src/scheduling/Pending.ts"
import { RowChanges } from "../../../../src/storage/janusgraph/commit/RowChanges.ts"
import { connect, putSchemaVertex } from "../../../../src/storage/janusgraph/commit/SchemaCommit.ts"
import { type DefinitionCategory, javaEnum } from "../../../../src/storage/janusgraph/format/EnumAttributes.ts"
import { fieldParameters } from "../../../../src/storage/janusgraph/management/IndexDefinition.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { runLater } from "../../../process/run.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

/** A graph with a composite index on the meta-properties `since` and `by` of the property `name`, as JanusGraph makes it. */
const opened = async () => {
  const store = new MemoryCellStore()
  const graph = await cellGraph(store, { staleMixedIndexes: true })
  const editor = await graph.management.edit()
  const keys = ["since", "by", "name"].map((name) => editor.makeKey(name, dataTypeOf("String"), "SINGLE"))
  await graph.management.commit(editor)
  await runLater(graph, "g.addV('person').property('name', 'p', 'since', 'x', 'by', 'y').none()")
  const id = graph.core.ids.schema("other")
  await Pending.toPromise(
    store.commit((batch) => {
      const changes = new RowChanges()
      const definitions = new Map<DefinitionCategory, unknown>([
        ["STATUS", javaEnum("SchemaStatus", "ENABLED")],
        ["ELEMENT_CATEGORY", javaEnum("ElementCategory", "PROPERTY")],
        ["INDEX_CARDINALITY", javaEnum("Cardinality", "LIST")],
        ["INTERNAL_INDEX", true],
        ["BACKING_INDEX", "internalindex"],
        ["INDEXSTORE_NAME", "bySince"]
      ])
      const relation = () => graph.core.ids.relation()
      putSchemaVertex(changes, { id, category: "GRAPHINDEX", name: "bySince", definitions }, relation)
      for (const [at, key] of keys.slice(0, 2).entries()) {
        const modifier = fieldParameters(at, undefined)
        connect(changes, { from: id, to: key.id, category: "INDEX_FIELD", modifier }, relation())
      }
      const only = { from: id, to: keys[2]!.id, category: "INDEX_SCHEMA_CONSTRAINT" } as const
      connect(changes, only, relation())
      changes.apply(batch)
      batch.advanceSchema()
    })
  )
  const ask = async (script: string) => (await runLater(graph, script)).map(text)
  const act = async (action: string) => {
    const found = await graph.management.edit()
    return updateIndex(graph, found, { kind: "index", index: found.schema.indexes[0]! }, action).run(
      () => undefined,
      () => undefined
    )
  }
  return { graph, id, ask, act }
}

describe("A composite index on vertex properties, which JanusGraph made", () => {
  it.each([
    "g.addV('person').property('name', 'q', 'since', 'x', 'by', 'y')",
    "g.V().property('name', 'q')",
    "g.V().properties('name').drop()",
    "g.V().properties('name').property('since', 'z')",
    "g.V().properties('name').properties('by').drop()",
    "g.V().drop()"
  ])("refuses writes that would change its entries: %s", async (script) => {
    const { ask } = await opened()
    await expect(ask(script)).rejects.toThrow(
      "The meta-properties since, by are in the composite index bySince on vertex properties, which only JanusGraph updates"
    )
    expect(await ask("g.V().properties('name').values('since', 'by')")).toEqual(["x", "y"])
  })

  it("allows all other writes", async () => {
    const { ask } = await opened()
    await ask("g.addV('person').property('name', 'q', 'since', 'x').property('since', 's', 'since', 'x', 'by', 'y')")
    await ask("g.V().has('name', 'q').drop()")
    expect(await ask("g.V().values('name')")).toEqual(["p"])
  })

  it("is not built, and stays as it is", async () => {
    const { act, graph, id } = await opened()
    for (const action of ["REINDEX", "ENABLE_INDEX", "REGISTER_INDEX", "REMOVE_STALE_ENTRIES"]) {
      await expect(act(action), action).rejects.toThrow("only JanusGraph can build it")
    }
    await expect(graph.management.rebuild(id)).rejects.toThrow("only JanusGraph can build it")
    expect((await graph.management.schema()).indexes.map(({ status }) => status)).toEqual(["ENABLED"])
  })

  it("can be disabled: then nothing is refused", async () => {
    const { act, ask, graph } = await opened()
    await act("DISABLE_INDEX")
    await graph.management.schema()
    await ask("g.V().property('name', 'q', 'since', 'x', 'by', 'y')")
    expect(await ask("g.V().values('name')")).toEqual(["q"])
  })
})
