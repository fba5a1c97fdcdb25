import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { CellCursor } from "../../../src/storage/janusgraph/cells/Cells.ts"
import { sliceOf } from "../../../src/storage/janusgraph/cells/Slices.ts"
import { RowChanges } from "../../../src/storage/janusgraph/commit/RowChanges.ts"
import { canonicalId, partitionOf, type VertexId } from "../../../src/storage/janusgraph/format/Ids.ts"
import { prefixes } from "../../../src/storage/janusgraph/format/RelationTypes.ts"
import { idOfRowKey, rowKey } from "../../../src/storage/janusgraph/format/RowKeys.ts"
import { CellVerifier } from "../../../src/storage/janusgraph/maintenance/verify/CellVerifier.ts"
import type { Finding } from "../../../src/storage/janusgraph/maintenance/verify/Findings.ts"
import { repairAll } from "../../../src/storage/janusgraph/maintenance/verify/Repair.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { settled } from "../Completion.ts"
import { dumpedStore } from "./DumpedStore.ts"
import { findingsIn } from "./Findings.ts"
import { cellGraph } from "./Graphs.ts"
import { MemoryCellStore, type MemoryCellStoreOptions } from "./MemoryCellStore.ts"

/** The number of partition bits of new graphs and of the dump. */
const BITS = 5

const ask = async (graph: CellGraph, script: string): Promise<ReadonlyArray<string>> =>
  ((await runLater(graph, script, { as: text })) as ReadonlyArray<string>).toSorted()

/** The ids of the rows of vertices. */
const rowsOf = (store: MemoryCellStore): ReadonlyArray<VertexId> => {
  const { version } = store.snapshot()
  return store.keys("edgestore", version).map((key) => idOfRowKey(key, BITS))
}

const isPartitioned = (id: VertexId): boolean => typeof id === "number" && id % 8 === 2

const stores: ReadonlyArray<readonly [string, MemoryCellStoreOptions]> = [
  ["synchronous reads", {}],
  ["synchronous reads and small pages", { pageSize: 2 }],
  ["asynchronous reads", { answersLater: true }]
]

describe.each(stores)("A partitioned vertex that JanusGraph wrote, over %s", (_, options) => {
  it("has the edges of all of its rows, and one id and label", async () => {
    const graph = await cellGraph(await dumpedStore(options))
    expect(await ask(graph, "g.V().hasLabel('hub').id()")).toEqual(["4226"])
    expect(await ask(graph, "g.V().hasLabel('hub').in('knows').values('name')")).toEqual(["Alice", "Bob"])
    expect(await ask(graph, "g.V().hasLabel('hub').out('knows').count()")).toEqual(["1"])
    expect(await ask(graph, "g.V().hasLabel('hub').bothE().count()")).toEqual(["3"])
    expect(await ask(graph, "g.V().has('name', within('Alice', 'Bob')).out('knows').hasLabel('hub').id()")).toEqual([
      "4226",
      "4226"
    ])
    expect(await ask(graph, "g.V().has('name', 'Alice').out('knows').hasLabel('hub').values('name')")).toEqual(["Hub"])
    expect(await ask(graph, "g.E().hasLabel('knows').where(__.inV().hasLabel('hub')).count()")).toEqual(["2"])
  })

  it("is found by the id of every representative, and its edges by the ids that JanusGraph gives them", async () => {
    const graph = await cellGraph(await dumpedStore(options))
    for (const id of [4186, 4226, 4330]) expect(await ask(graph, `g.V(${id}L).id()`)).toEqual(["4226"])
    expect(await ask(graph, "g.E('d1n-388-wet-38a').inV().id()")).toEqual(["4226"])
    expect(await ask(graph, "g.E('3z1-3ca-wet-3c8').outV().id()")).toEqual(["4226"])
    const [edge] = await ask(graph, "g.V(4226L).outE().id()")
    expect(await ask(graph, `g.E('${edge}').outV().id()`)).toEqual(["4226"])
  })

  it("changes and disappears as one vertex", async () => {
    const store = await dumpedStore(options)
    const graph = await cellGraph(store)
    await ask(graph, "g.V(4186L).property('name', 'Centre').in('knows').has('name', 'Bob').outE('knows').drop()")
    expect(await ask(graph, "g.V(4226L).values('name')")).toEqual(["Centre"])
    await ask(graph, "g.V(4226L).inE('knows').property('since', 2)")
    expect(await ask(graph, "g.V(4226L).inE('knows').values('since')")).toEqual(["2"])
    expect(await ask(graph, "g.E().has('since', 2).inV().id()")).toContain("4226")
    await ask(graph, "g.V(4226L).drop()")
    expect(await ask(graph, "g.V().hasLabel('hub').count()")).toEqual(["0"])
    expect(await ask(graph, "g.V().has('name', 'Alice').outE('knows').has('since', 2).count()")).toEqual(["0"])
    expect(rowsOf(store).filter(isPartitioned)).toEqual([])
  })
})

