import { type Adjacency, SLICE_VISITS, type VertexProgram } from "./Adjacency.ts"

interface PeerPressureOptions {
  /** Limit of rounds. */
  readonly iterations: number
  /** The weight of each vertex's vote; null = 1 each. */
  readonly strengths: Float64Array | null
  /** The id of a vertex, which is the name of its initial cluster. */
  readonly id: (vertex: number) => unknown
  /** An id as text. Of clusters with the same number of votes the one with the smallest text wins. */
  readonly text: (id: unknown) => string
}

/** Smaller sums of votes do not count. Java's smallest positive Double, with which TinkerPop initializes its maximum. */
const MIN_VOTES = 5e-324

/**
 * Clusters as in TinkerPop's PeerPressureVertexProgram: each vertex starts in a separate cluster. In each round it votes for its
 * cluster at its neighbours, and joins the cluster with most votes.
 */
export class PeerPressure implements VertexProgram {
  readonly #graph: Adjacency
  readonly #options: PeerPressureOptions
  readonly #size: number
  /** The first index in #voters of each vertex. */
  readonly #begins: Int32Array
  /** Reversed edges: the vertices that vote at each vertex. */
  readonly #voters: Int32Array
  /** The cluster of each vertex after the previous round: the number of the vertex that started in it. */
  #clusters: Int32Array
  /** The cluster of each vertex after this round. */
  #next: Int32Array
  readonly #votes = new Map<number, number>()
  #phase: "count" | "reverse" | "vote" = "count"
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
    let left = SLICE_VISITS
    while (left > 0) {
      if (this.#vertex === this.#size) {
        if (this.#endPhase()) return true
        continue
      }
      const vertex = this.#vertex++
      left -= this.#phase === "vote" ? this.#vote(vertex) : this.#reverse(vertex)
    }
    return false
  }

  /** Counts a vertex as a voter at its neighbours, or adds it to their voters. */
  #reverse(vertex: number): number {
    const graph = this.#graph
    const end = graph.end(vertex)
    for (let edge = graph.begin(vertex); edge < end; edge++) {
      const target = graph.target(edge)
      // While voters are added, each begin moves from the end of its range to the start.
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
    let most = MIN_VOTES
    for (const [cluster, count] of this.#votes) {
      const wins = count > most || (count === most && chosen >= 0 && text(id(cluster)) < text(id(chosen)))
      if (!wins) continue
      chosen = cluster
      most = count
    }
    return chosen < 0 ? vertex : chosen
  }

  /** True after the last round. */
  #endPhase(): boolean {
    this.#vertex = 0
    if (this.#phase === "count") {
      this.#phase = "reverse"
      for (let vertex = 1; vertex <= this.#size; vertex++) this.#begins[vertex]! += this.#begins[vertex - 1]!
      return false
    }
    if (this.#phase === "reverse") {
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
