import { BigMap } from "../../structure/containers/BigMap.ts"
import type { Ref } from "../../structure/elements/Element.ts"

/** A growing array of Int32 values. */
class GrowingInts {
  #values = new Int32Array(1024)
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Int32Array(this.length * 2)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[this.length++] = value
  }
  at(index: number): number {
    return this.#values[index]!
  }
  set(index: number, value: number): void {
    this.#values[index] = value
  }
}

/** Numbers vertices from 0, in the order in which they are added. */
class VertexIndex {
  /** Refs by number. */
  readonly refs: Array<Ref> = []
  readonly #numbers = new BigMap<Ref, number>()

  get size(): number {
    return this.refs.length
  }
  /** The number of a vertex, or -1. */
  find(ref: Ref): number {
    return this.#numbers.get(ref) ?? -1
  }
  /** The number of a vertex; a new one if it has none. */
  add(ref: Ref): number {
    const known = this.#numbers.get(ref)
    if (known !== undefined) return known
    this.#numbers.set(ref, this.refs.length)
    this.refs.push(ref)
    return this.refs.length - 1
  }
}

/** Approximate size of a vertex in an Adjacency. */
export const VERTEX_BYTES = 64
/** Approximate size of an edge in an Adjacency. */
export const EDGE_BYTES = 8

/**
 * The graph as a vertex program sees it: the targets of the edges of each vertex, in one array. Vertices are numbers of the
 * {@link VertexIndex}. The edges of one vertex must be added before those of the next.
 */
export class Adjacency {
  /** The numbers of the vertices. */
  readonly vertices = new VertexIndex()
  readonly #begins = new GrowingInts()
  readonly #ends = new GrowingInts()
  readonly #targets = new GrowingInts()

  /** Number of edges so far. */
  get edges(): number {
    return this.#targets.length
  }
  /** Starts to add the edges of a vertex. */
  open(vertex: number): void {
    while (this.#begins.length <= vertex) {
      this.#begins.push(-1)
      this.#ends.push(-1)
    }
    this.#begins.set(vertex, this.#targets.length)
    this.#ends.set(vertex, this.#targets.length)
  }
  /** Adds an edge of the vertex that was opened last. */
  add(vertex: number, target: number): void {
    this.#targets.push(target)
    this.#ends.set(vertex, this.#targets.length)
  }
  /** Whether the edges of a vertex were added. */
  has(vertex: number): boolean {
    return vertex < this.#begins.length && this.#begins.at(vertex) >= 0
  }
  /** The first edge of a vertex. Its edges are the numbers from begin to end, exclusive. */
  begin(vertex: number): number {
    return this.#begins.at(vertex)
  }
  /** The number after the last edge of a vertex. */
  end(vertex: number): number {
    return this.#ends.at(vertex)
  }
  /** The number of edges of a vertex. */
  degree(vertex: number): number {
    return this.end(vertex) - this.begin(vertex)
  }
  /** The vertex at the other end of an edge. */
  target(edge: number): number {
    return this.#targets.at(edge)
  }
}

/** A computation over a whole graph, in slices. */
export interface VertexProgram {
  /** Runs for one slice of about {@link SLICE_VISITS} visits. False when there is more to do. */
  advance(): boolean
  /** The computed value of a vertex, after the program has ended. */
  value(vertex: number): unknown
  /** Bytes that the program holds. */
  readonly bytes: number
}

/** Approximate number of vertices and edges that a program visits in one slice. */
export const SLICE_VISITS = 8192
