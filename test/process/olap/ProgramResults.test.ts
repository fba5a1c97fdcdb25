import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Adjacency } from "../../../src/process/olap/Adjacency.ts"
import { ConnectedComponent } from "../../../src/process/olap/ConnectedComponent.ts"
import { PageRank } from "../../../src/process/olap/PageRank.ts"
import { PeerPressure } from "../../../src/process/olap/PeerPressure.ts"
import { ShortestPaths } from "../../../src/process/olap/ShortestPaths.ts"
import { toDouble } from "../../../src/structure/numbers/Arithmetic.ts"
import type { GremlinNumber } from "../../../src/structure/numbers/Numbers.ts"

type Edges = ReadonlyArray<readonly [number, number]>

/** A graph with vertices from 0 to size, exclusive, and the directed edges. */
const graphOf = (size: number, edges: Edges): Adjacency => {
  const graph = new Adjacency()
  for (let vertex = 0; vertex < size; vertex++) graph.vertices.add(1000 + vertex)
  for (let vertex = 0; vertex < size; vertex++) {
    graph.open(vertex)
    for (const [from, to] of edges) if (from === vertex) graph.add(vertex, to)
  }
  return graph
}

/** Runs a program to its end. Returns the number of its slices. */
const slicesOf = (program: { advance(): boolean }): number => {
  let slices = 1
  while (!program.advance()) if (++slices > 100_000) throw new Error("the program does not end")
  return slices
}

const finished = <P extends { advance(): boolean }>(program: P): P => {
  slicesOf(program)
  return program
}

const HUB_EDGES = 100_000

/** A graph in which vertex 0 and all others have edges to each other. */
const hub = (): Adjacency => {
  const graph = new Adjacency()
  for (let vertex = 0; vertex <= HUB_EDGES; vertex++) graph.vertices.add(vertex)
  graph.open(0)
  for (let vertex = 1; vertex <= HUB_EDGES; vertex++) graph.add(0, vertex)
  for (let vertex = 1; vertex <= HUB_EDGES; vertex++) {
    graph.open(vertex)
    graph.add(vertex, 0)
  }
  return graph
}

const graphs = FastCheck.integer({ min: 1, max: 9 }).chain((size) => {
  const vertex = FastCheck.integer({ min: 0, max: size - 1 })
  return FastCheck.record({
    size: FastCheck.constant(size),
    edges: FastCheck.array(FastCheck.tuple(vertex, vertex), { maxLength: 20 })
  })
})

describe("PageRank", () => {
  it("keeps the sum of ranks at 1 without initial ranks", () => {
    FastCheck.assert(
      FastCheck.property(graphs, ({ edges, size }) => {
        const program = finished(new PageRank(graphOf(size, edges), { alpha: 0.85, iterations: 21, initial: null }))
        let sum = 0
        for (let vertex = 0; vertex < size; vertex++) sum += toDouble(program.value(vertex) as GremlinNumber)
        expect(sum).toBeCloseTo(1, 9)
      })
    )
  })

  it("starts with the given ranks", () => {
    const program = new PageRank(graphOf(2, [[0, 1]]), {
      alpha: 1,
      iterations: 2,
      initial: Float64Array.from([3, 0])
    })
    finished(program)
    expect([program.value(0), program.value(1)].map((rank) => toDouble(rank as GremlinNumber))).toEqual([0, 3])
  })
})

describe("PeerPressure", () => {
  it("prefers the smaller text among clusters with the same number of votes", () => {
    // 1 and 2 vote for themselves at 0, which votes for itself as well.
    const program = finished(
      new PeerPressure(
        graphOf(3, [
          [1, 0],
          [2, 0]
        ]),
        {
          iterations: 1,
          strengths: null,
          id: (vertex) => ["z", "y", "x"][vertex],
          text: String
        }
      )
    )
    expect([0, 1, 2].map((vertex) => program.value(vertex))).toEqual(["x", "y", "x"])
  })

  it("keeps a vertex without votes in its cluster", () => {
    const program = finished(
      new PeerPressure(graphOf(2, [[0, 1]]), {
        iterations: 30,
        strengths: new Float64Array(2),
        id: (vertex) => vertex,
        text: String
      })
    )
    expect([program.value(0), program.value(1)]).toEqual([0, 1])
  })
})

