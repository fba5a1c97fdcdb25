import { afterEach, expect, it, vi } from "vitest"
import { IncidentEdges } from "../../../src/process/io/IncidentEdges.ts"
import { openEnvironment, TraversalRun } from "../../../src/process/machine/TraversalRun.ts"
import { GraphData } from "../../../src/storage/memory/GraphData.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerTransactionGraph } from "../../../src/storage/memory/Options.ts"
import { settled } from "../../storage/Completion.ts"
import { prepare, run } from "../run.ts"

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

it.each(["g.V().pageRank()", "g.V().shortestPath()"])(
  "No read holds blocks of edges after the traversal %s was cancelled inside of a hub",
  async (traversal) => {
    const graph = await hubs()
    const transaction = graph.begin({ readOnly: true })
    const [pin, unpin] = [vi.spyOn(GraphData.prototype, "pin"), vi.spyOn(GraphData.prototype, "unpin")]
    const running = new TraversalRun(prepare(traversal), transaction, openEnvironment)
    for (let turns = 0; pin.mock.calls.length === unpin.mock.calls.length && turns < 1000; turns++) {
      running.advance(0, { accept: () => true })
    }
    expect(pin.mock.calls.length).toBe(unpin.mock.calls.length + 1)
    running.close()
    expect(unpin.mock.calls.length).toBe(pin.mock.calls.length)
    transaction.rollback()
    await graph.close()
  }
)

it("No read holds blocks of edges after a write of a file that was cancelled inside of a hub", async () => {
  const graph = await hubs()
  const transaction = graph.begin({ readOnly: true })
  const [pin, unpin] = [vi.spyOn(GraphData.prototype, "pin"), vi.spyOn(GraphData.prototype, "unpin")]
  const run = new TraversalRun(prepare("g.V()"), transaction, openEnvironment)
  run.slice.restart(0)
  const edges = new IncidentEdges(run, new Int32Array([0, 1]), "OUT")
  expect(edges.advance()).toBe(false)
  expect(pin.mock.calls.length).toBe(unpin.mock.calls.length + 1)
  run.close()
  expect(unpin.mock.calls.length).toBe(pin.mock.calls.length)
  transaction.rollback()
  await graph.close()
})
