import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import type { SchemaStatus } from "../../../../src/storage/janusgraph/format/EnumAttributes.ts"
import { applyStatus, changeSchema } from "../../../../src/storage/janusgraph/management/SchemaChange.ts"
import type { GraphIndex } from "../../../../src/storage/janusgraph/schema/Schema.ts"
import { opened } from "../documents/DocumentGraphs.ts"
import { makeJanusGraphIndex } from "../documents/JanusGraphIndexes.ts"

const TIES = "janusgraph_ties"

const tiesOf = (graph: CellGraph): GraphIndex => graph.core.schema.indexTable.named("ties")!

/** The statuses of the fields that documents have. */
const statusesOf = (graph: CellGraph): Readonly<Record<string, SchemaStatus>> =>
  Object.fromEntries(tiesOf(graph).documents!.fields.map(({ key, status }) => [key.name, status]))

/** A graph whose index has the key `big`, which is REGISTERED: it was added, and the build failed. */
const withFailedKey = async () => {
  const parts = await opened()
  const { ask, engine, graph } = parts
  await ask("g.addV().as('a').addE('knows').to('a').property('note', 'old').property('big', 7L)")
  const editor = await graph.management.edit()
  editor.addIndexKey(tiesOf(graph), editor.key("big")!)
  engine.fault = ({ path }) => (path.startsWith("/_bulk") ? { status: 400 } : undefined)
  await graph.management.commit(editor)
  await expect(graph.management.built("ties")).rejects.toThrow("has not taken")
  engine.fault = () => undefined
  const during: Array<Readonly<Record<string, SchemaStatus>>> = []
  engine.beforeWrite = async () => void during.push(statusesOf(graph))
  return { ...parts, during, id: tiesOf(graph).id }
}

describe("A build of an index in a search engine", () => {
  it("leaves the other keys in use while it adds one", async () => {
    const { during, graph, id } = await withFailedKey()
    expect(statusesOf(graph)).toEqual({ note: "ENABLED", weight: "ENABLED", big: "REGISTERED" })
    await graph.management.rebuild(id)
    expect(during[0]).toEqual({ note: "ENABLED", weight: "ENABLED", big: "REGISTERED" })
    expect(statusesOf(graph)).toEqual({ note: "ENABLED", weight: "ENABLED", big: "ENABLED" })
  })

  it("takes all keys out of use if the engine has lost the index", async () => {
    const { during, engine, graph, id } = await withFailedKey()
    engine.lose(TIES)
    await graph.management.rebuild(id)
    expect(during[0]).toEqual({ note: "REGISTERED", weight: "REGISTERED", big: "REGISTERED" })
    expect(statusesOf(graph)).toEqual({ note: "ENABLED", weight: "ENABLED", big: "ENABLED" })
    expect(engine.documents(TIES)).toEqual([{ note: "old", big: 7 }])
  })

  it.each([true, false])("does not enable a key that was disabled singly (lost: %s)", async (isLost) => {
    const { engine, graph, id } = await withFailedKey()
    await graph.core.ids.ensure("relation", 1)
    const relation = graph.core.ids.relation()
    await changeSchema(graph.core, (batch) => applyStatus(batch, id, "DISABLED", relation, ["REGISTERED"]))
    expect(tiesOf(graph).engineStatus).toBe("ENABLED")
    if (isLost) engine.lose(TIES)
    await graph.management.rebuild(id)
    expect(statusesOf(graph)).toEqual({ note: "ENABLED", weight: "ENABLED" })
    expect(tiesOf(graph).fields.map(({ name }) => name)).toContain("big")
  })
})

describe("An index of JanusGraph without a key", () => {
  it("gets its first key, with which its index in the engine is made", async () => {
    const { ask, engine, graph } = await opened()
    await ask("g.addV().property('age', 5)")
    await makeJanusGraphIndex(graph, "bare", "VERTEX", {})
    const editor = await graph.management.edit()
    editor.addIndexKey(graph.core.schema.indexTable.named("bare")!, editor.key("age")!)
    await graph.management.commit(editor)
    await graph.management.built("bare")
    expect(engine.documents("janusgraph_bare")).toEqual([{ age: 5 }])
  })
})
