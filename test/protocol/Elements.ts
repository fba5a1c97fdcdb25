import { BulkSet } from "../../src/structure/collections/Collections.ts"
import { Detached, type Edge, type Vertex } from "../../src/structure/elements/Element.ts"

// Values of TinkerPop's toy graph, which the tests of the formats write.

const graph = new Detached()

/** The vertex marko with its name and age. */
export const marko = (): Vertex => {
  const vertex = graph.addVertex(1, "person")
  graph.addVertexProperty(vertex, 0n, "name", "marko", null)
  graph.addVertexProperty(vertex, 1n, "age", 29, null)
  return vertex
}

/** The edge from marko to lop with its weight. */
export const created = (): Edge => {
  const edge = graph.addEdge(9, "created", marko(), graph.addVertex(3, "software"))
  graph.addEdgeProperty(edge, "weight", 0.4)
  return edge
}

/** A bulk set that contains marko once and josh twice. */
export const bulkSet = (): BulkSet => {
  const set = new BulkSet()
  set.add("marko", 1)
  set.add("josh", 2)
  return set
}
