import type { GraphReceiver, StreamedEdge, StreamedVertex } from "../../structure/graph/GraphStream.ts"

/**
 * Passes on a graph with its edges in the order of TinkerGraph, once all of them are known. The results of seeded coin(),
 * sample() and shuffle depend on this order, and the conformance suite uses them on the Grateful Dead graph. TinkerGraph
 * keeps the edges of a vertex and label in a java.util.HashSet, in the order of its buckets. When the orders of out-edges
 * and in-edges contradict each other, that of the out-edges is used.
 */
export class TinkerGraphOrder implements GraphReceiver {
  readonly #receiver: GraphReceiver
  readonly #edges: Array<StreamedEdge> = []
  /** True for files that list edges with their vertices, as GraphSON and Gryo do; GraphML lists edges separately. */
  #isAdjacency = false

  constructor(receiver: GraphReceiver) {
    this.#receiver = receiver
  }

  vertex(vertex: StreamedVertex): void {
    this.#receiver.vertex(vertex)
  }

  /** Adjacency lists contain each edge twice; the one at its out-vertex is used. */
  edge(edge: StreamedEdge, place: "out" | "in" | "alone"): void {
    if (place !== "in") this.#edges.push(edge)
    if (place !== "alone") this.#isAdjacency = true
  }

  /** Passes on the edges after the last element. */
  finish(): void {
    const labels = groups(this.#edges, ({ label }) => label)
    const order = this.#isAdjacency ? byInVertex : inFileOrder
    for (const edges of labels) {
      const out = groups(edges, (edge) => edge.out).map((group) => inBuckets(group, order))
      const into = groups(edges, (edge) => edge.in).map((group) => inBuckets(group, order))
      for (const edge of inOrderOf([...out, ...into]) ?? out.flat()) this.#receiver.edge(edge, "alone")
    }
  }
}

const groups = (
  edges: ReadonlyArray<StreamedEdge>,
  key: (edge: StreamedEdge) => unknown
): ReadonlyArray<ReadonlyArray<StreamedEdge>> => {
  const found = new Map<unknown, Array<StreamedEdge>>()
  for (const edge of edges) {
    const group = found.get(key(edge))
    if (group === undefined) found.set(key(edge), [edge])
    else group.push(edge)
  }
  return [...found.values()]
}

/** The Java hash of an id, spread as java.util.HashMap does. Ids of GraphML are strings. */
const hashOf = ({ id }: StreamedEdge): number => {
  let hash = 0
  if (typeof id === "number") hash = id
  else if (typeof id === "string") for (let i = 0; i < id.length; i++) hash = (31 * hash + id.charCodeAt(i)) | 0
  return hash ^ (hash >>> 16)
}

type Order = (a: StreamedEdge, b: StreamedEdge) => number

/** TinkerGraph loads edges by the ids of their in-vertices, which decides the order within a bucket. */
const byInVertex: Order = (a, b) => Number(a.in) - Number(b.in) || Number(a.id) - Number(b.id)

const inFileOrder: Order = () => 0

/** The order of a java.util.HashSet, which doubles its buckets, from 16, when they are three quarters full. */
const inBuckets = (edges: ReadonlyArray<StreamedEdge>, order: Order): ReadonlyArray<StreamedEdge> => {
  let buckets = 16
  while (edges.length > buckets * 0.75) buckets *= 2
  const bucket = (edge: StreamedEdge): number => hashOf(edge) & (buckets - 1)
  return [...edges].sort((a, b) => bucket(a) - bucket(b) || order(a, b))
}

/** All edges in an order consistent with every sequence; undefined when there is none. */
const inOrderOf = (sequences: ReadonlyArray<ReadonlyArray<StreamedEdge>>): ReadonlyArray<StreamedEdge> | undefined => {
  const after = new Map<StreamedEdge, Array<StreamedEdge>>()
  const before = new Map<StreamedEdge, number>()
  for (const sequence of sequences) {
    sequence.forEach((edge, at) => {
      before.set(edge, (before.get(edge) ?? 0) + (at === 0 ? 0 : 1))
      const next = sequence[at + 1]
      if (next !== undefined) after.set(edge, [...(after.get(edge) ?? []), next])
    })
  }
  const ordered = [...before.keys()].filter((edge) => before.get(edge) === 0)
  // The list grows during the iteration.
  for (const edge of ordered) {
    for (const next of after.get(edge) ?? []) {
      const left = before.get(next)! - 1
      before.set(next, left)
      if (left === 0) ordered.push(next)
    }
  }
  return ordered.length === before.size ? ordered : undefined
}
