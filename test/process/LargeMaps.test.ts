import { afterEach, describe, expect, it, vi } from "vitest"
import { GraphLoader } from "../../src/process/io/GraphLoader.ts"
import { Adjacency } from "../../src/process/olap/Adjacency.ts"
import { ShortestPaths } from "../../src/process/olap/ShortestPaths.ts"
import { toyGraph } from "../../src/storage/memory/ToyGraphs.ts"
import { Detached } from "../../src/structure/elements/Element.ts"
import { GraphCopy } from "../../src/structure/graph/GraphCopy.ts"

/** More than a Map holds here. A Map that grows moves all its entries in one call, and it has a maximum size. */
const MANY = 33_000

/** The most entries that a Map or a Set had during the work. */
const largestMap = (work: () => void): number => {
  let most = 0
  const { set } = Map.prototype
  const { add } = Set.prototype
  vi.spyOn(Map.prototype, "set").mockImplementation(function (this: Map<unknown, unknown>, key, value) {
    set.call(this, key, value)
    most = Math.max(most, this.size)
    return this
  })
  vi.spyOn(Set.prototype, "add").mockImplementation(function (this: Set<unknown>, value) {
    add.call(this, value)
    most = Math.max(most, this.size)
    return this
  })
  work()
  vi.restoreAllMocks()
  return most
}

describe("Very many elements", () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it("are the vertices of a program, and reached by shortest paths, without a large Map", () => {
    const graph = new Adjacency()
    const paths = new ShortestPaths(graph, null, 0, null, false)
    const most = largestMap(() => {
      for (let i = 0; i < MANY; i++) graph.vertices.add(i * 3)
      graph.open(0)
      for (let i = 1; i < MANY; i++) graph.add(0, i)
      for (let i = 1; i < MANY; i++) graph.open(i)
      while (!paths.measure());
    })
    expect(most).toBeLessThanOrEqual(32_769)
    expect(graph.vertices.find(30)).toBe(10)
    expect(paths.reached).toEqual(Array.from({ length: MANY }, (_, i) => i))
    expect([...paths.to(MANY - 1)]).toEqual([{ vertices: [0, MANY - 1], edges: [MANY - 2] }])
  })

  it("are copied for subgraph() in their order, without a large Map", () => {
    const source = new Detached()
    const vertices = Array.from({ length: MANY }, (_, i) => source.addVertex(i, "a"))
    const copy = new GraphCopy()
    const most = largestMap(() => {
      for (const vertex of vertices) copy.addVertex(vertex)
    })
    expect(most).toBeLessThanOrEqual(32_769)
    expect(copy.addVertex(vertices[7]!)).toBe(copy.result().vertices[7])
    expect(copy.result().vertices.map(({ id }) => id)).toEqual(Array.from({ length: MANY }, (_, i) => i))
  })

  it("are read from a file, and their edges wait for them, without a large Map", () => {
    const transaction = toyGraph("modern").begin()
    const loader = new GraphLoader(transaction, () => {})
    const ids = Array.from({ length: MANY }, (_, i) => 1000 + i)
    const most = largestMap(() => {
      for (const id of ids) loader.edge({ id: id + MANY, label: "e", out: id, in: id, properties: new Map() }, "alone")
      // One of them finds its vertex now.
      loader.vertex({ id: 1000, label: "v", properties: [] })
      while (!loader.finish(1024));
    })
    expect(most).toBeLessThanOrEqual(32_769)
    expect(loader.finish(1)).toBe(true)
    const refs = ids.map((id) => transaction.vertexRef(id))
    expect(refs.includes(-1)).toBe(false)
    expect(new Set(refs).size).toBe(MANY)
  })
})