describe.each(stores)("A partitioned vertex label over %s", (_, options) => {
  const newGraph = async () => {
    const store = new MemoryCellStore(options)
    const graph = await cellGraph(store)
    const editor = await graph.management.edit()
    editor.makeVertexLabel("hub", false, true)
    const since = editor.makeKey("since", dataTypeOf("Integer"), "SINGLE")
    const knows = editor.makeLabel("knows", "MULTI", false, [])
    editor.makeLabel("owns", "ONE2MANY", false, [])
    editor.makeLabel("boss", "MANY2ONE", false, [])
    editor.makeLabel("pair", "ONE2ONE", false, [])
    editor.makeLabel("once", "SIMPLE", false, [])
    editor.makeRelationIndex(knows, "bySince", "BOTH", false, [since])
    await graph.management.commit(editor)
    await graph.management.createIndex("since", "edge")
    await graph.management.createIndex("name", "vertex")
    return { graph, store }
  }

  const filled = async () => {
    const { graph, store } = await newGraph()
    await ask(
      graph,
      `g.addV('hub').property('name', 'h').as('h').addV('hub').property('name', 'i').as('i').addV('person').property('name', 'p').as('p')
        .addV('person').property('name', 'q').as('q')
        .addE('knows').from('h').to('p').property('since', 1).addE('knows').from('p').to('h').property('since', 2)
        .addE('knows').from('h').to('i').property('since', 3).addE('owns').from('h').to('p').addE('boss').from('p').to('h')
        .addE('boss').from('h').to('q').addE('pair').from('h').to('i').addE('once').from('q').to('h').addE('knows').from('h').to('h').none()`
    )
    return { graph, store }
  }

  it("gives its vertices canonical ids, whose rows are those of JanusGraph's rule", async () => {
    const { graph, store } = await filled()
    const ids = (await ask(graph, "g.V().hasLabel('hub').id()")).map(Number)
    expect(ids).toHaveLength(2)
    for (const id of ids) {
      expect(id % 8).toBe(2)
      expect(canonicalId(id, BITS)).toBe(id)
    }
    // Persons are in the partition 0, so their edges are in the representative of that partition.
    const partitions = rowsOf(store).filter((id) => isPartitioned(id) && canonicalId(id, BITS) === ids[0])
    expect(partitions.map((id) => partitionOf(id, BITS))).toContain(0)
    expect(partitions.length).toBeGreaterThan(1)
  })

  it("has edges in both directions, by index and by id, inside the transaction and after it", async () => {
    const { graph } = await filled()
    expect(await ask(graph, "g.V().has('name', 'h').out().values('name')")).toEqual(["h", "i", "i", "p", "p", "q"])
    expect(await ask(graph, "g.V().has('name', 'h').in().values('name')")).toEqual(["h", "p", "p", "q"])
    expect(await ask(graph, "g.V().has('name', 'p').out().values('name')")).toEqual(["h", "h"])
    expect(await ask(graph, "g.V().has('name', 'h').outE('knows').has('since', gt(1)).inV().values('name')")).toEqual([
      "i"
    ])
    expect(await ask(graph, "g.E().has('since', 2).outV().values('name')")).toEqual(["p"])
    for (const id of await ask(graph, "g.V().has('name', 'h').bothE().id()")) {
      expect(await ask(graph, `g.E('${id}').id()`)).toEqual([id])
    }
    await ask(graph, "g.V().has('name', 'h').bothE('knows').property('since', 7)")
    expect(await ask(graph, "g.E().has('since', 7).count()")).toEqual(["4"])
    expect(await ask(graph, "g.V().has('name', 'h').outE('knows').has('since', 7).count()")).toEqual(["3"])
  })

  it("keeps the multiplicity of its edges", async () => {
    const { graph } = await filled()
    for (const edge of ["boss", "pair"]) {
      await expect(
        ask(graph, `g.V().has('name', 'h').as('h').V().has('name', 'p').addE('${edge}').from('h')`)
      ).rejects.toThrow(/edge/)
    }
    await expect(
      ask(graph, "g.V().has('name', 'h').as('h').V().has('name', 'q').addE('once').to('h')")
    ).rejects.toThrow(/edge/)
  })

  it("is removed with all of its rows and index entries", async () => {
    const { graph, store } = await filled()
    if (!store.answersLater) expect(findingsIn(graph.core)).toEqual([])
    await ask(graph, "g.V().has('name', 'h').drop()")
    expect(await ask(graph, "g.V().values('name')")).toEqual(["i", "p", "q"])
    expect(await ask(graph, "g.E().count()")).toEqual(["0"])
    await ask(graph, "g.V().has('name', 'i').drop()")
    expect(rowsOf(store).filter(isPartitioned)).toEqual([])
    if (!store.answersLater) expect(findingsIn(graph.core)).toEqual([])
  })

  it("can be indexed after its vertices were added, and the index can be removed", async () => {
    const { graph, store } = await filled()
    const editor = await graph.management.edit()
    const index = editor.makeRelationIndex(editor.label("knows")!, "again", "BOTH", true, [editor.key("since")!])
    await graph.management.commit(editor)
    await graph.management.done(index.type.id)
    if (!store.answersLater) expect(findingsIn(graph.core)).toEqual([])
  })

  it("cannot be static too, and takes no ids of clients", async () => {
    const { graph } = await newGraph()
    const editor = await graph.management.edit()
    expect(() => editor.makeVertexLabel("both", true, true)).toThrow("partitioned and static at the same time")
    const own = await cellGraph(new MemoryCellStore(options), { userVertexIds: true })
    const owned = await own.management.edit()
    owned.makeVertexLabel("hub", false, true)
    await own.management.commit(owned)
    await expect(ask(own, "g.addV('hub').property(T.id, 256L)")).rejects.toThrow("cannot have an id of your own")
    await expect(ask(own, "g.addV('person')")).rejects.toThrow("Must provide vertex id")
  })
})

