import { sortTask } from "../../scheduling/Sorting.ts"
import type { Task } from "../../scheduling/Task.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { type Adjacency, SLICE_VISITS, type VertexProgram } from "./Adjacency.ts"

/**
 * Connected components with the names of TinkerPop's ConnectedComponentVertexProgram: the smallest id, as text, of all vertices
 * from which a vertex is reachable. Vertices are visited in the order of these texts, and each gives its text to all reachable
 * vertices without one. So every vertex gets the smallest text.
 */
export class ConnectedComponent implements VertexProgram {
  readonly #graph: Adjacency
  readonly #text: (vertex: number) => string
  readonly #texts: Array<string> = []
  readonly #size: number
  #sort: Task<Int32Array> | null = null
  #order: Int32Array | null = null
  /** The vertex that names the component of each vertex; -1 = unknown. */
  readonly #components: Int32Array
  readonly #waiting: Array<number> = []
  #started = 0
  /** The vertex that sends its text, or -1. */
  #sender = -1
  /** Edges of the sender that are visited: a vertex may have more than a slice visits. */
  #visited = 0

  /** @param text Returns the id of a vertex as text. */
  constructor(graph: Adjacency, text: (vertex: number) => string) {
    this.#graph = graph
    this.#text = text
    this.#size = graph.vertices.size
    this.#components = new Int32Array(this.#size).fill(-1)
  }

  get bytes(): number {
    return this.#size * 64
  }

  advance(): boolean {
    this.#order ??= this.#sorted()
    if (this.#order === null) return false
    let left = SLICE_VISITS
    while (left > 0) {
      if (this.#sender < 0) this.#sender = this.#waiting.pop() ?? -1
      if (this.#sender >= 0) left -= this.#send(this.#sender, left)
      else if (this.#started === this.#order.length) return true
      else {
        const start = this.#order[this.#started++]!
        left--
        if (this.#components[start]! < 0) {
          this.#components[start] = start
          this.#waiting.push(start)
        }
      }
    }
    return false
  }

  /** The vertices in the order of their texts; null until they are sorted. */
  #sorted(): Int32Array | null {
    const texts = this.#texts
    if (this.#sort === null) {
      const end = Math.min(texts.length + SLICE_VISITS / 4, this.#size)
      while (texts.length < end) texts.push(this.#text(texts.length))
      if (end < this.#size) return null
      const compare = (a: number, b: number): number => (texts[a]! < texts[b]! ? -1 : texts[a]! > texts[b]! ? 1 : 0)
      this.#sort = sortTask(this.#size, compare, { costly: false, slice: new TimeSlice() })
    }
    const { done, value } = this.#sort.next()
    return done === true ? value : null
  }

  /** Sends along about `most` of the next edges of a vertex. Returns the number of visits. */
  #send(vertex: number, most: number): number {
    const graph = this.#graph
    const begin = graph.begin(vertex) + this.#visited
    const end = Math.min(graph.end(vertex), begin + most)
    for (let edge = begin; edge < end; edge++) {
      const target = graph.target(edge)
      if (this.#components[target]! >= 0) continue
      this.#components[target] = this.#components[vertex]!
      this.#waiting.push(target)
    }
    if (end < graph.end(vertex)) this.#visited += end - begin
    else {
      this.#visited = 0
      this.#sender = -1
    }
    return end - begin + 1
  }

  value(vertex: number): unknown {
    return this.#texts[this.#components[vertex]!]
  }
}
