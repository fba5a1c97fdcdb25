import type { Ref } from "../../structure/Element.ts"

/** Int32 values in a row that grows. */
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

/** Vertices as numbers from 0, in the order in which they were met. */
class VertexIndex {
  /** Refs by number. */
  readonly refs: Array<Ref> = []
  readonly #numbers = new Map<Ref, number>()

  get size(): number {
    return this.refs.length
  }
  /** The vertex's number, or -1. */
  find(ref: Ref): number {
    return this.#numbers.get(ref) ?? -1
  }
  /** The vertex's number, a new one when it was not met before. */
  add(ref: Ref): number {
    const known = this.#numbers.get(ref)
    if (known !== undefined) return known
    this.#numbers.set(ref, this.refs.length)
    this.refs.push(ref)
    return this.refs.length - 1
  }
}

/** Bytes that a vertex and an edge take here, about. */
export const VERTEX_BYTES = 64
export const EDGE_BYTES = 8

/**
 * What a vertex program sees of a graph: for each vertex the vertices at the other ends of the edges that it sends
 * along, in one array. Vertices are {@link VertexIndex} numbers; their edges are filled in one vertex after the other.
 */
export class Adjacency {
  readonly vertices = new VertexIndex()
  readonly #begins = new GrowingInts()
  readonly #ends = new GrowingInts()
  readonly #targets = new GrowingInts()

  /** Number of edges so far. */
  get edges(): number {
    return this.#targets.length
  }
  /** Starts to take in the edges of a vertex. */
  open(vertex: number): void {
    while (this.#begins.length <= vertex) {
      this.#begins.push(-1)
      this.#ends.push(-1)
    }
    this.#begins.set(vertex, this.#targets.length)
    this.#ends.set(vertex, this.#targets.length)
  }
  /** The next edge of the vertex that was opened last. */
  add(vertex: number, target: number): void {
    this.#targets.push(target)
    this.#ends.set(vertex, this.#targets.length)
  }
  /** True when the vertex was opened. */
  has(vertex: number): boolean {
    return vertex < this.#begins.length && this.#begins.at(vertex) >= 0
  }
  /** Edges of a vertex are those from begin to end; give them to {@link target}. */
  begin(vertex: number): number {
    return this.#begins.at(vertex)
  }
  end(vertex: number): number {
    return this.#ends.at(vertex)
  }
  degree(vertex: number): number {
    return this.end(vertex) - this.begin(vertex)
  }
  target(edge: number): number {
    return this.#targets.at(edge)
  }
}

/** Work that is done in pieces, over a whole graph. */
export interface VertexProgram {
  /** Does a piece of about {@link PIECE} steps. False when there is more to do. */
  advance(): boolean
  /** The computed value of a vertex, once all is done. */
  value(vertex: number): unknown
  /** Bytes it holds. */
  readonly bytes: number
}

/** Vertices and edges that a piece of work looks at, about. */
export const PIECE = 8192
