import { BigMap, BigSet } from "../../structure/containers/BigMap.ts"
import { add } from "../../structure/numbers/Arithmetic.ts"
import { compareNumbers } from "../../structure/numbers/NumberOrder.ts"
import type { GremlinNumber } from "../../structure/numbers/Numbers.ts"
import { type Adjacency, SLICE_VISITS } from "./Adjacency.ts"

/** The distance of each edge of the adjacency, not negative; null = 1 each. */
type Distances = ReadonlyArray<GremlinNumber> | null

/** The last edge of a path to a vertex. */
interface PathEdge {
  readonly vertex: number
  readonly edge: number
}

/** One path: its vertices from the source to the target, and the edges between them. */
export interface FoundPath {
  readonly vertices: ReadonlyArray<number>
  readonly edges: ReadonlyArray<number>
}

/**
 * All shortest paths from one vertex. First the distances are computed, in rounds over the vertices whose distance became
 * smaller. Then the paths to a target are found backwards along the edges that match the distances.
 */
export class ShortestPaths {
  readonly source: number
  readonly #graph: Adjacency
  readonly #distances: Distances
  readonly #most: GremlinNumber | null
  readonly #parallel: boolean
  /** The distance of each reached vertex. */
  readonly #reached = new BigMap<number, GremlinNumber>()
  /** The reached vertices in the order in which they were reached, the source first. */
  readonly #order: Array<number>
  #frontier: Array<number>
  /** The next frontier, and its vertices as a set. */
  #next: Array<number> = []
  #isNext = new BigSet<number>()
  #at = 0
  /** For each reached vertex the last edges of its shortest paths. */
  readonly #before = new BigMap<number, Array<PathEdge>>()
  #linked = 0

  /**
   * @param most Limit of distances; null = none.
   * @param parallel Whether paths that differ only in an edge are different paths.
   */
  constructor(graph: Adjacency, distances: Distances, source: number, most: GremlinNumber | null, parallel: boolean) {
    this.#graph = graph
    this.#distances = distances
    this.source = source
    this.#most = most
    this.#parallel = parallel
    this.#reached.set(source, 0)
    this.#order = [source]
    this.#frontier = [source]
  }

  /** At most `most` vertices whose edges the next slices need. */
  wanted(most: number): ReadonlyArray<number> {
    const wanted: Array<number> = []
    for (let at = this.#at; at < this.#frontier.length && wanted.length < most; at++) {
      const vertex = this.#frontier[at]!
      if (!this.#graph.has(vertex) && !this.#isFarthest(vertex)) wanted.push(vertex)
    }
    return wanted
  }

  /** Whether every path through a vertex would exceed the limit. */
  #isFarthest(vertex: number): boolean {
    return (
      this.#most !== null &&
      this.#distances === null &&
      compareNumbers(add(this.#reached.get(vertex)!, 1), this.#most) > 0
    )
  }

  /** Continues to compute distances until edges are missing. True when all are known. */
  measure(): boolean {
    for (let left = SLICE_VISITS; left > 0; ) {
      if (this.#at === this.#frontier.length) {
        if (this.#next.length === 0) return this.#link()
        this.#frontier = this.#next
        this.#next = []
        this.#isNext = new BigSet()
        this.#at = 0
      }
      const vertex = this.#frontier[this.#at]!
      const farthest = this.#isFarthest(vertex)
      if (!farthest && !this.#graph.has(vertex)) return false
      this.#at++
      left -= farthest ? 1 : this.#expand(vertex)
    }
    return false
  }

  #distance(edge: number): GremlinNumber {
    return this.#distances === null ? 1 : this.#distances[edge]!
  }

  #expand(vertex: number): number {
    const graph = this.#graph
    const here = this.#reached.get(vertex)!
    const end = graph.end(vertex)
    for (let edge = graph.begin(vertex); edge < end; edge++) {
      const target = graph.target(edge)
      const distance = add(here, this.#distance(edge))
      if (this.#most !== null && compareNumbers(distance, this.#most) > 0) continue
      const known = this.#reached.get(target)
      if (known !== undefined && compareNumbers(distance, known) >= 0) continue
      if (known === undefined) this.#order.push(target)
      this.#reached.set(target, distance)
      if (this.#isNext.has(target)) continue
      this.#isNext.add(target)
      this.#next.push(target)
    }
    return graph.degree(vertex) + 1
  }

  /** Records the last edges of shortest paths. True when all are recorded. */
  #link(): boolean {
    const graph = this.#graph
    for (let left = SLICE_VISITS; left > 0 && this.#linked < this.#order.length; ) {
      const vertex = this.#order[this.#linked++]!
      left -= 1
      if (!graph.has(vertex) || this.#isFarthest(vertex)) continue
      left -= graph.degree(vertex)
      for (let edge = graph.begin(vertex); edge < graph.end(vertex); edge++) this.#linkEdge(vertex, edge)
    }
    return this.#linked === this.#order.length
  }

  #linkEdge(vertex: number, edge: number): void {
    const target = this.#graph.target(edge)
    const known = this.#reached.get(target)
    if (known === undefined || target === this.source || target === vertex) return
    if (compareNumbers(add(this.#reached.get(vertex)!, this.#distance(edge)), known) !== 0) return
    let steps = this.#before.get(target)
    if (steps === undefined) this.#before.set(target, (steps = []))
    if (this.#parallel || !steps.some((step) => step.vertex === vertex)) steps.push({ vertex, edge })
  }

  /** The reached vertices, the source first. */
  get reached(): ReadonlyArray<number> {
    return this.#order
  }

  /** Iterates over the shortest paths to a vertex. */
  *to(target: number): Generator<FoundPath> {
    const vertices = [target]
    const edges: Array<number> = []
    const inPath = new Set(vertices)
    const places = [0]
    while (places.length > 0) {
      const depth = places.length - 1
      const vertex = vertices[depth]!
      if (vertex === this.source) yield { vertices: [...vertices].reverse(), edges: [...edges].reverse() }
      const step = vertex === this.source ? undefined : this.#before.get(vertex)?.[places[depth]!++]
      if (step === undefined) {
        inPath.delete(vertex)
        vertices.pop()
        edges.pop()
        places.pop()
      } else if (!inPath.has(step.vertex)) {
        // Edges with a distance of zero may form a cycle.
        inPath.add(step.vertex)
        vertices.push(step.vertex)
        edges.push(step.edge)
        places.push(0)
      }
    }
  }
}
