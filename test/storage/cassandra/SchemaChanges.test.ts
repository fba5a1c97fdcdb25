import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { ExternalIds } from "../../../src/layers/tools/ExternalIds.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { removeIndexEntries } from "../../../src/storage/janusgraph/management/IndexRemoval.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { FakeCluster } from "./FakeCluster.ts"

describe("The first request of an idle server after another one has changed the schema", () => {
  let changing: CellGraph
  let idle: CellGraph

  beforeEach(async () => {
    const cluster = new FakeCluster()
    changing = await cellGraph(await cluster.store())
    const editor = await changing.management.edit()
    const name = editor.makeKey("name", dataTypeOf("String"), "SINGLE")
    editor.makeKey("age", dataTypeOf("Integer"), "SINGLE")
    editor.makeLabel("knows", "MULTI", false, [])
    editor.makeVertexLabel("person", false, false)
    editor.makeIndex({ name: "byName", element: "vertex", kind: "equality", unique: false, keys: [name] })
    await changing.management.commit(editor)
    await run(changing, "g.addV('person').property('name', 'marko').property('age', 29)")
    idle = await cellGraph(await cluster.store({}, undefined, { newsInterval: 20 }))
    expect(await run(idle, "g.V().has('name', 'marko').count()")).toEqual(["1"])
  })
  afterEach(async () => {
    for (const graph of [changing, idle]) await graph.close()
  })

  const run = async (graph: CellGraph, script: string): Promise<ReadonlyArray<unknown>> => {
    const transaction = graph.begin()
    try {
      return await runLater(graph, script, { as: text, transaction })
    } finally {
      transaction.rollback()
    }
  }

  /** Leaves the index with its definition but without entries. */
  const discard = async (): Promise<void> => {
    const { id } = changing.core.schema.indexes.find(({ name }) => name === "byName")!
    await changing.management.setStatus(id, "DISABLED")
    await changing.management.setStatus(id, "DISCARDED")
    await removeIndexEntries(changing.core, id)
  }

  it("does not search in an index that was discarded", async () => {
    await discard()
    expect(await run(idle, "g.V().has('name', 'marko').values('age')")).toEqual(["29"])
  })

  it("finds the vertex that mergeV() looks for without an index that was discarded", async () => {
    await discard()
    await run(idle, "g.mergeV([(T.label): 'person', name: 'marko'])")
    expect(await run(idle, "g.V().count()")).toEqual(["1"])
  })

  it("fails in an import that finds vertices by a discarded index", async () => {
    const ids = new ExternalIds(idle, "name")
    await ids.prepare({ report: () => undefined, signal: undefined } as never)
    await discard()
    const transaction = idle.begin()
    await expect(ids.search(transaction, ["marko"])).rejects.toThrow("index")
    transaction.rollback()
  })

  it("searches in an index that was made", async () => {
    const editor = await changing.management.edit()
    editor.makeIndex({ name: "byAge", element: "vertex", kind: "equality", unique: false, keys: [editor.key("age")!] })
    await changing.management.commit(editor)
    await changing.management.built("byAge")
    expect(await run(idle, "g.V().has('age', 29).profile()")).toEqual([expect.stringContaining("byAge")])
  })
})

describe("A schema that servers share", () => {
  const TABLES = ["edgestore", "graphindex"]

  it("is written and read so that no outdated replica matters, whatever levels the options set", async () => {
    const cluster = new FakeCluster()
    const levels = { readConsistency: "ONE", writeConsistency: "ONE" } as const
    const graphs = [await cellGraph(await cluster.store(levels)), await cellGraph(await cluster.store(levels))] as const
    const editor = await graphs[0].management.edit()
    editor.makeKey("name", dataTypeOf("String"), "SINGLE")
    cluster.received = []
    await graphs[0].management.commit(editor)
    await graphs[1].core.cells.readNews!()
    await graphs[1].management.schema()
    const seen = cluster.received.filter(({ table }) => TABLES.includes(table))
    cluster.received = undefined
    for (const graph of graphs) await graph.close()
    expect(graphs[1].core.schema.keys.has("name")).toBe(true)
    expect(seen.filter(({ kind }) => kind === "write")).not.toEqual([])
    expect(new Set(seen.map(({ consistency }) => consistency))).toEqual(new Set(["quorum"]))
  })
})
