import { double } from "../../structure/Numbers.ts"
import { type Adjacency, PIECE, type VertexProgram } from "./Adjacency.ts"

/** Less change of all ranks together than this ends the program. */
const EPSILON = 0.00001

interface PageRankOptions {
  /** The part of a vertex's rank that goes along its edges; the rest is spread over all vertices. */
  readonly alpha: number
  /** Rounds, at most. */
  readonly iterations: number
  /** Ranks to start with; null spreads 1 over all vertices. */
  readonly initial: Float64Array | null
}

/**
 * PageRank as TinkerPop's PageRankVertexProgram defines it: in each round a vertex has the sum of what its neighbours
 * sent, and its share of the energy that did not go along an edge in the round before.
 */
export class PageRank implements VertexProgram {
  readonly #graph: Adjacency
  readonly #alpha: number
  readonly #iterations: number
  readonly #size: number
  readonly #ranks: Float64Array
  /** What vertices were sent in the round before, and in this one. */
  #received: Float64Array
  #sent: Float64Array
  /** Energy to be spread over all vertices: in this round, and collected for the next one. */
  #energy: number
  #collected: number
  #change = 0
  #round = 1
  #vertex = 0

  constructor(graph: Adjacency, { alpha, initial, iterations }: PageRankOptions) {
    const { size } = graph.vertices
    this.#graph = graph
    this.#alpha = alpha
    this.#iterations = iterations
    this.#size = size
    this.#ranks = new Float64Array(size)
    this.#received = initial ?? new Float64Array(size)
    this.#sent = new Float64Array(size)
    this.#energy = initial === null ? 1 : 0
    this.#collected = this.#energy
  }

  get bytes(): number {
    return this.#size * 24
  }

  advance(): boolean {
    let left = PIECE
    while (left > 0) {
      if (this.#vertex === this.#size) {
        if (this.#endRound()) return true
        continue
      }
      left -= this.#execute(this.#vertex++)
    }
    return false
  }

  /** One vertex in one round. Gives the work it was. */
  #execute(vertex: number): number {
    const graph = this.#graph
    let rank = this.#received[vertex]!
    if (this.#energy > 0) {
      const share = this.#energy / this.#size
      rank += share
      this.#collected -= share
    }
    this.#change += Math.abs(rank - this.#ranks[vertex]!)
    this.#ranks[vertex] = rank
    this.#collected += (1 - this.#alpha) * rank
    const given = this.#alpha * rank
    const degree = graph.degree(vertex)
    if (degree === 0) this.#collected += given
    else {
      const message = given / degree
      const end = graph.end(vertex)
      for (let edge = graph.begin(vertex); edge < end; edge++) this.#sent[graph.target(edge)]! += message
    }
    return degree + 1
  }

  /** True when it was the last round. */
  #endRound(): boolean {
    if (this.#change < EPSILON || this.#round >= this.#iterations) return true
    this.#round++
    this.#vertex = 0
    this.#change = 0
    this.#energy = this.#collected
    const received = this.#received
    this.#received = this.#sent
    this.#sent = received.fill(0)
    return false
  }

  value(vertex: number): unknown {
    return double(this.#ranks[vertex]!)
  }
}
