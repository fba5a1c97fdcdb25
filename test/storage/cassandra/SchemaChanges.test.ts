import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { ExternalIds } from "../../../src/layers/tools/ExternalIds.ts"
import { Pending } from "../../../src/scheduling/Pending.ts"
import type { CqlOptions } from "../../../src/storage/cassandra/CqlOptions.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { indexRowPrefix } from "../../../src/storage/janusgraph/indexes/IndexEntries.ts"
import { removeIndexEntries } from "../../../src/storage/janusgraph/management/IndexRemoval.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { TransactionConflict } from "../../../src/structure/errors/StoreErrors.ts"
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

describe("An index whose entries are removed", () => {
  const prepared = async (cluster: FakeCluster, options: Partial<CqlOptions> = {}) => {
    const graph = await cellGraph(await cluster.store(options))
    const editor = await graph.management.edit()
    const name = editor.makeKey("name", dataTypeOf("String"), "SINGLE")
    editor.makeIndex({ name: "byName", element: "vertex", kind: "equality", unique: false, keys: [name] })
    await graph.management.commit(editor)
    await runLater(graph, "g.addV().property('name', 'marko')")
    const { id } = graph.core.schema.indexes[0]!
    const prefix = indexRowPrefix(graph.core.schema.indexes[0]!)
    const entries = () =>
      cluster.cells("graphindex").filter(({ key }) => prefix.equals(key.subarray(0, prefix.length))).length
    expect(entries()).toBe(1)
    return { entries, graph, id }
  }

  /** Lets the time of an announcement pass with its pauses. */
  const hurryAnnouncements = (cluster: FakeCluster): void => {
    const { sleep } = cluster
    cluster.sleep = (milliseconds) => {
      if (milliseconds === 500) cluster.elapsed += 10_000
      return sleep(milliseconds)
    }
  }

  /** A transaction that knows the schema. */
  const begun = async (graph: CellGraph) => {
    const transaction = graph.begin()
    await Pending.toPromise(transaction.prefetch([]))
    return transaction
  }

  it("fails the search of an older transaction of the same server, which would find too little", async () => {
    const { graph, id } = await prepared(new FakeCluster())
    const transaction = await begun(graph)
    await graph.management.discard(id)
    await expect(runLater(graph, "g.V().has('name', 'marko')", { transaction })).rejects.toThrow(TransactionConflict)
    transaction.rollback()
    expect(await runLater(graph, "g.V().has('name', 'marko').count()", { as: text })).toEqual(["1"])
    await graph.close()
  })

  it("fails that search also if the server has cached the pages without entries", async () => {
    const { graph, id } = await prepared(new FakeCluster(), { cache: { bytes: 1 << 20, time: 0, cleanWait: 0 } })
    const transactions = [await begun(graph), await begun(graph)]
    await graph.management.discard(id)
    for (const transaction of transactions) {
      const search = runLater(graph, "g.V().has('name', 'marko')", { transaction })
      await expect(search).rejects.toThrow(TransactionConflict)
      transaction.rollback()
    }
    await graph.close()
  })

  it.each([
    ["reads from the store", {}],
    ["caches cells", { cache: { bytes: 1 << 20, time: 0, cleanWait: 0 } }]
  ])("fails a search in removed copies of edges by an older transaction, if the server %s", async (_, options) => {
    const graph = await cellGraph(await new FakeCluster().store(options))
    const editor = await graph.management.edit()
    const since = editor.makeKey("since", dataTypeOf("Integer"), "SINGLE")
    const knows = editor.makeLabel("knows", "MULTI", false, [])
    editor.makeRelationIndex(knows, "bySince", "BOTH", false, [since])
    await graph.management.commit(editor)
    const [id] = await runLater(graph, "g.addV().as('a').addE('knows').to('a').property('since', 3).outV().id()")
    expect(graph.core.schema.relationIndexes[0]!.status).toBe("ENABLED")
    const transactions = [await begun(graph), await begun(graph)]
    await graph.management.discard(graph.core.schema.relationIndexes[0]!.type.id)
    const asked = `g.V(${id}L).outE('knows').has('since', 3).count()`
    for (const transaction of transactions) {
      await expect(runLater(graph, asked, { transaction })).rejects.toThrow(TransactionConflict)
      expect(await runLater(graph, "g.V().outE('knows').count()", { transaction, as: text })).toEqual(["1"])
      transaction.rollback()
    }
    expect(await runLater(graph, asked, { as: text })).toEqual(["1"])
    await graph.close()
  })

  it("keeps them until every server has acknowledged that it is discarded, however often that is asked for", async () => {
    const cluster = new FakeCluster()
    hurryAnnouncements(cluster)
    const { entries, graph, id } = await prepared(cluster)
    const other = await cellGraph(await cluster.store({}, undefined, { newsInterval: 20 }))
    const transaction = await begun(other)
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(graph.management.discard(id)).rejects.toThrow("have not acknowledged it")
      expect(entries()).toBe(1)
    }
    transaction.rollback()
    await graph.management.discard(id)
    expect(entries()).toBe(0)
    for (const each of [graph, other]) await each.close()
  })

  it("keeps them until every server has acknowledged that it is disabled, before it is built again", async () => {
    const cluster = new FakeCluster()
    hurryAnnouncements(cluster)
    const { entries, graph, id } = await prepared(cluster)
    const other = await cellGraph(await cluster.store({}, undefined, { newsInterval: 20 }))
    const transaction = await begun(other)
    await expect(graph.management.setStatus(id, "DISABLED")).rejects.toThrow("have not acknowledged it")
    await expect(graph.management.rebuild(id)).rejects.toThrow("have not acknowledged it")
    expect(entries()).toBe(1)
    transaction.rollback()
    await graph.management.rebuild(id)
    expect(entries()).toBe(1)
    for (const each of [graph, other]) await each.close()
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
