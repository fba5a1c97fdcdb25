import { assert, describe, it } from "vitest"
import { verifyGraph } from "../../../src/layers/tools/Verification.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import type { CellBatch, Table } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { CellCursor } from "../../../src/storage/janusgraph/cells/Cells.ts"
import { ByteWriter } from "../../../src/storage/janusgraph/format/ByteWriter.ts"
import { prefixes } from "../../../src/storage/janusgraph/format/RelationTypes.ts"
import { rowKey } from "../../../src/storage/janusgraph/format/RowKeys.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../../src/storage/memory/Options.ts"
import { runLater } from "../../process/run.ts"
import { settled } from "../../storage/Completion.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { contents, context } from "./Graphs.ts"

/** Two persons who know each other, with indexes on name (vertices) and since (edges), and a vertex label. */
const people = async (store?: Parameters<typeof cellGraph>[0]) => {
  const graph = await cellGraph(store ?? new MemoryCellStore({ pageSize: 3 }))
  await graph.management.createIndex("name", "vertex")
  await graph.management.createIndex("since", "edge")
  const transaction = graph.begin()
  const [ann, bob] = ["Ann", "Bob"].map((name) => {
    const ref = transaction.addVertex("person", undefined)
    transaction.setVertexProperty(ref, null, "name", name)
    transaction.setVertexProperty(ref, null, "code", name)
    return ref
  })
  const edge = transaction.addEdge(ann!, "knows", bob!, undefined)
  transaction.setEdgeProperty(edge, "since", 1999)
  transaction.addEdge(bob!, "knows", bob!, undefined)
  await settled(transaction.commit())
  return { graph, ann: ann!, bob: bob! }
}

interface Cell {
  readonly table: Table
  readonly key: Uint8Array
  readonly column: Uint8Array
  readonly value: Uint8Array
}

const cellsOf = (batch: CellBatch, table: Table, key: Uint8Array): ReadonlyArray<Cell> => {
  const cells: Array<Cell> = []
  for (let start: Uint8Array | undefined, more = true; more; ) {
    const page = batch.slice({ table, key, start })
    const cursor = new CellCursor().over(page.cells)
    while (cursor.next()) cells.push({ table, key, column: cursor.column().slice(), value: cursor.value().slice() })
    more = page.more
    start = Buffer.concat([cells.at(-1)!.column, Buffer.from([0])])
  }
  return cells
}

/** The cells of a vertex row whose columns start with a prefix: 0 exists, 1 label, 2 properties, 3 edges. */
const rowCells = (batch: CellBatch, id: number, prefix: number, isIn?: boolean): ReadonlyArray<Cell> =>
  cellsOf(batch, "edgestore", rowKey(id, 5)).filter(
    ({ column }) => column[0]! >> 5 === prefix && (isIn === undefined || (column[0]! & 1) === (isIn ? 1 : 0))
  )

/** The rows of a table that do not belong to the schema. */
const indexCells = (graph: CellGraph, batch: CellBatch, index: string): ReadonlyArray<Cell> => {
  const { id } = graph.core.schema.indexes.find(({ name }) => name === index)!
  const snapshot = graph.core.cells.snapshot()
  const scan = snapshot.scan("graphindex")
  const keys: Array<Uint8Array> = []
  for (let rows = scan.next(10); rows.length > 0; rows = scan.next(10)) keys.push(...rows.map(({ key }) => key.slice()))
  snapshot.close()
  const writer = new ByteWriter()
  writer.varint(id)
  const first = writer.copy()
  return keys
    .filter((key) => first.equals(key.subarray(0, first.length)))
    .flatMap((key) => cellsOf(batch, "graphindex", key))
}

const remove = (batch: CellBatch, cell: Cell | undefined): void => {
  if (cell === undefined) throw new Error("There is no such cell to damage")
  batch.change(cell.table, cell.key, [{ column: cell.column, value: null }])
}

const put = (batch: CellBatch, cell: Cell | undefined, change: Partial<Cell>): void => {
  if (cell === undefined) throw new Error("There is no such cell to damage")
  const changed = { ...cell, ...change }
  batch.change(changed.table, changed.key, [{ column: changed.column, value: changed.value }])
}

type Damage = (batch: CellBatch, given: Awaited<ReturnType<typeof people>>) => void

