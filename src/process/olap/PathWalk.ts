import { type BigMap, BigSet } from "../../structure/containers/BigMap.ts"
import { SLICE_VISITS } from "./Adjacency.ts"

/** The last edge of shortest paths to a vertex. */
export interface PathEdge {
  readonly vertex: number
  readonly edge: number
  /** Whether the edge adds nothing to the distance. Only such edges form cycles. */
  readonly isFlat: boolean
}

/** One path: its vertices from the source to the target, and the edges between them. */
export interface FoundPath {
  readonly vertices: ReadonlyArray<number>
  readonly edges: ReadonlyArray<number>
}

/**
 * Walks backwards from a target to the source along the last edges of shortest paths. Each walk is one shortest path.
 *
 * Edges that add nothing to the distance, such as those with a distance of zero, may form cycles, and a path visits no vertex twice.
 * Before the walk takes such an edge, it therefore tests whether a way to the source remains. Without the test, a walk into a group
 * of vertices whose only exit is on the path would try all orders of these vertices. All other edges lead closer to the source, so
 * a way remains. The test tries edges in the order of the walk, so the walk follows the way that it finds, and needs no other test there.
 */
export class PathWalk {
  readonly #source: number
  /** The last edges of shortest paths to each vertex. */
  readonly #before: BigMap<number, Array<PathEdge>>
  /** The path, from the target on. */
  readonly #vertices: Array<number>
  readonly #edges: Array<number> = []
  readonly #inPath = new BigSet<number>()
  /** For each vertex of the path, the number of its last edges that the walk has tried. */
  readonly #tried = [0]
  /** Vertices from which no way to the source remains. */
  readonly #closed = new BigSet<number>()
  /** For each vertex of the path, the vertices that it has closed. */
  readonly #closedBy: Array<Array<number> | undefined> = []
  /** The vertices of the way that the last test has found, up to one with an edge that leads closer. Empty after the walk has left it. */
  #way: ReadonlyArray<number> = []
  /** The place in the path of the first vertex of the way. */
  #wayBegin = 0
  #visits = 0

  /** @param before the last edges of shortest paths to each vertex */
  constructor(source: number, target: number, before: BigMap<number, Array<PathEdge>>) {
    this.#source = source
    this.#before = before
    this.#vertices = [target]
    this.#inPath.add(target)
  }

  /** Iterates over the paths. Null = other work may run. */
  *paths(): Generator<FoundPath | null, undefined> {
    const vertices = this.#vertices
    while (vertices.length > 0) {
      if (this.#isSliceOver()) yield null
      const vertex = vertices.at(-1)!
      if (vertex === this.#source) yield { vertices: vertices.toReversed(), edges: this.#edges.toReversed() }
      const step = vertex === this.#source ? undefined : this.#before.get(vertex)?.[this.#tried[vertices.length - 1]!++]
      if (step === undefined) yield* this.#leave(vertex)
      else if (step.isFlat ? yield* this.#leads(step.vertex) : !this.#inPath.has(step.vertex)) this.#enter(step)
    }
  }

  /** Whether a vertex is the next one of the known way. */
  #isOnWay(vertex: number): boolean {
    return this.#way[this.#vertices.length - this.#wayBegin] === vertex
  }

  #isSliceOver(): boolean {
    return ++this.#visits % SLICE_VISITS === 0
  }

  #enter({ edge, vertex }: PathEdge): void {
    if (!this.#isOnWay(vertex)) this.#way = []
    this.#inPath.add(vertex)
    this.#vertices.push(vertex)
    this.#edges.push(edge)
    this.#tried.push(0)
  }

  *#leave(vertex: number): Generator<null, void> {
    this.#inPath.delete(vertex)
    this.#vertices.pop()
    this.#edges.pop()
    this.#tried.pop()
    const closed = this.#closedBy[this.#tried.length]
    if (closed === undefined) return
    this.#closedBy[this.#tried.length] = undefined
    for (const each of closed) {
      this.#closed.delete(each)
      if (this.#isSliceOver()) yield null
    }
  }

  /** Whether a way from a vertex to the source remains that visits no vertex of the path. */
  *#leads(from: number): Generator<null, boolean> {
    if (this.#isOnWay(from)) return true
    if (this.#isShut(from)) return false
    const seen = new BigSet<number>().add(from)
    const way = [from]
    const tried = [0]
    while (way.length > 0) {
      if (this.#isSliceOver()) yield null
      const vertex = way.at(-1)!
      const step = vertex === this.#source ? undefined : this.#before.get(vertex)?.[tried[way.length - 1]!++]
      if (vertex === this.#source || step?.isFlat === false) {
        this.#way = way
        this.#wayBegin = this.#vertices.length
        return true
      }
      if (step === undefined) {
        way.pop()
        tried.pop()
      } else if (!seen.has(step.vertex) && !this.#isShut(step.vertex)) {
        seen.add(step.vertex)
        way.push(step.vertex)
        tried.push(0)
      }
    }
    yield* this.#close(seen)
    return false
  }

  #isShut(vertex: number): boolean {
    return this.#inPath.has(vertex) || this.#closed.has(vertex)
  }

  /** While the path has its vertices, the other edges into these vertices need no test. */
  *#close(vertices: Iterable<number>): Generator<null, void> {
    const closed = (this.#closedBy[this.#vertices.length - 1] ??= [])
    for (const vertex of vertices) {
      closed.push(vertex)
      this.#closed.add(vertex)
      if (this.#isSliceOver()) yield null
    }
  }
}
