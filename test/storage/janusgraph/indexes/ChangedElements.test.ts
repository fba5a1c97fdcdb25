import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import type { CellGraphOptions } from "../../../../src/storage/janusgraph/Options.ts"
import type { IndexCondition, IndexQuery, RefScan } from "../../../../src/structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../../../src/structure/graph/GraphStore.ts"
import { Cardinality } from "../../../../src/structure/scalars/Enums.ts"
import { settled } from "../../Completion.ts"
import { byIndex, drain } from "../../Reads.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

/** More changes than one call of a scan looks at. */
const CHANGES = 5000

const kinds = ["equality", "ordered"] as const

const opened = async (kind: "equality" | "ordered", options: Partial<CellGraphOptions> = {}): Promise<CellGraph> => {
  const graph = await cellGraph(new MemoryCellStore(), options)
  const editor = await graph.management.edit()
  const key = editor.makeKey("name", dataTypeOf("String"), "SINGLE")
  editor.makeIndex({ name: "byName", element: "vertex", kind, unique: false, keys: [key] })
  await graph.management.commit(editor)
  return graph
}

const add = (transaction: GraphTransaction, name: string, given?: bigint): unknown => {
  const ref = transaction.addVertex("person", given)
  transaction.setVertexProperty(ref, Cardinality.single, "name", name)
  return transaction.vertexId(ref)
}

const rename = (transaction: GraphTransaction, id: unknown, name: string): void => {
  transaction.setVertexProperty(transaction.vertexRef(id), Cardinality.single, "name", name)
}

/** Begins a search of the index. */
const begun = (transaction: GraphTransaction, value: string, operator: IndexCondition["operator"] = "eq"): RefScan => {
  const query: IndexQuery = { element: "vertex", labels: null, conditions: [{ key: "name", operator, value }] }
  return transaction.searchIndex(query, transaction.chooseIndex(query)!)
}

/** The number of calls in which a search of the index ends, and what it finds. */
const search = (transaction: GraphTransaction, value: string) => {
  const scan = begun(transaction, value)
  const out = { refs: transaction.newRefs(8), length: 0 }
  let calls = 1
  while (scan.next(8, out)) calls++
  return { calls, found: Array.from(out.refs.subarray(0, out.length), (ref) => transaction.vertexId(ref)) }
}

describe("A search of an index in a transaction with many changes", () => {
  it.each(kinds)("looks at some of them in each call (%s)", async (kind) => {
    const transaction = (await opened(kind)).begin()
    for (let i = 0; i < CHANGES; i++) add(transaction, `n${i}`)
    expect(search(transaction, "none")).toEqual({ calls: expect.toSatisfy((calls: number) => calls > 3), found: [] })
  })

  it.each(kinds)("looks at each of them once in all (%s)", async (kind) => {
    const transaction = (await opened(kind)).begin()
    for (let i = 0; i < CHANGES; i++) add(transaction, `n${i}`)
    search(transaction, "none")
    const id = add(transaction, "new")
    expect(search(transaction, "none")).toEqual({ calls: 1, found: [] })
    expect(search(transaction, "new")).toEqual({ calls: 1, found: [id] })
  })

  it.each(kinds)("looks once at an element that changed many times (%s)", async (kind) => {
    const transaction = (await opened(kind)).begin()
    const ids = [add(transaction, "a"), add(transaction, "a")]
    for (let i = 0; i < CHANGES; i++) {
      if (i % 10 === 0) search(transaction, "none")
      rename(transaction, ids[i % 2], `n${i}`)
    }
    expect(search(transaction, `n${CHANGES - 1}`)).toEqual({ calls: 1, found: [ids[1]] })
  })

  // The first call of 1,024 steps enters 1,022 changes, and has only read some of the entries then.
  it.each([1022, CHANGES])("finds all of %i elements that other searches move between its calls", async (count) => {
    const transaction = (await opened("ordered")).begin()
    const ids = Array.from({ length: count }, (_, i) => add(transaction, `n${i + 1000}`))
    const scan = begun(transaction, "n", "startingWith")
    const out = { refs: transaction.newRefs(count), length: 0 }
    for (let left = count; scan.next(count, out); ) {
      rename(transaction, ids[--left], "n")
      search(transaction, "none")
    }
    const found = Array.from(out.refs.subarray(0, out.length), (ref) => transaction.vertexId(ref))
    expect(new Set(found)).toEqual(new Set(ids))
    expect(found).toHaveLength(count)
  })
})