/** The damage to the cells, the finding, and whether the repair restores the graph. */
const damages: ReadonlyArray<readonly [string, Damage, RegExp, boolean]> = [
  [
    "a lost in-edge",
    (batch, { bob }) => remove(batch, rowCells(batch, bob, 3, true)[0]),
    /1 x an edge that only one of its vertices has:\n {2}knows of v\[\d+\] to v\[\d+\]/,
    true
  ],
  [
    "a lost out-edge",
    (batch, { ann }) => remove(batch, rowCells(batch, ann, 3, false)[0]),
    /1 x an edge that only one of its vertices has:\n {2}knows of v\[\d+\] from v\[\d+\]/,
    true
  ],
  [
    "ends with different properties",
    (batch, { bob }) =>
      put(
        batch,
        rowCells(batch, bob, 3, true).find(({ value }) => value.length > 0),
        { value: new Uint8Array(0) }
      ),
    /1 x an edge that its vertices have with different properties/,
    true
  ],
  [
    "a lost vertex",
    (batch, { ann }) => remove(batch, rowCells(batch, ann, 0)[0]),
    /1 x cells of a vertex that does not exist:[\s\S]*a stale entry of an index/,
    false
  ],
  [
    "a row that is gone",
    (batch, { bob }) => batch.removeRow("edgestore", rowKey(bob, 5)),
    /an edge to a vertex that does not exist[\s\S]*a stale entry of an index[\s\S]*a wrong number of elements/,
    false
  ],
  [
    "a property that cannot be read",
    (batch, { ann }) => put(batch, rowCells(batch, ann, 2)[0], { value: Buffer.from([0, 7]) }),
    /1 x a cell that cannot be read:\n {2}row of v\[\d+\]: [0-9a-f]+ = 0007/,
    false
  ],
  [
    "a cell of an unknown type",
    (batch, { ann }) => put(batch, rowCells(batch, ann, 2)[0], { column: Buffer.from("50ff", "hex") }),
    /1 x a cell of a type that the schema does not have/,
    true
  ],
  [
    "an unknown label",
    (batch, { ann }) => {
      const cell = rowCells(batch, ann, 1)[0]!
      put(batch, cell, { value: Buffer.concat([Buffer.from([0x7f, 0x7f, 0xed]), cell.value.subarray(2)]) })
    },
    /1 x a vertex label that the schema does not have/,
    false
  ],
  [
    "a lost index entry of a vertex",
    (batch, { graph }) => remove(batch, indexCells(graph, batch, "vertex:name")[0]),
    /1 x a missing entry of an index:\n {2}index vertex:name, v\[\d+\]/,
    true
  ],
  [
    "a lost index entry of an edge",
    (batch, { graph }) => remove(batch, indexCells(graph, batch, "edge:since")[0]),
    /1 x a missing entry of an index:\n {2}index edge:since/,
    true
  ],
  [
    "an entry for another value",
    (batch, { graph }) => {
      const cell = indexCells(graph, batch, "vertex:name")[0]!
      const key = Buffer.concat([cell.key.subarray(0, -3), Buffer.from("5a6fe5", "hex")])
      put(batch, cell, { key })
    },
    /1 x a stale entry of an index/,
    true
  ],
  [
    "an entry that leads to another vertex",
    (batch, { graph }) => {
      const [first, second] = indexCells(graph, batch, "vertex:name")
      put(batch, first, { value: second!.value })
    },
    /1 x a missing entry of an index[\s\S]*1 x a stale entry of an index/,
    true
  ],
  [
    "an entry of no index",
    (batch, { graph }) => {
      const cell = indexCells(graph, batch, "vertex:name")[0]!
      put(batch, cell, { key: Buffer.concat([Buffer.from([0x7e, 0xe9]), cell.key.subarray(-4)]) })
    },
    /1 x an entry of an index that does not exist/,
    true
  ],
  [
    "wrong numbers",
    (batch) => {
      const cell = cellsOf(batch, "engine_counters", Buffer.from("e"))[0]
      put(batch, cell, { value: Buffer.from([0x80 | 9]) })
    },
    /1 x a wrong number of elements:\n {2}edge label knows: 9 kept, 2 found/,
    true
  ],
  [
    "a claim of ids that is behind",
    (batch) => batch.removeRow("janusgraph_ids", Buffer.from("0000000000000003", "hex")),
    /1 x ids in use that could be given out again:\n {2}relation ids up to \d+/,
    true
  ]
]

const verified = (graph: CellGraph, repair: boolean): Promise<string> =>
  verifyGraph(graph, repair, context()).catch(({ message }: Error) => `failed: ${message}`)

