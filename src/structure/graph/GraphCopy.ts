import { GremlinMap } from "../collections/Collections.ts"
import { Detached, type Edge, type Vertex } from "../elements/Element.ts"
import { SubGraph } from "../elements/SubGraph.ts"

/** Collects copies of elements into a {@link SubGraph} that outlives the transaction they were read in (subgraph()). */
export class GraphCopy {
  readonly #source = new Detached()
  /** The copies by the ids of their elements. A Map has a maximum size. */
  readonly #vertices = new GremlinMap()
  readonly #edges = new GremlinMap()

  /** The copy of the vertex with its properties; a vertex of the same id is copied once. */
  addVertex(vertex: Vertex): Vertex {
    const { id } = vertex
    const present = this.#vertices.get(id)
    if (present !== undefined) return present as Vertex
    const copy = this.#source.copyVertex(vertex)
    this.#vertices.set(id, copy)
    return copy
  }

  /** The copy of the edge with its properties and both its vertices; an edge of the same id is copied once. */
  addEdge(edge: Edge): Edge {
    const { id } = edge
    const present = this.#edges.get(id)
    if (present !== undefined) return present as Edge
    const copy = this.#source.copyEdge(edge, this.addVertex(edge.outVertex), this.addVertex(edge.inVertex))
    this.#edges.set(id, copy)
    return copy
  }

  /** The copies so far, in the order in which they were added. */
  result(): SubGraph {
    return new SubGraph([...this.#vertices.values()] as Array<Vertex>, [...this.#edges.values()] as Array<Edge>)
  }
}
