import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import type { IndexQuery } from "../../../../src/structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../../../src/structure/graph/GraphStore.ts"
import { Cardinality } from "../../../../src/structure/scalars/Enums.ts"
import { byIndex } from "../../Reads.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

/** More changes than one call of a scan looks at. */
const CHANGES = 5000

const opened = async (kind: "equality" | "ordered"): Promise<CellGraph> => {
  const graph = await cellGraph(new MemoryCellStore())
  const editor = await graph.management.edit()
  const key = editor.makeKey("name", dataTypeOf("String"), "SINGLE")
  editor.makeIndex({ name: "byName", element: "vertex", kind, unique: false, keys: [key] })
  await graph.management.commit(editor)
  return graph
}

const add = (transaction: GraphTransaction, name: string): unknown => {
  const ref = transaction.addVertex("person", undefined)
  transaction.setVertexProperty(ref, Cardinality.single, "name", name)
  return transaction.vertexId(ref)
}

const rename = (transaction: GraphTransaction, id: unknown, name: string): void => {
  transaction.setVertexProperty(transaction.vertexRef(id), Cardinality.single, "name", name)
}

/** The number of calls in which a search of the index ends, and what it finds. */
const search = (transaction: GraphTransaction, value: string) => {
  const query: IndexQuery = { element: "vertex", labels: null, conditions: [{ key: "name", operator: "eq", value }] }
  const scan = transaction.searchIndex(query, transaction.chooseIndex(query)!)
  const out = { refs: transaction.newRefs(8), length: 0 }
  let calls = 1
  while (scan.next(8, out)) calls++
  return { calls, found: Array.from(out.refs.subarray(0, out.length), (ref) => transaction.vertexId(ref)) }
}

describe("A search of an index in a transaction with many changes", () => {
  it.each(["equality", "ordered"] as const)("looks at some of them in each call (%s)", async (kind) => {
    const transaction = (await opened(kind)).begin()
    for (let i = 0; i < CHANGES; i++) add(transaction, `n${i}`)
    expect(search(transaction, "none")).toEqual({ calls: expect.toSatisfy((calls: number) => calls > 3), found: [] })
  })

  it("looks at each of them once in all, if the index is a composite one", async () => {
    const transaction = (await opened("equality")).begin()
    for (let i = 0; i < CHANGES; i++) add(transaction, `n${i}`)
    search(transaction, "none")
    const id = add(transaction, "new")
    expect(search(transaction, "none")).toEqual({ calls: 1, found: [] })
    expect(search(transaction, "new")).toEqual({ calls: 1, found: [id] })
  })
})

describe("A search of a composite index", () => {
  it("finds the newest values of the transaction, each element once", async () => {
    const transaction = (await opened("equality")).begin()
    const id = add(transaction, "a")
    expect(byIndex(transaction, "name", "a")).toEqual([id])
    rename(transaction, id, "b")
    expect([byIndex(transaction, "name", "a"), byIndex(transaction, "name", "b")]).toEqual([[], [id]])
    rename(transaction, id, "a")
    expect([byIndex(transaction, "name", "a"), byIndex(transaction, "name", "b")]).toEqual([[id], []])
    transaction.removeVertex(transaction.vertexRef(id))
    expect(byIndex(transaction, "name", "a")).toEqual([])
  })

  it("finds the values that a rollback to a savepoint brings back", async () => {
    const transaction = (await opened("equality")).begin()
    const id = add(transaction, "a")
    transaction.savepoint!()
    rename(transaction, id, "b")
    expect(byIndex(transaction, "name", "b")).toEqual([id])
    transaction.removeVertex(transaction.vertexRef(id))
    expect(byIndex(transaction, "name", "b")).toEqual([])
    transaction.rollbackToSavepoint!()
    expect([byIndex(transaction, "name", "a"), byIndex(transaction, "name", "b")]).toEqual([[id], []])
  })

  it("does not return what the transaction changed after the search began", async () => {
    const transaction = (await opened("equality")).begin()
    const before = add(transaction, "a")
    const query: IndexQuery = {
      element: "vertex",
      labels: null,
      conditions: [{ key: "name", operator: "eq", value: "a" }]
    }
    const scan = transaction.searchIndex(query, transaction.chooseIndex(query)!)
    add(transaction, "a")
    const out = { refs: transaction.newRefs(8), length: 0 }
    while (scan.next(8, out));
    expect(Array.from(out.refs.subarray(0, out.length), (ref) => transaction.vertexId(ref))).toEqual([before])
  })
})
