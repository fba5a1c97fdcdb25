import type { HostObject } from "../../gremlin/ScriptObjects.ts"
import { Pending } from "../../scheduling/Pending.ts"
import { MemoryGraph } from "../../storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../storage/memory/Options.ts"
import { keyOf } from "../../structure/collections/Equivalence.ts"
import type { Ref, Vertex } from "../../structure/elements/Element.ts"
import type { SubGraph } from "../../structure/elements/SubGraph.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import { Cardinality } from "../../structure/scalars/Enums.ts"
import type { CallContext } from "./GraphCalls.ts"
import { keepGraph, MADE_GRAPH } from "./ToyGraphCalls.ts"

/** Elements that are copied before other requests are served. */
const CHUNK_ELEMENTS = 500

/** The result of subgraph() as a graph in memory that only the request or session uses, with the ids and properties of its elements. */
export const graphOfSubGraph = async (subGraph: SubGraph, context: CallContext): Promise<HostObject> => {
  const store = new MemoryGraph(tinkerGraph(MADE_GRAPH, { maxBytes: context.maxGraphBytes }))
  const kept = keepGraph(store, context)
  const transaction = store.begin()
  try {
    await copy(subGraph, transaction)
    await Pending.toPromise(transaction.commit())
  } catch (error) {
    transaction.rollback()
    throw error
  }
  return kept
}

const copy = async ({ edges, vertices }: SubGraph, transaction: GraphTransaction): Promise<void> => {
  const refs = new Map<unknown, Ref>()
  let copied = 0
  const pause = (): Promise<void> | undefined =>
    ++copied % CHUNK_ELEMENTS === 0 ? new Promise((resolve) => setImmediate(resolve)) : undefined
  for (const vertex of vertices) {
    refs.set(keyOf(vertex.id), copyVertex(vertex, transaction))
    const pausing = pause()
    if (pausing !== undefined) await pausing
  }
  for (const edge of edges) {
    const [out, into] = [refs.get(keyOf(edge.outVertex.id))!, refs.get(keyOf(edge.inVertex.id))!]
    const ref = transaction.addEdge(out, edge.label, into, edge.id)
    for (const { key, value } of edge.properties()) transaction.setEdgeProperty(ref, key, value)
    const pausing = pause()
    if (pausing !== undefined) await pausing
  }
}

const copyVertex = (vertex: Vertex, transaction: GraphTransaction): Ref => {
  const ref = transaction.addVertex(vertex.label, vertex.id)
  for (const { id, key, meta, value } of vertex.properties()) {
    transaction.setVertexProperty(ref, Cardinality.list, key, value, { id, meta })
  }
  return ref
}
