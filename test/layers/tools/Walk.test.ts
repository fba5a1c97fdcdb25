import { expect, it } from "vitest"
import { edgePieces } from "../../../src/layers/tools/Walk.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { settled } from "../../storage/Completion.ts"
import { FakeCluster } from "../../storage/cassandra/FakeCluster.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { drain } from "../../storage/Reads.ts"

const VERTICES = 600
const EDGES = 3_000

/** A graph whose first vertex has a third of the edges. */
const linked = async (graph: CellGraph): Promise<CellGraph> => {
  const transaction = graph.begin()
  const refs = Array.from({ length: VERTICES }, () => transaction.addVertex("v", undefined))
  for (let i = 0; i < EDGES; i++) {
    const out = refs[i % 3 === 0 ? 0 : (i * 7) % VERTICES]!
    transaction.setEdgeProperty(transaction.addEdge(out, "to", refs[(i * 13) % VERTICES]!, undefined), "number", i)
  }
  await settled(transaction.commit())
  return graph
}

it.each([
  ["a store that answers at once", async () => linked(await cellGraph(new MemoryCellStore()))],
  ["a cluster", async () => linked(await cellGraph(await new FakeCluster().store()))]
])("A walk over all edges in %s gives each once, and keeps few in memory", async (_, open) => {
  const graph = await open()
  const transaction = graph.begin({ readOnly: true })
  const numbers = new Set<unknown>()
  let most = 0
  let pieces = 0
  for await (const piece of edgePieces(transaction, new AbortController().signal)) {
    for (const edge of piece) numbers.add(edge.properties(["number"])[0]?.value)
    most = Math.max(most, transaction.heldBytes)
    pieces++
  }
  expect(numbers.size).toBe(EDGES)
  expect(pieces).toBeGreaterThan(5)
  if (!transaction.answersLater) {
    const before = transaction.heldBytes
    expect(drain(transaction.scanEdges(null)).length).toBe(EDGES)
    // The scan of a traversal keeps its edges, and counts them.
    expect(transaction.heldBytes - before).toBeGreaterThan(EDGES * 60)
    expect(most).toBeLessThan(transaction.heldBytes)
  }
  transaction.rollback()
  await graph.close()
})
