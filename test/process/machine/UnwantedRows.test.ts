import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerTransactionGraph } from "../../../src/storage/memory/Options.ts"
import { ForwardingTransaction } from "../../../src/structure/graph/ForwardingTransaction.ts"
import type { RefScan } from "../../../src/structure/graph/GraphReads.ts"
import type { GraphStore } from "../../../src/structure/graph/GraphStore.ts"
import { Cardinality } from "../../../src/structure/scalars/Enums.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { settled } from "../../storage/Completion.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { runLater } from "../run.ts"

const VERTICES = 6000
/** The vertex with the number 0 has as many edges. */
const HUB_EDGES = 60_000
/** Without an end at a limit, each of these traversals calls steps at least 8,000 times: with 256 rows in a call. */
const MOST_CALLS = 6000

const filled = async (graph: GraphStore): Promise<GraphStore> => {
  const transaction = graph.begin()
  const refs = Array.from({ length: VERTICES }, (_, i) => {
    const ref = transaction.addVertex("y", undefined)
    transaction.setVertexProperty(ref, Cardinality.single, "n", i)
    return ref
  })
  for (let i = 0; i < HUB_EDGES; i++) transaction.addEdge(refs[0]!, "near", refs[1 + (i % (VERTICES - 1))]!, undefined)
  await settled(transaction.commit())
  return graph
}

/** Counts the elements that scans are asked for, and the adjacent elements that are read. */
class Counting extends ForwardingTransaction {
  scanned = 0
  expanded = 0

  override scanVertices(labels: readonly string[] | null): RefScan {
    const scan = this.inner.scanVertices(labels)
    return {
      next: (max, out) => {
        this.scanned += max
        return scan.next(max, out)
      },
      close: () => scan.close()
    }
  }
  override expand(request: Parameters<ForwardingTransaction["expand"]>[0]): boolean {
    const done = this.inner.expand(request)
    this.expanded += request.out.length
    return done
  }
}

const stores = {
  "in memory": async (): Promise<GraphStore> => new MemoryGraph(tinkerTransactionGraph("g")),
  "on disk": async (): Promise<GraphStore> => cellGraph(await lmdbStore({ sync: "none" }))
}

describe.each(Object.keys(stores) as ReadonlyArray<keyof typeof stores>)("With a graph %s", (kind) => {
  let graph: GraphStore
  beforeAll(async () => {
    graph = await filled(await stores[kind]())
  })
  afterAll(() => graph.close())

  const counted = async (traversal: string): Promise<{ readonly count: Counting; readonly results: unknown[] }> => {
    const count = new Counting(graph.begin())
    const results = await runLater(graph, traversal, { transaction: count, as: text })
    count.rollback()
    return { count, results }
  }

  it.each([
    ["g.union(V().hasLabel('y').limit(1), V().hasLabel('y').limit(2)).count()", "3"],
    ["g.inject(0).union(V().has('n', gt(3)).limit(5), constant(1)).count()", "6"],
    ["g.inject(1, 2, 3).union(V().limit(5), V().limit(1)).count()", "6"],
    ["g.inject(1, 2, 3).union(V().hasLabel('y').has('n', gt(2)).range(1, 3)).count()", "2"],
    ["g.inject(0).choose(is(0), V().limit(1), constant(1)).count()", "1"],
    ["g.inject(1, 2, 3).local(V().hasLabel('y').limit(1)).count()", "3"],
    ["g.inject(1, 2, 3).flatMap(V().hasLabel('y').limit(2)).count()", "6"],
    ["g.inject(1, 2, 3).coalesce(V().hasLabel('y').limit(2), constant(0)).count()", "6"],
    ["g.inject(1, 2, 3).local(union(V().limit(1), V().limit(2))).count()", "9"],
    ["g.inject(0).repeat(V().limit(2)).times(2).count()", "2"],
    ["g.inject(1, 2, 3).as('a').where(V().values('n').where(gte('a'))).count()", "3"],
    ["g.inject(1, 2, 3).as('a').map(V().values('n').where(gte('a'))).sum()", "6"]
  ])("V() ends its scan when no result of it is wanted any more: %s", async (traversal, expected) => {
    const { count, results } = await counted(traversal)
    expect(results).toEqual([expected])
    // A scan of the whole graph asks for all vertices.
    expect(count.scanned).toBeLessThan(VERTICES / 3)
  })

  it.each([
    ["g.V().has('n', 0).union(out().limit(1), outE().limit(2)).count()", "3"],
    ["g.V().has('n', lt(3)).local(out().limit(1)).count()", "1"],
    ["g.V().has('n', lt(3)).where(both().as('b').values('n').is(gte(0))).count()", "3"]
  ])("the edges of a vertex are not read further when no result of them is wanted: %s", async (traversal, expected) => {
    const { count, results } = await counted(traversal)
    expect(results).toEqual([expected])
    expect(count.expanded).toBeLessThan(HUB_EDGES / 3)
  })
})

describe("A step that emits the results of a row in parts", () => {
  const many = Array.from({ length: 1_000_000 }, (_, i) => i)
  const rows = Array.from({ length: 200 }, (_, i) => i)
  it.each([
    ["g.inject(many).union(unfold().limit(1), unfold().range(1, 3)).count()", 3n],
    ["g.inject(rows).unfold().local(V(ids).limit(2)).count()", 400n],
    ["g.inject(rows).unfold().coalesce(V(ids).limit(1), constant(0)).count()", 200n]
  ])("leaves the row when its results are no longer wanted: %s", async (traversal, expected) => {
    const graph = await filled(new MemoryGraph(tinkerTransactionGraph("g")))
    const ids = new Array(65_536).fill((await runLater(graph, "g.V().limit(1).id()"))[0])
    const variables = new Map<string, unknown>(Object.entries({ many, rows, ids }))
    expect(await runLater(graph, traversal, { variables, mostCalls: MOST_CALLS })).toEqual([expected])
  })

  it("finds what is wanted of the rows after one that it has left", async () => {
    const graph = await filled(new MemoryGraph(tinkerTransactionGraph("g")))
    const found = await runLater(
      graph,
      "g.inject(10, 5000, 20, 300).as('a').local(V().as('v').values('n').where(eq('a')).limit(1)).fold()",
      {}
    )
    expect(found).toEqual([[10, 5000, 20, 300]])
  })
})
