import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { openCellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { defaultCellGraphOptions } from "../../../src/storage/janusgraph/Options.ts"
import { ChangedRows, keysIn } from "../../../src/storage/lmdb/ChangedRows.ts"
import { newFolder } from "../../Folders.ts"
import { MANY_COMMITS_MS, PROCESSES_MS } from "../../Limits.ts"
import { settled } from "../Completion.ts"
import { otherProcess } from "./OtherProcess.ts"
import { openShared } from "./SharedWriter.ts"
import { lmdbStore } from "./Stores.ts"

/** Adds vertices with the property `value`, and returns their ids. */
const withVertices = async (graph: CellGraph, count: number): Promise<ReadonlyArray<number>> => {
  const transaction = graph.begin()
  const refs = Array.from({ length: count }, () => transaction.addVertex("row", undefined))
  for (const ref of refs) transaction.setVertexProperty(ref, null, "value", -1)
  const ids = refs.map((ref) => Number(transaction.vertexId(ref)))
  await settled(transaction.commit())
  return ids
}

/** Reads the property `value` of vertices in one transaction. */
const values = (graph: CellGraph, ids: ReadonlyArray<number>): ReadonlyArray<unknown> => {
  const transaction = graph.begin({ readOnly: true })
  const found = ids.map((id) => transaction.vertexReader("value").value(transaction.vertexRef(id)))
  transaction.rollback()
  return found
}

/** The ids whose rows are cached for a transaction that begins now. */
const cached = (graph: CellGraph, ids: ReadonlyArray<number>): ReadonlyArray<number> => {
  const transaction = graph.begin({ readOnly: true })
  const found = ids.filter((id) => graph.core.cache.get(id, Number.POSITIVE_INFINITY) !== undefined)
  transaction.rollback()
  return found
}

/** Reads rows until they are cached: the second read within a short time admits a row. */
const warm = (graph: CellGraph, ids: ReadonlyArray<number>): void => {
  for (let i = 0; i < 3; i++) values(graph, ids)
  expect(cached(graph, ids)).toEqual(ids)
}

describe.each([1, 3])("Decoded rows beside %d other processes", (others) => {
  it(
    "stay cached until a commit of any process changes them, and are then read again",
    async () => {
      const directory = newFolder()
      const graph = await openShared(directory, "first")
      const ids = await withVertices(graph, 4)
      const [a, b, c, d] = ids as [number, number, number, number]
      const processes = []
      for (let i = 0; i < others; i++) processes.push(await otherProcess(directory, `other${i}`))
      // A new type evicts all rows.
      warm(graph, ids)
      await processes[0]!.run("add 1")
      expect(cached(graph, ids)).toEqual([])
      for (const [round, other] of [...processes, ...processes].entries()) {
        warm(graph, ids)
        await other.run(`repeat ${d} 30`)
        expect(cached(graph, ids)).toEqual([a, b, c])
        await other.run(`set ${b} ${round}`)
        expect(cached(graph, ids)).toEqual([a, c])
        expect(values(graph, [b])).toEqual([round])
        await other.run("add 3")
        const own = graph.begin()
        own.setVertexProperty(own.vertexRef(c), null, "value", 100 + round)
        await settled(own.commit())
        expect(cached(graph, ids)).toContain(a)
        expect(values(graph, ids)).toEqual([-1, round, 100 + round, 29])
      }
      await graph.close()
    },
    PROCESSES_MS
  )
})

describe("Decoded rows of a shared graph", () => {
  it(
    "are all read again after more changes than a record or the ring of records holds",
    async () => {
      const directory = newFolder()
      const graph = await openShared(directory, "first")
      const ids = await withVertices(graph, 3)
      const other = await otherProcess(directory, "second")
      warm(graph, ids)
      await other.run("add 2000")
      expect(cached(graph, ids)).toEqual([])
      warm(graph, ids)
      await other.run(`repeat ${ids[1]} 2100`)
      expect(cached(graph, ids)).toEqual([])
      expect(values(graph, ids)).toEqual([-1, 2099, -1])
      await graph.close()
    },
    MANY_COMMITS_MS
  )

  it(
    "are current when the folder was written by a single process in between",
    async () => {
      const directory = newFolder()
      const shared = await openShared(directory, "first")
      const ids = await withVertices(shared, 2)
      const other = await otherProcess(directory, "second")
      await other.run(`repeat ${ids[0]} 20`)
      await other.run("close")
      await shared.close()

      const alone = await openCellGraph(
        await lmdbStore({ directory }),
        { ...defaultCellGraphOptions, name: "alone" },
        "alone"
      )
      warm(alone, ids)
      for (const value of [7, 8]) {
        const transaction = alone.begin()
        transaction.setVertexProperty(transaction.vertexRef(ids[0]!), null, "value", value)
        await settled(transaction.commit())
      }
      expect(values(alone, ids)).toEqual([8, -1])
      // One process needs no records.
      const snapshot = alone.core.cells.snapshot()
      expect(snapshot.changedRows!(snapshot.version)).toBe(undefined)
      snapshot.close()
      await alone.close()

      const again = await openShared(directory, "third")
      expect(values(again, ids)).toEqual([8, -1])
      warm(again, ids)
      const fourth = await otherProcess(directory, "fourth")
      await fourth.run(`set ${ids[1]} 9`)
      expect(cached(again, ids)).toEqual([ids[0]])
      expect(values(again, ids)).toEqual([8, 9])
      await again.close()
    },
    PROCESSES_MS
  )
})

describe("The record of a version", () => {
  it("has the keys of its rows once each, and says nothing of other versions", () => {
    const changed = new ChangedRows()
    const keys = [Buffer.from("a"), Buffer.from(""), Buffer.alloc(300, 7), Buffer.from("a")]
    for (const key of keys) changed.add(key)
    const record = changed.record(2 ** 40)
    expect(keysIn(record, 2 ** 40)).toEqual(keys.slice(0, 3))
    expect(keysIn(record, 2 ** 40 + 2048)).toBe(undefined)
    expect(keysIn(undefined, 1)).toBe(undefined)
    changed.addUnknown()
    expect(changed.record(1)).toBe(undefined)
  })

  it("is not written for more rows than it may hold", () => {
    const changed = new ChangedRows()
    for (let i = 0; i < 2000; i++) changed.add(Buffer.from(String(i).padStart(8)))
    expect(changed.record(1)).toBe(undefined)
  })
})
