import { expect, it, vi } from "vitest"
import { adjacencyPieces, edgePieces, vertexPieces } from "../../../src/layers/tools/Walk.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { GraphData } from "../../../src/storage/memory/GraphData.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph, tinkerTransactionGraph } from "../../../src/storage/memory/Options.ts"
import type { Edge } from "../../../src/structure/elements/Element.ts"
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

it("A walk over vertices with very many edges gives each edge at both ends, and lets others run meanwhile", async () => {
  const graph = new MemoryGraph(tinkerGraph("test"))
  const transaction = graph.begin()
  const hub = transaction.addVertex("hub", undefined)
  const count = 20_000
  for (let i = 0; i < count; i++) transaction.addEdge(hub, "to", hub, undefined)
  await settled(transaction.commit())
  const reading = graph.begin({ readOnly: true })
  let turns = 0
  const others = (): void => {
    turns++
    turn = setImmediate(others)
  }
  let turn = setImmediate(others)
  const walk = adjacencyPieces(reading, new AbortController().signal)
  const { value: piece } = await walk.next()
  clearImmediate(turn)
  for (const edges of [piece[0].out, piece[0].in])
    expect(new Set(edges.map(({ id }: Edge) => String(id))).size).toBe(count)
  expect(turns).toBeGreaterThan(5)
  await walk.return(undefined)
  reading.rollback()
})

it("A walk that is cancelled inside of a vertex with very many edges holds none of them", async () => {
  const graph = new MemoryGraph(tinkerTransactionGraph("test"))
  const transaction = graph.begin()
  const hub = transaction.addVertex("hub", undefined)
  for (let i = 0; i < 20_000; i++) transaction.addEdge(hub, "to", hub, undefined)
  await settled(transaction.commit())
  const reading = graph.begin({ readOnly: true })
  const [pin, unpin] = [vi.spyOn(GraphData.prototype, "pin"), vi.spyOn(GraphData.prototype, "unpin")]
  const cancelling = new AbortController()
  const walk = adjacencyPieces(reading, cancelling.signal)
  const piece = walk.next()
  setImmediate(() => cancelling.abort())
  await expect(piece).rejects.toThrow()
  expect(pin.mock.calls.length).toBeGreaterThan(0)
  expect(unpin.mock.calls.length).toBe(pin.mock.calls.length)
  vi.restoreAllMocks()
  reading.rollback()
})

it("A walk over vertices with text ids, and a scan for a label, keep the ids of few vertices", async () => {
  const graph = await cellGraph(new MemoryCellStore(), { userVertexIds: true, textVertexIds: true })
  const adding = graph.begin()
  for (let i = 0; i < VERTICES; i++) {
    const ref = adding.addVertex(i % 100 === 0 ? "rare" : "v", `id ${i}`)
    adding.addEdge(ref, "to", adding.vertexRef("id 0"), undefined)
  }
  await settled(adding.commit())
  const transaction = graph.begin({ readOnly: true })
  drain(transaction.scanVertices(["rare"]))
  const rare = transaction.heldBytes
  const { signal } = new AbortController()
  const ids = { vertices: new Set<unknown>(), out: new Set<unknown>(), adjacent: new Set<unknown>() }
  for await (const piece of vertexPieces(transaction, signal)) for (const { id } of piece) ids.vertices.add(id)
  for await (const piece of edgePieces(transaction, signal))
    for (const { outVertex } of piece) ids.out.add(outVertex.id)
  for await (const piece of adjacencyPieces(transaction, signal)) {
    for (const { out, vertex } of piece) if (out[0]?.outVertex.id === vertex.id) ids.adjacent.add(vertex.id)
  }
  const walked = transaction.heldBytes
  drain(transaction.scanVertices(null))
  const all = transaction.heldBytes
  expect(Object.values(ids).map(({ size }) => size)).toEqual([VERTICES, VERTICES, VERTICES])
  expect(all - walked).toBeGreaterThan(VERTICES * 100)
  // The ids of all vertices need more.
  expect(rare).toBeLessThan(VERTICES * 100)
  transaction.rollback()
  await graph.close()
})