describe("A vertex with very many edges takes several slices", () => {
  // A slice visits about 8,000 edges, and each program also visits 100,000 other vertices with an edge each.
  const least = (3 * HUB_EDGES) / 8192

  it("of PageRank", () => {
    expect(slicesOf(new PageRank(hub(), { alpha: 0.85, iterations: 1, initial: null }))).toBeGreaterThan(least - 2)
  })

  it("of ConnectedComponent", () => {
    expect(slicesOf(new ConnectedComponent(hub(), String))).toBeGreaterThan(least)
  })

  it("of PeerPressure, also to compare the clusters that have the same number of votes", () => {
    const asked: Array<number> = []
    let turn = 0
    const program = new PeerPressure(hub(), {
      iterations: 1,
      strengths: null,
      id: (vertex) => vertex,
      text: (id) => {
        asked[turn] = (asked[turn] ?? 0) + 1
        return String(id)
      }
    })
    while (!program.advance()) turn++
    expect(program.value(0)).toBe(0)
    expect(Math.max(...asked.filter((texts) => texts !== undefined))).toBeLessThan(2000)
  })

  it("of ShortestPaths", () => {
    const search = new ShortestPaths(hub(), null, 0, null, false)
    let slices = 1
    while (!search.measure()) slices++
    // It visits the edges once for the distances, and once for the paths.
    expect(slices).toBeGreaterThan(2 * least - 2)
  })
})

describe("ConnectedComponent", () => {
  it("names components by the smallest text of all vertices from which they are reachable", () => {
    FastCheck.assert(
      FastCheck.property(graphs, ({ edges, size }) => {
        const text = (vertex: number): string => String((vertex * 7) % 11)
        const program = finished(new ConnectedComponent(graphOf(size, edges), text))
        const least = Array.from({ length: size }, (_, vertex) => text(vertex))
        for (let round = 0; round < size; round++) {
          for (const [from, to] of edges) if (least[from]! < least[to]!) least[to] = least[from]!
        }
        expect(Array.from({ length: size }, (_, vertex) => program.value(vertex))).toEqual(least)
      })
    )
  })
})

