import { keyOf } from "../collections/Equivalence.ts"
import { Detached, type Edge, type Vertex } from "../elements/Element.ts"
import { SubGraph } from "../elements/SubGraph.ts"

/** Collects copies of elements into a {@link SubGraph} that outlives the transaction they were read in (subgraph()). */
export class GraphCopy {
  readonly #source = new Detached()
  readonly #vertices = new Map<unknown, Vertex>()
  readonly #edges = new Map<unknown, Edge>()

  /** The copy of the vertex with its properties; a vertex of the same id is copied once. */
  addVertex(vertex: Vertex): Vertex {
    const key = keyOf(vertex.id)
    const present = this.#vertices.get(key)
    if (present !== undefined) return present
    const copy = this.#source.copyVertex(vertex)
    this.#vertices.set(key, copy)
    return copy
  }

  /** The copy of the edge with its properties and both its vertices; an edge of the same id is copied once. */
  addEdge(edge: Edge): Edge {
    const key = keyOf(edge.id)
    const present = this.#edges.get(key)
    if (present !== undefined) return present
    const copy = this.#source.copyEdge(edge, this.addVertex(edge.outVertex), this.addVertex(edge.inVertex))
    this.#edges.set(key, copy)
    return copy
  }

  /** The copies so far, in the order in which they were added. */
  result(): SubGraph {
    return new SubGraph([...this.#vertices.values()], [...this.#edges.values()])
  }
}
