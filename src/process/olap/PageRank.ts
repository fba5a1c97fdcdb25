import { double } from "../../structure/numbers/Numbers.ts"
import { type Adjacency, SLICE_VISITS, type VertexProgram } from "./Adjacency.ts"

/** The program ends when the sum of the changes of all ranks is smaller. */
const EPSILON = 0.00001

interface PageRankOptions {
  /** The part of a rank that a vertex sends along its edges. The rest is distributed to all vertices. */
  readonly alpha: number
  /** Limit of rounds. */
  readonly iterations: number
  /** Initial ranks; null distributes 1 to all vertices. */
  readonly initial: Float64Array | null
}

/**
 * PageRank as in TinkerPop's PageRankVertexProgram. In each round the rank of a vertex is the sum of the messages of its
 * neighbours and its share of the energy that was not sent along edges in the previous round.
 */
export class PageRank implements VertexProgram {
  readonly #graph: Adjacency
  readonly #alpha: number
  readonly #iterations: number
  readonly #size: number
  readonly #ranks: Float64Array
  /** Sums of the messages of the previous round. */
  #received: Float64Array
  /** Sums of the messages of this round. */
  #sent: Float64Array
  /** Energy that this round distributes to all vertices. */
  #energy: number
  /** Energy that the next round distributes. */
  #collected: number
  #change = 0
  #round = 1
  #vertex = 0
  /** Edges of this vertex along which its message is sent: a vertex may have more than a slice visits. */
  #visited = 0

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
    let left = SLICE_VISITS
    while (left > 0) {
      if (this.#vertex === this.#size) {
        if (this.#endRound()) return true
        continue
      }
      left -= this.#execute(this.#vertex, left)
      if (this.#visited === 0) this.#vertex++
    }
    return false
  }

  /** Processes one vertex in one round, or about `most` of its edges. Returns the number of visits. */
  #execute(vertex: number, most: number): number {
    const graph = this.#graph
    if (this.#visited === 0) this.#rank(vertex)
    const given = this.#alpha * this.#ranks[vertex]!
    const degree = graph.degree(vertex)
    if (degree === 0) {
      this.#collected += given
      return 1
    }
    const message = given / degree
    const begin = graph.begin(vertex) + this.#visited
    const end = Math.min(graph.end(vertex), begin + most)
    for (let edge = begin; edge < end; edge++) this.#sent[graph.target(edge)]! += message
    this.#visited = end === graph.end(vertex) ? 0 : this.#visited + end - begin
    return end - begin + 1
  }

  /** The rank of a vertex in this round. */
  #rank(vertex: number): void {
    let rank = this.#received[vertex]!
    if (this.#energy > 0) {
      const share = this.#energy / this.#size
      rank += share
      this.#collected -= share
    }
    this.#change += Math.abs(rank - this.#ranks[vertex]!)
    this.#ranks[vertex] = rank
    this.#collected += (1 - this.#alpha) * rank
  }

  /** True after the last round. */
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
