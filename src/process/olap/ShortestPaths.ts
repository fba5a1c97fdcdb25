import { BigMap, BigSet } from "../../structure/containers/BigMap.ts"
import { add } from "../../structure/numbers/Arithmetic.ts"
import { compareNumbers } from "../../structure/numbers/NumberOrder.ts"
import type { GremlinNumber } from "../../structure/numbers/Numbers.ts"
import { type Adjacency, SLICE_VISITS } from "./Adjacency.ts"
import { type FoundPath, type PathEdge, PathWalk } from "./PathWalk.ts"

/** The distance of each edge of the adjacency, not negative; null = 1 each. */
type Distances = ReadonlyArray<GremlinNumber> | null

/** Approximate size of a reached vertex in the maps and lists of a search. */
const REACHED_BYTES = 96
/** Approximate size of the last edge of a path. */
const PATH_EDGE_BYTES = 48
/** Approximate size of a vertex in the sets and lists of a walk that tests edges. */
const TESTED_BYTES = 128

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
  /** All vertices of the frontier before this place have their edges, or need none. */
  #checked = 0
  /** Edges of the current vertex that are visited: a vertex may have more than a slice visits. */
  #visited = 0
  /** For each reached vertex the last edges of its shortest paths. */
  readonly #before = new BigMap<number, Array<PathEdge>>()
  #linked = 0
  #pathEdges = 0
  /** Whether a walk may test edges: some add nothing to the distance. */
  #isTested = false

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

  /** Approximate number of bytes that the search holds. */
  get bytes(): number {
    const vertexBytes = this.#isTested ? REACHED_BYTES + TESTED_BYTES : REACHED_BYTES
    return this.#order.length * vertexBytes + this.#pathEdges * PATH_EDGE_BYTES
  }

  /**
   * At most `most` vertices whose edges the next slices need, which the caller must add. Empty when none is found in a slice: then
   * {@link measure} continues.
   */
  wanted(most: number): ReadonlyArray<number> {
    const wanted: Array<number> = []
    let at = Math.max(this.#checked, this.#at)
    for (const end = Math.min(this.#frontier.length, at + SLICE_VISITS); at < end && wanted.length < most; at++) {
      const vertex = this.#frontier[at]!
      if (!this.#graph.has(vertex) && !this.#isFarthest(vertex)) wanted.push(vertex)
    }
    this.#checked = at
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
        this.#at = this.#checked = 0
      }
      const vertex = this.#frontier[this.#at]!
      left--
      if (this.#isFarthest(vertex)) this.#at++
      else if (!this.#graph.has(vertex)) return false
      else {
        const here = this.#reached.get(vertex)!
        left -= this.#visit(vertex, left, (edge) => this.#relax(here, edge))
        if (this.#visited === 0) this.#at++
      }
    }
    return false
  }

  /** Visits about `most` of the next edges of a vertex, and returns their number. After the last one, #visited is 0. */
  #visit(vertex: number, most: number, visit: (edge: number) => void): number {
    const begin = this.#graph.begin(vertex) + this.#visited
    const last = this.#graph.end(vertex)
    const end = Math.min(last, begin + Math.max(1, most))
    for (let edge = begin; edge < end; edge++) visit(edge)
    this.#visited = end === last ? 0 : this.#visited + end - begin
    return end - begin
  }

  #distance(edge: number): GremlinNumber {
    return this.#distances === null ? 1 : this.#distances[edge]!
  }

  #relax(here: GremlinNumber, edge: number): void {
    const target = this.#graph.target(edge)
    const distance = add(here, this.#distance(edge))
    if (this.#most !== null && compareNumbers(distance, this.#most) > 0) return
    const known = this.#reached.get(target)
    if (known !== undefined && compareNumbers(distance, known) >= 0) return
    if (known === undefined) this.#order.push(target)
    this.#reached.set(target, distance)
    if (this.#isNext.has(target)) return
    this.#isNext.add(target)
    this.#next.push(target)
  }

  /** Records the last edges of shortest paths. True when all are recorded. */
  #link(): boolean {
    for (let left = SLICE_VISITS; left > 0 && this.#linked < this.#order.length; ) {
      const vertex = this.#order[this.#linked]!
      left--
      if (this.#graph.has(vertex) && !this.#isFarthest(vertex)) {
        left -= this.#visit(vertex, left, (edge) => this.#linkEdge(vertex, edge))
      }
      if (this.#visited === 0) this.#linked++
    }
    return this.#linked === this.#order.length
  }

  #linkEdge(vertex: number, edge: number): void {
    const target = this.#graph.target(edge)
    const known = this.#reached.get(target)
    if (known === undefined || target === this.source || target === vertex) return
    const here = this.#reached.get(vertex)!
    if (compareNumbers(add(here, this.#distance(edge)), known) !== 0) return
    let steps = this.#before.get(target)
    if (steps === undefined) this.#before.set(target, (steps = []))
    // The edges of one vertex are linked one after another.
    if (!this.#parallel && steps.at(-1)?.vertex === vertex) return
    const isFlat = compareNumbers(here, known) >= 0
    if (isFlat) this.#isTested = true
    steps.push({ vertex, edge, isFlat })
    this.#pathEdges++
  }

  /** The reached vertices, the source first. */
  get reached(): ReadonlyArray<number> {
    return this.#order
  }

  /** Iterates over the shortest paths to a vertex. Null = other work may run. There may be very many. */
  to(target: number): Iterable<FoundPath | null> {
    return new PathWalk(this.source, target, this.#before).paths()
  }
}
