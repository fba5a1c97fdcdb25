import { expect, it } from "vitest"
import { ElementChunks } from "../../../src/process/io/ElementChunks.ts"
import type { Run } from "../../../src/process/plan/Run.ts"
import { TimeSlice } from "../../../src/scheduling/TimeSlice.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../../src/storage/memory/Options.ts"
import type { GraphStore } from "../../../src/structure/graph/GraphStore.ts"
import { settled } from "../../storage/Completion.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"

const EDGES = 9_000

const graphs: ReadonlyArray<readonly [string, () => Promise<GraphStore>]> = [
  ["in memory", () => Promise.resolve(new MemoryGraph(tinkerGraph("test")))],
  ["over cells", () => cellGraph(new MemoryCellStore())]
]

it.each(graphs)("A chunk of a graph %s with a vertex with very many edges is read in parts", async (_, open) => {
  const graph = await open()
  const writing = graph.begin()
  const [hub, other] = ["hub", "other"].map((label) => writing.addVertex(label, undefined)) as [number, number]
  for (let i = 0; i < EDGES; i++) writing.addEdge(hub, "to", i === 0 ? other : hub, undefined)
  await settled(writing.commit())
  const transaction = graph.begin({ readOnly: true })
  let shared: unknown
  // Each look at the clock finds that the slice is over.
  const run = {
    transaction,
    slice: new TimeSlice(0),
    fetched: () => true,
    sharedBy: (_: object, make: () => unknown) => (shared ??= make()),
    onClose: () => undefined
  } as unknown as Run
  const chunks = new ElementChunks(run, "vertex", true)
  let parts = 1
  let chunk = chunks.next()
  for (; chunk === undefined; parts++) chunk = chunks.next()
  const found = (chunk ?? []).map((item) => {
    if (!("vertex" in item)) throw new Error("it is an edge")
    return [item.vertex.label, ...[item.out, item.in].map((edges) => new Set(edges.map(({ id }) => String(id))).size)]
  })
  expect(found.sort()).toEqual([
    ["hub", EDGES, EDGES - 1],
    ["other", 0, 1]
  ])
  expect(parts).toBeGreaterThan((2 * EDGES) / 5_000)
  expect(chunks.next()).toBe(null)
  transaction.rollback()
  await graph.close()
})
