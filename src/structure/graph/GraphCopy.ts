import { GremlinMap } from "../collections/Collections.ts"
import { Detached, type Edge, type Vertex } from "../elements/Element.ts"
import { SubGraph } from "../elements/SubGraph.ts"

/** Collects copies of elements into a {@link SubGraph} that outlives the transaction they were read in (subgraph()). */
export class GraphCopy {
  readonly #source = new Detached()
  /** The copies by the ids of their elements. A Map has a maximum size. */
  readonly #vertices = new GremlinMap()
  readonly #edges = new GremlinMap()
  /** The copies in the order in which they were added. */
  #addedVertices: Array<Vertex> = []
  #addedEdges: Array<Edge> = []
  /** The last result, which has the lists; null if the copy has grown since. */
  #result: SubGraph | null = null

  /** The copy of the vertex with its properties; a vertex of the same id is copied once. */
  addVertex(vertex: Vertex): Vertex {
    const { id } = vertex
    const present = this.#vertices.get(id)
    if (present !== undefined) return present as Vertex
    const copy = this.#source.copyVertex(vertex)
    this.#vertices.set(id, copy)
    this.#grow()
    this.#addedVertices.push(copy)
    return copy
  }

  /** The copy of the edge with its properties and both its vertices; an edge of the same id is copied once. */
  addEdge(edge: Edge): Edge {
    const { id } = edge
    const present = this.#edges.get(id)
    if (present !== undefined) return present as Edge
    const copy = this.#source.copyEdge(edge, this.addVertex(edge.outVertex), this.addVertex(edge.inVertex))
    this.#edges.set(id, copy)
    this.#grow()
    this.#addedEdges.push(copy)
    return copy
  }

  /** Takes the lists from the last result, which must not change. */
  #grow(): void {
    if (this.#result === null) return
    this.#result = null
    this.#addedVertices = this.#addedVertices.slice()
    this.#addedEdges = this.#addedEdges.slice()
  }

  /** The copies so far, in the order in which they were added. It is the same object until another element is added. */
  result(): SubGraph {
    this.#result ??= new SubGraph(this.#addedVertices, this.#addedEdges)
    return this.#result
  }
}