describe("The command verify", () => {
  it("finds nothing in an intact graph", async () => {
    const { graph } = await people()
    assert.match(
      await verified(graph, false),
      /^Verified 2 vertices, 2 edges, 3 index entries, \d+ cells \(.* s\)\.\nNothing is wrong\.$/
    )
  })

  it.each(damages)("finds and repairs %s", async (_, damage, finding, restored) => {
    const given = await people()
    const before = await contents(given.graph)
    given.graph.core.cells.commitNow((batch) => damage(batch, given))
    const found = await verified(given.graph, false)
    assert.match(found, finding)
    assert.match(found, /^failed: [\s\S]* findings?\. Run verify --repair to repair them\.$/)
    const mended = await verified(given.graph, true)
    assert.match(mended, /\d+ finding(s were| was) repaired\.\nNothing is wrong\.$/)
    assert.match(await verified(given.graph, false), /Nothing is wrong\.$/)
    if (restored) assert.deepEqual(await contents(given.graph), before)
  })

  it("repairs the files of lmdb", async () => {
    const given = await people(await lmdbStore({ sync: "none" }))
    const before = await contents(given.graph)
    given.graph.core.cells.commitNow((batch) => remove(batch, rowCells(batch, given.bob, 3, true)[0]))
    assert.match(await verified(given.graph, true), /1 finding was repaired\.\nNothing is wrong\.$/)
    assert.deepEqual(await contents(given.graph), before)
    await given.graph.close()
  })

  it("finds nothing in a unidirected edge whose in-vertex was removed", async () => {
    const graph = await cellGraph(new MemoryCellStore())
    const editor = await graph.management.edit()
    editor.makeLabel("follows", "MULTI", true, [])
    await graph.management.commit(editor)
    const transaction = graph.begin()
    const [ann, bob] = [transaction.addVertex("person", undefined), transaction.addVertex("person", undefined)]
    transaction.addEdge(ann, "follows", bob, undefined)
    await settled(transaction.commit())
    const removing = graph.begin()
    removing.removeVertex(removing.vertexRef(BigInt(bob)))
    await settled(removing.commit())
    assert.match(await verified(graph, false), /^Verified 1 vertex, 1 edge, [\s\S]*Nothing is wrong\.$/)
  })

  it.each([
    ["stands where its sort key was before", "since", /^failed: 1 x a stale entry of a vertex-centric index/],
    ["has another value than its edge", "weight", /^failed: 1 x a missing entry of a vertex-centric index/]
  ])("finds and repairs a copy of a vertex-centric index that %s", async (_, name, finding) => {
    const graph = await cellGraph(new MemoryCellStore())
    const editor = await graph.management.edit()
    const [since] = ["since", "weight"].map((key) => editor.makeKey(key, dataTypeOf("Integer"), "SINGLE"))
    editor.makeRelationIndex(editor.makeLabel("knows", "MULTI", false, []), "bySince", "OUT", false, [since!])
    await graph.management.commit(editor)
    const transaction = graph.begin()
    const [ann, bob] = [transaction.addVertex("person", undefined), transaction.addVertex("person", undefined)]
    const edge = transaction.addEdge(ann, "knows", bob, undefined)
    for (const key of ["since", "weight"]) transaction.setEdgeProperty(edge, key, 1)
    await settled(transaction.commit())
    let old: ReadonlyArray<Cell> = []
    graph.core.cells.commitNow((batch) => {
      old = rowCells(batch, ann, prefixes.edgeCopy)
    })
    await runLater(graph, `g.E().property('${name}', 2)`)
    const right = await contents(graph)
    graph.core.cells.commitNow((batch) => {
      for (const cell of old) put(batch, cell, {})
    })
    assert.match(await verified(graph, false), finding)
    assert.match(await verified(graph, true), /1 finding was repaired\.\nNothing is wrong\.$/)
    assert.match(await verified(graph, false), /Nothing is wrong\.$/)
    assert.deepEqual(await contents(graph), right)
  })

  it("finds nothing in an index with copies of properties with meta-properties", async () => {
    const graph = await cellGraph(new MemoryCellStore())
    const editor = await graph.management.edit()
    const [name, age] = ["name", "age"].map((key) => editor.makeKey(key, dataTypeOf("String"), "SINGLE"))
    const index = { element: "vertex", kind: "equality", unique: false, keys: [name!], inlineKeys: [age!] } as const
    editor.makeIndex({ name: "byName", ...index })
    await graph.management.commit(editor)
    const transaction = graph.begin()
    const ann = transaction.addVertex("person", undefined)
    transaction.setVertexProperty(ann, null, "name", "Ann")
    transaction.setVertexProperty(ann, null, "age", "30", { meta: new Map([["since", 1999]]) })
    await settled(transaction.commit())
    assert.match(await verified(graph, false), /, 1 index entr[\s\S]*Nothing is wrong\.$/)
  })

  it("does not decide which of two elements keeps a unique value", async () => {
    const graph = await cellGraph(new MemoryCellStore())
    await graph.management.createIndex("name", "vertex", { unique: true })
    const transaction = graph.begin()
    const refs = ["Ann", "Bob"].map((name) => {
      const ref = transaction.addVertex("person", undefined)
      transaction.setVertexProperty(ref, null, "name", name)
      return ref
    })
    await settled(transaction.commit())
    graph.core.cells.commitNow((batch) => {
      const [ann] = rowCells(batch, refs[0]!, 2)
      put(batch, rowCells(batch, refs[1]!, 2)[0], { value: ann!.value })
    })
    const found = await verified(graph, true)
    assert.match(
      found,
      /1 x a value that two elements have under a unique index[\s\S]*The remaining findings need a decision of the operator\.$/
    )
  })

  it("works only for graphs over cells", async () => {
    const graph = new MemoryGraph(tinkerGraph("plain"))
    await verifyGraph(graph, false, context()).then(
      () => assert.fail("it was verified"),
      ({ message }) =>
        assert.match(message, /^The graph 'plain' is in memory: verify checks the files of a graph on disk/)
    )
  })
})
