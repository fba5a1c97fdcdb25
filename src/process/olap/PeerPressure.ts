import { type Adjacency, PIECE, type VertexProgram } from "./Adjacency.ts"

interface PeerPressureOptions {
  /** Rounds, at most. */
  readonly iterations: number
  /** How much the vote of a vertex counts; null = 1 each. */
  readonly strengths: Float64Array | null
  /** The id of a vertex: the name of the cluster that it starts. */
  readonly id: (vertex: number) => unknown
  /** An id as text: of clusters with equally many votes the one with the least text wins. */
  readonly text: (id: unknown) => string
}

/** Votes of less than this do not count: Java's smallest positive Double, which TinkerPop starts its search with. */
const LEAST = 5e-324

/**
 * Clusters by peer pressure, as TinkerPop's PeerPressureVertexProgram: each vertex starts in a cluster of its own, votes
 * along its edges for its cluster in each round, and goes over to the one that most voted for.
 */
export class PeerPressure implements VertexProgram {
  readonly #graph: Adjacency
  readonly #options: PeerPressureOptions
  readonly #size: number
  /** Edges turned round: who votes at a vertex. */
  readonly #begins: Int32Array
  readonly #voters: Int32Array
  /** Clusters by the number of the vertex that started them: in the round before, and in this one. */
  #clusters: Int32Array
  #next: Int32Array
  readonly #votes = new Map<number, number>()
  #phase: "count" | "turn" | "vote" = "count"
  #round = 1
  #vertex = 0
  #unchanged = true

  constructor(graph: Adjacency, options: PeerPressureOptions) {
    const { size } = graph.vertices
    this.#graph = graph
    this.#options = options
    this.#size = size
    this.#begins = new Int32Array(size + 1)
    this.#voters = new Int32Array(graph.edges)
    this.#clusters = new Int32Array(size)
    for (let vertex = 0; vertex < size; vertex++) this.#clusters[vertex] = vertex
    this.#next = new Int32Array(size)
  }

  get bytes(): number {
    return this.#size * 12 + this.#graph.edges * 4
  }

  advance(): boolean {
    let left = PIECE
    while (left > 0) {
      if (this.#vertex === this.#size) {
        if (this.#endPhase()) return true
        continue
      }
      const vertex = this.#vertex++
      left -= this.#phase === "vote" ? this.#vote(vertex) : this.#turn(vertex)
    }
    return false
  }

  /** Counts the voters of the neighbours of a vertex, or enters it as a voter. */
  #turn(vertex: number): number {
    const graph = this.#graph
    const end = graph.end(vertex)
    for (let edge = graph.begin(vertex); edge < end; edge++) {
      const target = graph.target(edge)
      // While voters are entered, a begin moves back from the end of its part to its start.
      if (this.#phase === "count") this.#begins[target]!++
      else this.#voters[--this.#begins[target]!] = vertex
    }
    return graph.degree(vertex) + 1
  }

  #vote(vertex: number): number {
    const votes = this.#votes
    const { strengths } = this.#options
    const own = this.#clusters[vertex]!
    votes.clear()
    votes.set(own, strengths?.[vertex] ?? 1)
    const end = this.#begins[vertex + 1]!
    for (let at = this.#begins[vertex]!; at < end; at++) {
      const voter = this.#voters[at]!
      const cluster = this.#clusters[voter]!
      votes.set(cluster, (votes.get(cluster) ?? 0) + (strengths?.[voter] ?? 1))
    }
    const chosen = this.#chosen(vertex)
    if (chosen !== own) this.#unchanged = false
    this.#next[vertex] = chosen
    return end - this.#begins[vertex]! + 1
  }

  #chosen(vertex: number): number {
    const { id, text } = this.#options
    let chosen = -1
    let most = LEAST
    for (const [cluster, count] of this.#votes) {
      const wins = count > most || (count === most && chosen >= 0 && text(id(cluster)) < text(id(chosen)))
      if (!wins) continue
      chosen = cluster
      most = count
    }
    return chosen < 0 ? vertex : chosen
  }

  /** True when it was the last round. */
  #endPhase(): boolean {
    this.#vertex = 0
    if (this.#phase === "count") {
      this.#phase = "turn"
      for (let vertex = 1; vertex <= this.#size; vertex++) this.#begins[vertex]! += this.#begins[vertex - 1]!
      return false
    }
    if (this.#phase === "turn") {
      this.#phase = "vote"
      return this.#options.iterations < 1
    }
    const next = this.#clusters
    this.#clusters = this.#next
    this.#next = next
    if (this.#unchanged || this.#round >= this.#options.iterations) return true
    this.#round++
    this.#unchanged = true
    return false
  }

  value(vertex: number): unknown {
    return this.#options.id(this.#clusters[vertex]!)
  }
}