describe("ShortestPaths", () => {
  const pathsOf = (
    graph: Adjacency,
    distances: ReadonlyArray<number> | null,
    most: number | null,
    parallel = false
  ) => {
    const search = new ShortestPaths(graph, distances, 0, most, parallel)
    while (!search.measure()) if (search.wanted(1).length > 0) throw new Error("all edges are there")
    return search.reached.flatMap((target) => [...search.to(target)].filter((path) => path !== null))
  }

  /** All simple paths from vertex 0 with their lengths, by exhaustive search. */
  const simplePaths = (edges: Edges, weights: ReadonlyArray<number>) => {
    const paths: Array<{ vertices: Array<number>; length: number }> = []
    const walk = (vertices: Array<number>, length: number): void => {
      paths.push({ vertices, length })
      edges.forEach(([from, to], at) => {
        if (from === vertices.at(-1) && !vertices.includes(to)) walk([...vertices, to], length + weights[at]!)
      })
    }
    walk([0], 0)
    return paths
  }

  it("finds the shortest of all simple paths, also with distances of zero", () => {
    const weighted = FastCheck.integer({ min: 1, max: 5 }).chain((size) => {
      const vertex = FastCheck.integer({ min: 0, max: size - 1 })
      return FastCheck.record({
        size: FastCheck.constant(size),
        edges: FastCheck.array(FastCheck.tuple(vertex, vertex, FastCheck.integer({ min: 0, max: 3 })), { maxLength: 9 })
      })
    })
    FastCheck.assert(
      FastCheck.property(weighted, FastCheck.option(FastCheck.integer({ min: 0, max: 5 })), ({ edges, size }, most) => {
        const sorted = [...edges].sort((a, b) => a[0] - b[0])
        const found = pathsOf(
          graphOf(
            size,
            sorted.map(([from, to]) => [from, to])
          ),
          sorted.map(([, , weight]) => weight),
          most
        )
        const all = simplePaths(
          sorted.map(([from, to]) => [from, to]),
          sorted.map(([, , weight]) => weight)
        )
        const least = new Map<number, number>()
        for (const { length, vertices } of all) {
          const end = vertices.at(-1)!
          least.set(end, Math.min(length, least.get(end) ?? Number.POSITIVE_INFINITY))
        }
        const expected = all
          .filter(({ length, vertices }) => length === least.get(vertices.at(-1)!) && (most === null || length <= most))
          .map(({ vertices }) => vertices.join("-"))
        expect(found.map(({ vertices }) => vertices.join("-")).sort()).toEqual([...new Set(expected)].sort())
      })
    )
  })

  it("counts parallel edges once, or each of them if requested", () => {
    const edges: Edges = [
      [0, 1],
      [0, 1]
    ]
    expect(pathsOf(graphOf(2, edges), null, null)).toHaveLength(2)
    expect(pathsOf(graphOf(2, edges), null, null, true).map((path) => path.edges)).toEqual([[], [0], [1]])
  })

  /** The edges of a clique of vertices, in both directions. */
  const clique = (from: number, to: number): Edges => {
    const edges: Array<[number, number]> = []
    for (let a = from; a <= to; a++) for (let b = from; b <= to; b++) if (a !== b) edges.push([a, b])
    return edges
  }

  it("do not look for a way to the source in a group whose only exit is on the path", () => {
    // 0 - 1 - a clique whose distances are zero: a path to 1 cannot come from the clique.
    const edges: Edges = [[0, 1], [1, 0], [1, 2], [2, 1], ...clique(2, 40)]
    const graph = graphOf(41, edges)
    const search = new ShortestPaths(graph, new Array<number>(graph.edges).fill(0), 0, null, false)
    while (!search.measure());
    expect([...search.to(1)].filter((path) => path !== null)).toEqual([{ vertices: [0, 1], edges: [0] }])
    const [first] = search.to(40)
    expect(first?.vertices.slice(0, 3)).toEqual([0, 1, 2])
  })

  it.each([
    ["vanish in rounding", 1e17, 1],
    ["are not numbers", Number.NaN, Number.NaN]
  ])("are found one by one if distances %s", (_, long, short) => {
    const edges: Edges = [[0, 1], [1, 2], [2, 1], ...clique(2, 14)]
    const graph = graphOf(15, edges)
    const distances = [...Array(graph.edges).keys()].map((edge) => (edge === 0 ? long : short))
    const search = new ShortestPaths(graph, distances, 0, null, false)
    while (!search.measure());
    expect([...search.to(1)].filter((path) => path !== null)).toHaveLength(1)
  })

  it("pause in a long search", () => {
    // Vertices 1 to 150 are a clique that only vertex 1 leaves, and the walk begins at another one.
    const graph = graphOf(151, [[0, 1], ...clique(1, 150)])
    const search = new ShortestPaths(graph, new Array<number>(graph.edges).fill(0), 0, null, false)
    while (!search.measure());
    let pauses = 0
    let paths = 0
    for (const path of search.to(150)) {
      if (path === null) pauses++
      else if (++paths === 10) break
    }
    expect(pauses).toBeGreaterThan(1)
  })

  it("link two vertices by very many parallel ways in linear time", () => {
    const graph = new Adjacency()
    const ways = 120_000
    for (let vertex = 0; vertex < ways + 2; vertex++) graph.vertices.add(vertex)
    graph.open(0)
    for (let way = 2; way < ways + 2; way++) graph.add(0, way)
    graph.open(1)
    for (let way = 2; way < ways + 2; way++) {
      graph.open(way)
      graph.add(way, 1)
    }
    const search = new ShortestPaths(graph, null, 0, null, false)
    while (!search.measure());
    let paths = 0
    for (const path of search.to(1)) if (path !== null) paths++
    expect(paths).toBe(ways)
  })
})
