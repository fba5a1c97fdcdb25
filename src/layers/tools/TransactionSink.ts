import { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import type { Ref } from "../../structure/Element.ts"
import { Cardinality } from "../../structure/Enums.ts"
import type { GraphStore, GraphTransaction } from "../../structure/GraphStore.ts"
import type { StreamedEdge, StreamedVertex } from "../../structure/GraphStream.ts"
import { ElementNotFound, TransactionConflict, UnsupportedValue } from "../../structure/StoreErrors.ts"
import { text } from "../../structure/Text.ts"
import { BEGIN, type GraphSink } from "./GraphSink.ts"
import { settled } from "./Walk.ts"

/** Elements of one commit. */
const ELEMENTS = 2000
/** Relations that are counted on for an element: itself, and its properties. */
const RELATIONS = 16
/** Commits that conflict with others are tried so often. */
const TRIES = 5

type Item = { readonly vertex: StreamedVertex } | { readonly edge: StreamedEdge }

/** Characters from which on V8 cuts a text out of another one without a copy, and so keeps all of the other one. */
const SLICED = 13

/** The name under which an id of a file is found again: numbers of all kinds are the same when their values are. */
export const idName = (id: unknown): string => {
  if (typeof id !== "string") return `\u0001${text(id)}`
  // A copy, because names are kept for long, and the id may be a part of a piece of the file.
  return id.length < SLICED ? id : Buffer.from(id, "utf16le").toString("utf16le")
}

/** Imports through the transactions of a graph: of any graph. Nothing is kept of an import that was interrupted. */
export class TransactionSink implements GraphSink {
  readonly begun = BEGIN
  readonly fixesCardinality: boolean
  readonly #graph: GraphStore
  /** Ids in the graph by the ids of the files. */
  readonly #ids = new Map<string, unknown>()
  #items: Array<Item> = []
  #transaction: GraphTransaction

  constructor(graph: GraphStore) {
    this.#graph = graph
    this.fixesCardinality = graph instanceof CellGraph
    this.#transaction = graph.begin()
  }

  get full(): boolean {
    return this.#items.length >= ELEMENTS
  }

  vertex(vertex: StreamedVertex): void {
    const name = idName(vertex.id)
    if (this.#ids.has(name)) throw new UnsupportedValue(`the vertex ${text(vertex.id)} is in the files twice`)
    this.#ids.set(name, null)
    this.#items.push({ vertex })
    this.#add({ vertex })
  }

  edge(edge: StreamedEdge): void {
    this.#items.push({ edge })
    this.#add({ edge })
  }

  #add(item: Item): void {
    if ("vertex" in item) this.#addVertex(item.vertex)
    else this.#addEdge(item.edge)
  }

  #addVertex({ id, label, properties }: StreamedVertex): void {
    const transaction = this.#transaction
    const { features } = this.#graph
    const ref = this.#withId(id, features.userSuppliedVertexIds, (given) => transaction.addVertex(label, given))
    this.#ids.set(idName(id), transaction.vertexId(ref))
    for (const { cardinality, key, value, meta } of properties) {
      const several = properties.filter((other) => other.key === key).length > 1
      const known = this.#graph instanceof CellGraph && this.#graph.core.schema.keys.has(key)
      const how = known ? undefined : (cardinality ?? (several ? "list" : undefined))
      transaction.setVertexProperty(ref, how === undefined ? null : Cardinality[how], key, value, undefined, meta)
    }
  }

  /** Adds something with the id of the file, or with a new one where the graph does not take it. */
  #withId(id: unknown, taken: boolean, add: (id: unknown) => Ref): Ref {
    if (id === undefined || !taken) return add(undefined)
    try {
      return add(id)
    } catch (error) {
      if (error instanceof UnsupportedValue) return add(undefined)
      throw error
    }
  }

  #addEdge({ id, label, out, in: into, properties }: StreamedEdge): void {
    const transaction = this.#transaction
    const [from, to] = [this.#end(out), this.#end(into)]
    const { features } = this.#graph
    const ref = this.#withId(id, features.userSuppliedEdgeIds, (given) => transaction.addEdge(from, label, to, given))
    for (const [key, value] of properties) transaction.setEdgeProperty(ref, key, value)
  }

  #end(id: unknown): Ref {
    const ref = this.#transaction.vertexRef(this.#ids.get(idName(id)) ?? id)
    if (ref === -1) {
      throw new ElementNotFound(
        `an edge leads to the vertex ${text(id)}, which is neither in the files nor in the graph`
      )
    }
    return ref
  }

  async commit(): Promise<void> {
    for (let left = TRIES; ; left--) {
      try {
        await settled(this.#transaction.commit())
        break
      } catch (error) {
        if (!(error instanceof TransactionConflict) || left === 1) throw error
        this.#transaction = this.#graph.begin()
        for (const item of this.#items) this.#add(item)
      }
    }
    this.#items = []
    await this.#awaitIds()
    this.#transaction = this.#graph.begin()
  }

  /** Where claims of ids take time, those of the next commit must be here before it is begun. */
  async #awaitIds(): Promise<void> {
    if (!(this.#graph instanceof CellGraph)) return
    const { ids } = this.#graph.core
    await ids.ensure("vertex", ELEMENTS)
    await ids.ensure("relation", ELEMENTS * RELATIONS)
  }

  finish(): Promise<void> {
    return Promise.resolve()
  }

  close(): Promise<void> {
    this.#transaction.rollback()
    return Promise.resolve()
  }
}