describe.each(kinds)("A search of an index (%s)", (kind) => {
  it("finds the newest values of the transaction, each element once", async () => {
    const transaction = (await opened(kind)).begin()
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
    const transaction = (await opened(kind)).begin()
    const id = add(transaction, "a")
    transaction.savepoint!()
    rename(transaction, id, "b")
    add(transaction, "b")
    expect(byIndex(transaction, "name", "b")).toHaveLength(2)
    transaction.removeVertex(transaction.vertexRef(id))
    expect(byIndex(transaction, "name", "b")).toHaveLength(1)
    transaction.rollbackToSavepoint!()
    expect([byIndex(transaction, "name", "a"), byIndex(transaction, "name", "b")]).toEqual([[id], []])
  })

  it("counts no memory for values that were replaced or undone", async () => {
    const transaction = (await opened(kind)).begin()
    const ids = [add(transaction, "00"), add(transaction, "00")]
    transaction.savepoint!()
    const heldAfter = (round: number): number => {
      for (const id of ids) {
        rename(transaction, id, String(10 + round))
        search(transaction, "none")
      }
      const renamed = transaction.heldBytes
      transaction.rollbackToSavepoint!()
      search(transaction, "none")
      return renamed + transaction.heldBytes
    }
    const held = heldAfter(0)
    for (let round = 1; round < 10; round++) expect(heldAfter(round)).toBe(held)
  })

  it("does not return what the transaction changed after the search began", async () => {
    const transaction = (await opened(kind)).begin()
    const before = add(transaction, "a")
    const scan = begun(transaction, "a")
    add(transaction, "a")
    expect(drain(scan).map((ref) => transaction.vertexId(ref))).toEqual([before])
  })

  it.each(["before", "during"])(
    "does not find a vertex by the values of one with its id, removed %s it",
    async (when) => {
      const graph = await opened(kind, { userVertexIds: true })
      const id = 2n ** 20n
      const first = graph.begin()
      add(first, "a", id)
      await settled(first.commit())
      const transaction = graph.begin()
      const remove = (): void => transaction.removeVertex(transaction.vertexRef(id))
      if (when === "before") remove()
      const scan = begun(transaction, "a")
      if (when === "during") remove()
      add(transaction, "b", id)
      expect(drain(scan)).toEqual([])
    }
  )
})

describe("A search of an index with sorted columns", () => {
  it.each(["ordered", "mixed"] as const)("finds what the transaction has put into its ranges (%s)", async (kind) => {
    const graph = await cellGraph(new MemoryCellStore())
    const editor = await graph.management.edit()
    const key = editor.makeKey("age", dataTypeOf("Integer"), "SET")
    editor.makeIndex({ name: "byAge", element: "vertex", kind, unique: false, keys: [key] })
    await graph.management.commit(editor)
    const transaction = graph.begin()
    const found = (condition: IndexCondition): ReadonlyArray<unknown> => {
      const query: IndexQuery = { element: "vertex", labels: null, conditions: [condition] }
      const choice = transaction.chooseIndex(query)!
      expect(choice.name).toBe("byAge")
      const scan = transaction.searchIndex(query, choice)
      const out = { refs: transaction.newRefs(8), length: 0 }
      while (scan.next(8, out));
      return Array.from(out.refs.subarray(0, out.length), Number).sort((a, b) => a - b)
    }
    const refs: Array<number> = []
    for (let i = 0; i < 1500; i++) {
      const ref = transaction.addVertex("person", undefined)
      transaction.setVertexProperty(ref, Cardinality.set, "age", (i * 7) % 1500)
      refs.push(Number(ref))
      if (i % 300 === 0) expect(found({ key: "age", operator: "eq", value: (i * 7) % 1500 })).toEqual([Number(ref)])
    }
    expect(found({ key: "age", operator: "gte", value: 0 })).toEqual(refs)
    expect(found({ key: "age", operator: "within", value: [7, 700, 701] }).length).toBe(3)
    expect(found({ key: "age", operator: "between", value: [10, 610] }).length).toBe(600)
    for (const ref of refs.slice(0, 1200)) transaction.removeVertex(ref)
    transaction.setVertexProperty(refs[1499]!, Cardinality.set, "age", -5)
    transaction.setVertexProperty(refs[1499]!, Cardinality.set, "age", -6)
    expect(found({ key: "age", operator: "lt", value: 0 })).toEqual([refs[1499]])
    expect(found({ key: "age", operator: "gte", value: 0 })).toEqual(refs.slice(1200))
    expect(found({ key: "age", operator: "within", value: [] })).toEqual([])
  })
})
