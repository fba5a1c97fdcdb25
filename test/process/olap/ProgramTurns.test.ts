import { beforeAll, describe, expect, it } from "vitest"
import { openEnvironment, TraversalRun } from "../../../src/process/machine/TraversalRun.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../../src/storage/memory/Options.ts"
import type { Path } from "../../../src/structure/elements/Path.ts"
import { settled } from "../../storage/Completion.ts"
import { prepare, run } from "../run.ts"

/** A graph in memory with the vertices 0 to size, exclusive. */
const graphOf = (size: number, edges: Iterable<readonly [number, number]>) => {
  const graph = new MemoryGraph(tinkerGraph("turns", {}))
  const transaction = graph.begin()
  const refs = Array.from({ length: size }, (_, id) => transaction.addVertex("v", id))
  for (const [from, to] of edges) transaction.addEdge(refs[from]!, "e", refs[to]!, undefined)
  const committed = transaction.commit()
  beforeAll(() => settled(committed))
  return graph
}

/** The results that each turn gives if each step is called once in a turn. */
const turnsOf = (graph: MemoryGraph, traversal: string): ReadonlyArray<ReadonlyArray<unknown>> => {
  const running = new TraversalRun(prepare(traversal), graph.begin(), openEnvironment)
  const turns: Array<Array<unknown>> = []
  for (let isDone = false; !isDone; ) {
    const given: Array<unknown> = []
    turns.push(given)
    // The deadline is always over: the run returns at each check of the clock.
    isDone =
      running.advance(0, {
        accept: (values, length) => {
          for (let at = 0; at < length; at++) given.push(values[at])
          return true
        }
      }) === "done"
  }
  running.close()
  return turns
}

describe("A vertex with very many edges", () => {
  const edges = 60_000
  const graph = graphOf(
    2,
    Array.from({ length: edges }, () => [0, 1] as const)
  )

  it.each([
    ["pageRank()", "g.V().pageRank().with(PageRank.times, 0)"],
    ["a program with a traversal to its edges", "g.V().pageRank().with(PageRank.edges, outE().hasLabel('e'))"],
    ["shortestPath()", "g.V(0).shortestPath()"],
    ["shortestPath() with distances", "g.V(0).shortestPath().with(ShortestPath.distance, constant(1))"]
  ])("is read in several turns by %s", (_, traversal) => {
    // The program itself visits the edges in turns of about 8,000.
    expect(
      turnsOf(graph, traversal.replace("outE", "__.outE").replace("constant", "__.constant")).length
    ).toBeGreaterThan(edges / 4096 + edges / 8192)
  })
})

describe("Two vertices with very many edges", () => {
  // More edges than a step gives in one batch, out of both vertices, to different neighbours.
  const graph = graphOf(4, [
    ...Array.from({ length: 3_000 }, () => [0, 1] as const),
    ...Array.from({ length: 2_000 }, () => [1, 2] as const),
    ...Array.from({ length: 1_500 }, () => [1, 3] as const),
    ...Array.from({ length: 1_500 }, () => [0, 3] as const)
  ])

  it("keep their edges in order where the traversal mixes those of both", () => {
    const ranks = (traversal: string): ReadonlyArray<unknown> =>
      run(graph, `g.V().pageRank().with(PageRank.edges, ${traversal}).with(PageRank.propertyName, 'r').values('r')`)
    const inParts = "__.union(__.outE('e').where(__.inV().hasId(3)), __.outE('e').where(__.inV().hasId(1, 2)))"
    expect(ranks(inParts)).toEqual(ranks("__.outE('e')"))
  })
})

describe("shortestPath() over a long chain", () => {
  const size = 600
  const graph = graphOf(
    size,
    Array.from({ length: size - 1 }, (_, at) => [at, at + 1] as const)
  )

  it("emits few long paths in a turn", () => {
    const turns = turnsOf(graph, "g.V(0).shortestPath()")
    const places = turns.map((paths) => paths.reduce((sum: number, path) => sum + (path as Path).objects.length, 0))
    expect(places.reduce((sum, each) => sum + each, 0)).toBe((size * (size + 1)) / 2)
    expect(places.reduce((most, each) => Math.max(most, each), 0)).toBeLessThan(4096 + size)
  })

  it("counts what the search holds", () => {
    const found = (maxBytes: number): number =>
      run(graph, "g.V(0).shortestPath().with(ShortestPath.maxDistance, 5)", {
        environment: { ...openEnvironment, maxBytes }
      }).length
    expect(found(10_000)).toBe(6)
    expect(() => found(900)).toThrow(/holds more than 900 bytes/)
    expect(() =>
      run(graph, "g.V(0).shortestPath().count()", { environment: { ...openEnvironment, maxBytes: 130_000 } })
    ).toThrow(/holds more than/)
  })

  it("emits the paths for many traversers at one vertex in several turns", () => {
    const many = `g.V(${Array(50).fill(0).join(", ")}).shortestPath().with(ShortestPath.maxDistance, 3)`
    const turns = turnsOf(graph, many)
    expect(turns.flat()).toHaveLength(200)
    expect(Math.max(...turns.map((paths) => paths.length))).toBeLessThan(10)
  })
})

it("shortestPath() with distances of zero ends at its time limit", () => {
  const clique: Array<[number, number]> = [[0, 1]]
  for (let a = 2; a < 17; a++) for (let b = 2; b < a; b++) clique.push([a, b])
  const graph = graphOf(17, [...clique, [1, 2]])
  const running = new TraversalRun(
    prepare("g.V(0).shortestPath().with(ShortestPath.distance, 'none').count()"),
    graph.begin(),
    openEnvironment
  )
  const sink = { accept: () => true }
  for (let turn = 0; turn < 200; turn++) expect(running.advance(0, sink)).toBe("slice")
  running.cancel()
  expect(() => running.advance(0, sink)).toThrow(/cancelled/)
})
