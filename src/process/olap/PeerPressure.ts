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
/** The time of a text of an id, in visits. */
const TEXT_VISITS = 8

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
  /** The votes of the current vertex for each cluster. */
  readonly #votes: Float64Array
  /** The clusters with votes, some of them several times. */
  #candidates: Array<number> = []
  /** Edges or voters of the current vertex that are visited: a vertex may have more than a slice visits. */
  #visited = 0
  /** Candidates that are compared. */
  #compared = 0
  #chosen = -1
  #chosenText: string | undefined
  #most = MIN_VOTES
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
    this.#votes = new Float64Array(size)
  }

  get bytes(): number {
    return this.#size * 20 + this.#graph.edges * 4
  }

  advance(): boolean {
    let left = SLICE_VISITS
    while (left > 0) {
      if (this.#vertex === this.#size) {
        if (this.#endPhase()) return true
        continue
      }
      left -= this.#phase === "vote" ? this.#vote(this.#vertex, left) : this.#reverse(this.#vertex, left)
    }
    return false
  }

  /** Counts a vertex as a voter at its neighbours, or adds it to their voters. Visits about `most` of its edges. */
  #reverse(vertex: number, most: number): number {
    const graph = this.#graph
    const begin = graph.begin(vertex) + this.#visited
    const end = Math.min(graph.end(vertex), begin + most)
    for (let edge = begin; edge < end; edge++) {
      const target = graph.target(edge)
      // While voters are added, each begin moves from the end of its range to the start.
      if (this.#phase === "count") this.#begins[target]!++
      else this.#voters[--this.#begins[target]!] = vertex
    }
    this.#visited += end - begin
    if (end === graph.end(vertex)) this.#leave()
    return end - begin + 1
  }

  /** Continues with the next vertex. */
  #leave(): void {
    this.#vertex++
    this.#visited = 0
  }

  /** Counts votes at a vertex, or compares the clusters that have votes there. Returns the number of visits, about `most`. */
  #vote(vertex: number, most: number): number {
    const begin = this.#begins[vertex]! + this.#visited
    const last = this.#begins[vertex + 1]!
    if (this.#visited === 0) this.#add(vertex)
    const end = Math.min(last, begin + most)
    for (let at = begin; at < end; at++) this.#add(this.#voters[at]!)
    this.#visited += end - begin
    const visits = end - begin + 1
    if (end < last) return visits
    const compared = this.#compare(Math.max(1, most - visits))
    if (this.#compared === this.#candidates.length) this.#choose(vertex)
    return visits + compared
  }

  /** Adds the vote of a vertex. */
  #add(voter: number): void {
    const cluster = this.#clusters[voter]!
    if (this.#votes[cluster] === 0) this.#candidates.push(cluster)
    this.#votes[cluster]! += this.#options.strengths?.[voter] ?? 1
  }

  /** Compares the next `most` clusters with the best one so far. Returns their number, more if texts are compared. */
  #compare(most: number): number {
    const { id, text } = this.#options
    let visits = 0
    while (visits < most && this.#compared < this.#candidates.length) {
      const cluster = this.#candidates[this.#compared++]!
      const count = this.#votes[cluster]!
      this.#votes[cluster] = 0
      visits++
      if (count < this.#most || (count === this.#most && this.#chosen < 0)) continue
      let name: string | undefined
      if (count === this.#most) {
        this.#chosenText ??= text(id(this.#chosen))
        name = text(id(cluster))
        visits += TEXT_VISITS
        if (name >= this.#chosenText) continue
      }
      this.#chosen = cluster
      this.#chosenText = name
      this.#most = count
    }
    return visits
  }

  /** Moves a vertex to the cluster with most votes. */
  #choose(vertex: number): void {
    const chosen = this.#chosen < 0 ? vertex : this.#chosen
    if (chosen !== this.#clusters[vertex]) this.#unchanged = false
    this.#next[vertex] = chosen
    this.#chosen = -1
    this.#chosenText = undefined
    this.#most = MIN_VOTES
    this.#compared = 0
    this.#candidates = []
    this.#leave()
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
