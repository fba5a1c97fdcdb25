import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { graphStats } from "../../../src/layers/tools/Stats.ts"
import { verifyGraph } from "../../../src/layers/tools/Verification.ts"
import type { CqlStore } from "../../../src/storage/cassandra/CqlStore.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import type { RowPage, Table } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { CellCursor } from "../../../src/storage/janusgraph/cells/Cells.ts"
import { isSchemaId } from "../../../src/storage/janusgraph/format/Ids.ts"
import { idOfRowKey } from "../../../src/storage/janusgraph/format/RowKeys.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { FakeCluster } from "../../storage/cassandra/FakeCluster.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { context } from "./Graphs.ts"

const verified = (graph: CellGraph, repair = false): Promise<string> =>
  verifyGraph(graph, repair, context()).catch((error: Error) => error.message)

describe("A graph in Cassandra", () => {
  let store: CqlStore
  let graph: CellGraph
  const run = (script: string) => runLater(graph, script, { as: text })

  beforeEach(async () => {
    store = await new FakeCluster().store({}, undefined, { newsInterval: 3_600_000 })
    graph = await cellGraph(store)
    await graph.management.createIndex("name", "vertex")
    await run(
      "g.addV('person').property('name', 'ann').as('a').addV('person').property('name', 'bob').as('b')" +
        ".addE('knows').from('a').to('b').property('since', 1999).addE('knows').from('b').to('b').none()"
    )
  })
  afterEach(() => graph.close())

  const rowsOf = async (table: Table): Promise<ReadonlyArray<RowPage>> => {
    const snapshot = store.snapshot()
    try {
      return await snapshot.scan(table).fetch(1000)
    } finally {
      snapshot.close()
    }
  }

  /** Removes the first cell that is chosen, past the graph. */
  const remove = async (table: Table, isChosen: (row: RowPage, column: Uint8Array) => boolean): Promise<void> => {
    for (const row of await rowsOf(table)) {
      const cursor = new CellCursor().over(row.cells)
      while (cursor.next()) {
        const column = cursor.column().slice()
        if (!isChosen(row, column)) continue
        // The clock of the store may be a millisecond ahead of Date.now(), and an older deletion has no effect.
        await sleep(2)
        const time = BigInt(Date.now()) * 1000n
        await store.columns.mutate([{ table, key: row.key, additions: [], deletions: [column] }], time, "write")
        return
      }
    }
    expect.fail("no such cell")
  }
  /** JanusGraph sets the highest bit of the last character of a text. */
  const isEntry = ({ key }: RowPage): boolean => {
    const characters = Buffer.from(key.map((byte) => byte & 0x7f))
    return characters.includes("bob") || characters.includes("ann")
  }
  const isVertex = ({ key }: RowPage): boolean => !isSchemaId(idOfRowKey(key, 5))

  it("is verified and counted", async () => {
    const report = await verified(graph)
    expect(report).toContain("Verified 2 vertices, 2 edges, 2 index entries")
    expect(report).toContain("Nothing is wrong.")
    const { edges, indexes, tables, vertices } = await graphStats(graph, undefined, context())
    expect([vertices, edges]).toEqual([{ person: 2 }, { knows: 2 }])
    expect(indexes.map(({ entries }) => entries)).toEqual([2])
    expect(tables.find(({ table }) => table === "edgestore")?.rows).toBeGreaterThan(2)
  })

  it("has a half-written edge that is found and completed", async () => {
    // The in-cell of an edge has the lowest bit of its header set.
    await remove("edgestore", (row, column) => isVertex(row) && column[0]! >> 5 === 3 && (column[0]! & 1) === 1)
    expect(await verified(graph)).toContain("1 x an edge that only one of its vertices has")
    expect(await verified(graph, true)).toContain("1 finding was repaired.")
    expect(await verified(graph)).toContain("Nothing is wrong.")
    expect(await run("g.V().has('name', 'bob').in('knows').values('name').order()")).toEqual(["ann", "bob"])
  })

  it("has stale and missing entries of indexes that are found and repaired", async () => {
    // The name is the only property.
    await remove("edgestore", (row, column) => isVertex(row) && column[0]! >> 5 === 2)
    expect(await verified(graph)).toContain("1 x a stale entry of an index")
    expect(await verified(graph, true)).toContain("1 finding was repaired.")
    await remove("graphindex", isEntry)
    expect(await verified(graph)).toContain("1 x a missing entry of an index")
    expect(await verified(graph, true)).toContain("1 finding was repaired.")
    expect(await verified(graph)).toContain("Nothing is wrong.")
  })

  it("has no findings while others write to it", async () => {
    let running = true
    const writes = (async () => {
      for (let i = 0; running; i++) {
        await run(
          `g.addV('person').property('name', 'w${i}').as('w').addE('knows').from('w').to(__.V().has('name', 'bob'))`
        )
        await run("g.V().has('name', 'bob').inE('knows').limit(1).drop()")
        await run(`g.V().has('name', 'w${i}').property('name', 'x${i}')`)
      }
    })()
    for (let round = 0; round < 3; round++) expect(await verified(graph)).toContain("Nothing is wrong.")
    running = false
    await writes
  })
})
