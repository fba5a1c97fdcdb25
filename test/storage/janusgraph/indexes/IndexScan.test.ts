import { describe, expect, it } from "vitest"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import type { IndexQuery, RefScan } from "../../../../src/structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../../../src/structure/graph/GraphStore.ts"
import { Cardinality } from "../../../../src/structure/scalars/Enums.ts"
import { settled } from "../../Completion.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

const VERTICES = 400

/** A new transaction of a graph with an ordered index of numbers and an index of the words of texts. */
const opened = async (cardinality: "SINGLE" | "LIST"): Promise<GraphTransaction> => {
  const graph = await cellGraph(new MemoryCellStore())
  const editor = await graph.management.edit()
  const index = { element: "vertex", unique: false } as const
  const age = editor.makeKey("age", dataTypeOf("Integer"), cardinality)
  const note = editor.makeKey("note", dataTypeOf("String"), "SINGLE")
  editor.makeIndex({ ...index, name: "byAge", kind: "ordered", keys: [age] })
  editor.makeIndex({ ...index, name: "byNote", kind: "mixed", keys: [note], mappings: ["TEXT"], backing: "search" })
  await graph.management.commit(editor)
  const transaction = graph.begin()
  for (let i = 0; i < VERTICES; i++) {
    const ref = transaction.addVertex("person", undefined)
    transaction.setVertexProperty(ref, cardinality === "LIST" ? Cardinality.list : Cardinality.single, "age", i)
    if (cardinality === "LIST") transaction.setVertexProperty(ref, Cardinality.list, "age", i + 1)
    transaction.setVertexProperty(ref, Cardinality.single, "note", `some somewhat ${i}`)
  }
  await settled(transaction.commit())
  return graph.begin()
}

const queries = {
  range: [{ key: "age", operator: "gt", value: -1 }],
  words: [{ key: "note", operator: "wordPrefix", value: "some" }]
} as const

const begun = (transaction: GraphTransaction, conditions: IndexQuery["conditions"]): RefScan => {
  const query: IndexQuery = { element: "vertex", labels: null, conditions }
  return transaction.searchIndex(query, transaction.chooseIndex(query)!)
}

/** What a search finds, and the memory of the transaction before, at the middle of the search, and after it. */
const searched = (transaction: GraphTransaction, conditions: IndexQuery["conditions"], close: boolean) => {
  const held = [transaction.heldBytes]
  const scan = begun(transaction, conditions)
  const out = { refs: transaction.newRefs(VERTICES), length: 0 }
  while (out.length < VERTICES / 2) scan.next(1, out)
  held.push(transaction.heldBytes)
  if (!close) while (scan.next(VERTICES, out));
  else scan.close()
  held.push(transaction.heldBytes)
  return { found: new Set(out.refs.subarray(0, out.length)).size, length: out.length, held }
}

describe("A search of an index", () => {
  it.each([
    ["SINGLE", "words"],
    ["LIST", "words"],
    ["LIST", "range"]
  ] as const)(
    "that may find elements again counts what it has found until its end (%s, %s)",
    async (cardinality, name) => {
      const transaction = await opened(cardinality)
      for (const close of [false, true]) {
        const { found, held, length } = searched(transaction, queries[name], close)
        expect([found, length]).toEqual(close ? [VERTICES / 2, VERTICES / 2] : [VERTICES, VERTICES])
        expect(held[1]! - held[0]!).toBeGreaterThan((20 * VERTICES) / 2)
        expect(held[2]).toBe(held[0])
      }
    }
  )

  it("of the only value of a key remembers nothing", async () => {
    const { found, held, length } = searched(await opened("SINGLE"), queries.range, false)
    expect([found, length]).toEqual([VERTICES, VERTICES])
    expect(new Set(held).size).toBe(1)
  })
})
