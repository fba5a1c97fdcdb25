import { ElementNotFound } from "../../structure/errors/StoreErrors.ts"
import type { GraphStore, GraphTransaction } from "../../structure/graph/GraphStore.ts"
import { text } from "../../structure/texts/Text.ts"
import { ExternalIds, externalId } from "./ExternalIds.ts"
import type { ImportPlan } from "./ImportPlan.ts"
import type { ToolContext } from "./Report.ts"

/** The result of a search for many ends of edges. */
interface FoundEnds {
  /** The id in the graph of the vertex with an id of the files; undefined when there is none. */
  readonly idOf: (id: unknown) => unknown
  /** Ids of the graph that were found, or may exist. */
  readonly ids: ReadonlyArray<unknown>
}

/**
 * Finds ends of edges that are not in the files: by the key of `--id-property`, or without it by the ids of the graph. A
 * graph that generates ids numbers the imported vertices itself, and such a number may equal the id of another vertex in
 * the files; so for such a graph its ids are used only when the files contain only edges.
 */
export class EdgeEnds {
  readonly #plan: ImportPlan
  readonly #external: ExternalIds | undefined
  readonly #byId: boolean

  constructor(graph: GraphStore, plan: ImportPlan) {
    this.#plan = plan
    this.#external = plan.idProperty === undefined ? undefined : new ExternalIds(graph, plan.idProperty)
    this.#byId = this.#external === undefined && (graph.features.userSuppliedVertexIds || !plan.hasVertices)
  }

  async prepare(context: ToolContext): Promise<void> {
    if (!this.#plan.wasEmpty) await this.#external?.prepare(context)
  }

  /** The id in the graph; undefined when there is none. For synchronous graphs only. Throws UnsupportedValue. */
  find(transaction: GraphTransaction, id: unknown): unknown {
    if (this.#external !== undefined) return this.#external.find(transaction, id)
    const ref = this.#byId ? transaction.vertexRef(id) : -1
    return ref === -1 ? undefined : transaction.vertexId(ref)
  }

  /** As find() for many ids, and for every graph. */
  async search(transaction: GraphTransaction, ids: ReadonlyArray<unknown>): Promise<FoundEnds> {
    if (this.#external === undefined) {
      return { idOf: (id) => (this.#byId ? id : undefined), ids: this.#byId ? ids : [] }
    }
    const find = await this.#external.search(transaction, ids)
    const found = new Map<string, unknown>()
    for (const id of ids) {
      const there = attempt(() => find(id))
      found.set(externalId(id), there)
    }
    const idOf = (id: unknown): unknown => {
      const there = found.get(externalId(id))
      if (there instanceof Error) throw there
      return there
    }
    return { idOf, ids: [...found.values()].filter((id) => id !== undefined && !(id instanceof Error)) }
  }

  notFound(id: unknown): ElementNotFound {
    const { idProperty } = this.#plan
    const name = text(id).replace("\u0000", ":")
    const where =
      idProperty === undefined
        ? "neither in the files nor in the graph; if an earlier import kept its ids, name their key with --id-property"
        : `neither in the files nor in the graph, where no vertex has '${externalId(id)}' under ${idProperty}`
    return new ElementNotFound(`an edge leads to the vertex ${name}, which is ${where}`)
  }
}

/** The result of a function, or the error that it throws, which concerns one element. */
const attempt = (make: () => unknown): unknown => {
  try {
    return make()
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}
