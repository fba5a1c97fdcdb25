import { describe, expect, it } from "vitest"
import type { CellScan } from "../../../../src/storage/janusgraph/transaction/Scans.ts"
import type { IndexQuery, RefScan } from "../../../../src/structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../../../src/structure/graph/GraphStore.ts"
import { FakeCluster } from "../../cassandra/FakeCluster.ts"
import { opened, VERTICES } from "./SearchedGraph.ts"

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

describe("A scan that is closed while it waits for a store", () => {
  it.each(["vertices", "an index"])("is no answer for the next one (%s)", async (name) => {
    const transaction = await opened("SINGLE", await new FakeCluster().store())
    const ages = Array.from({ length: 100 }, (_, i) => i)
    const begin = (): CellScan =>
      (name === "vertices"
        ? transaction.scanVertices(null)
        : begun(transaction, [{ key: "age", operator: "within", value: ages }])) as CellScan
    const closed = begin()
    const fetching = closed.fetch(8)
    closed.close()
    await fetching
    expect(closed.isFetched(1)).toBe(true)
    const scan = begin()
    const out = { refs: transaction.newRefs(16), length: 0 }
    for (let more = true; more; ) {
      while (!scan.isFetched(64)) await scan.fetch(64)
      more = scan.next(64, out)
    }
    expect(out.length).toBe(name === "vertices" ? VERTICES : ages.length)
  })
})
