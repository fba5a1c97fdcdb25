import { afterEach, expect, it, vi } from "vitest"
import { GraphData } from "../../../src/storage/memory/GraphData.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerTransactionGraph } from "../../../src/storage/memory/Options.ts"
import { settled } from "../../storage/Completion.ts"
import { run } from "../run.ts"

afterEach(() => {
  vi.restoreAllMocks()
})

/** More than one call of a step reads. */
const EDGES = 20_000

/** A graph with two hubs, whose neighbours are a third vertex. */
const hubs = async (): Promise<MemoryGraph> => {
  const graph = new MemoryGraph(tinkerTransactionGraph("g"))
  const transaction = graph.begin()
  const [first, second, other] = ["hub", "hub", "other"].map((label) => transaction.addVertex(label, undefined))
  for (const hub of [first!, second!]) {
    for (let i = 0; i < EDGES; i++) transaction.addEdge(hub, "to", other!, undefined)
  }
  await settled(transaction.commit())
  return graph
}

it.each([
  ["g.V().hasLabel('hub').where(out('to'))", 2],
  ["g.V().hasLabel('hub').local(out('to').limit(1))", 2],
  ["g.V().hasLabel('hub').out('to').limit(1)", 1],
  ["g.V().hasLabel('hub').outE('to').inV().limit(5000)", 5000],
  ["g.V().hasLabel('hub').repeat(out('to')).emit().limit(1)", 1],
  ["g.V().hasLabel('hub').out('to').count()", 1]
])(
  "No read holds blocks of edges after the traversal %s, in a transaction that goes on",
  async (traversal, results) => {
    const graph = await hubs()
    const transaction = graph.begin({ readOnly: true })
    const [pin, unpin] = [vi.spyOn(GraphData.prototype, "pin"), vi.spyOn(GraphData.prototype, "unpin")]
    expect(run(graph, traversal, { transaction })).toHaveLength(results)
    expect(pin.mock.calls.length).toBeGreaterThan(0)
    expect(unpin.mock.calls.length).toBe(pin.mock.calls.length)
    transaction.rollback()
    await graph.close()
  }
)

it("No read holds blocks of edges after a traversal that has failed", async () => {
  const graph = await hubs()
  const transaction = graph.begin({ readOnly: true })
  const [pin, unpin] = [vi.spyOn(GraphData.prototype, "pin"), vi.spyOn(GraphData.prototype, "unpin")]
  expect(() => run(graph, "g.V().hasLabel('hub').out('to').fail()", { transaction })).toThrow("fail()")
  expect(pin.mock.calls.length).toBeGreaterThan(0)
  expect(unpin.mock.calls.length).toBe(pin.mock.calls.length)
  transaction.rollback()
  await graph.close()
})
