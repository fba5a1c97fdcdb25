import { addedWithId } from "../../process/io/GivenIds.ts"
import { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { severalValues } from "../../storage/janusgraph/maintenance/bulk/SeveralValues.ts"
import type { Ref } from "../../structure/elements/Element.ts"
import type { GraphStore, GraphTransaction } from "../../structure/graph/GraphStore.ts"
import { repeatedKeys, type StreamedEdge, type StreamedVertex } from "../../structure/graph/GraphStream.ts"
import { Cardinality } from "../../structure/scalars/Enums.ts"
import type { ImportPlan } from "./ImportPlan.ts"
import { withoutReplaced } from "./Upserts.ts"

/** Adds the elements of files to a transaction. */
export class ItemWriter {
  readonly #graph: GraphStore
  readonly #plan: ImportPlan

  constructor(graph: GraphStore, plan: ImportPlan) {
    this.#graph = graph
    this.#plan = plan
  }

  /** Adds a vertex, or changes the one that the graph has: the values of the file replace those of the same keys. */
  vertex(transaction: GraphTransaction, vertex: StreamedVertex, known: ((id: unknown) => unknown) | null): Ref {
    const there = known?.(vertex.id)
    if (there === undefined) {
      const taken = this.#graph.features.userSuppliedVertexIds
      const ref = this.#withId(vertex.id, taken, (given) => transaction.addVertex(vertex.label, given))
      this.#setProperties(transaction, ref, vertex)
      return ref
    }
    const ref = transaction.vertexRef(there)
    this.#setProperties(transaction, ref, withoutReplaced(transaction, ref, vertex, this.#plan.idProperty))
    return ref
  }

  #setProperties(transaction: GraphTransaction, ref: Ref, { properties }: StreamedVertex): void {
    const repeated = repeatedKeys(properties)
    for (const { cardinality, key, value, meta } of properties) {
      const several = repeated.has(key)
      const known = this.#graph instanceof CellGraph ? this.#graph.core.schema.keys.get(key) : undefined
      const how = known === undefined ? (cardinality ?? (several ? "list" : undefined)) : undefined
      // The last value would replace the others.
      if (several && (how === "single" || known?.cardinality === "SINGLE")) throw severalValues(key)
      transaction.setVertexProperty(
        ref,
        how === undefined ? null : Cardinality[how],
        key,
        value,
        meta === null ? undefined : { meta }
      )
    }
  }

  /** Adds an element with the id of the file, or with a generated one when the graph does not accept it. */
  #withId(id: unknown, taken: boolean, add: (id: unknown) => Ref): Ref {
    return addedWithId(taken ? id : undefined, add)
  }

  /** Adds an edge. `endOf` finds the vertices of its ends. */
  edge(
    transaction: GraphTransaction,
    { id, label, out, in: into, properties }: StreamedEdge,
    endOf: (id: unknown) => Ref
  ): void {
    const [from, to] = [endOf(out), endOf(into)]
    const { features } = this.#graph
    const ref = this.#withId(id, features.userSuppliedEdgeIds, (given) => transaction.addEdge(from, label, to, given))
    for (const [key, value] of properties) transaction.setEdgeProperty(ref, key, value)
  }
}