it("A repaired edge of a partitioned vertex is seen at once, although the vertex was cached", async () => {
  const store = await dumpedStore({})
  const graph = await cellGraph(store)
  const asked = "g.V(4226L).in('knows').values('name')"
  const whole = await ask(graph, asked)
  const changes = new RowChanges()
  for (const id of rowsOf(store).filter((row) => canonicalId(row, BITS) === 4226 && row !== 4226)) {
    const key = rowKey(id, BITS)
    const row = sliceOf("edgestore", key, Uint8Array.of(prefixes.edge << 5), Uint8Array.of(0xff))
    const cursor = new CellCursor().over(store.snapshot().slice(row).cells)
    while (cursor.next()) changes.remove("edgestore", key, Buffer.from(cursor.column()))
  }
  await settled(store.commit((batch) => changes.apply(batch)))
  for (let read = 0; read < 3; read++) expect((await ask(graph, asked)).length).toBeLessThan(whole.length)
  const findings: Array<Finding> = []
  const verifier = new CellVerifier(graph.core, store.snapshot(), (finding) => findings.push(finding))
  for (const _ of verifier.work()) {
    // All rows are verified.
  }
  expect(findings.length).toBeGreaterThan(0)
  await repairAll(graph.core, findings)
  expect(await ask(graph, asked)).toEqual(await ask(await cellGraph(store), asked))
  expect(await ask(graph, asked)).toEqual(whole)
})
