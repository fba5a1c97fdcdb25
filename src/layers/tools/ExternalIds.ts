import { Pending } from "../../scheduling/Pending.ts"
import { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { typedValue } from "../../storage/janusgraph/schema/TypeInference.ts"
import { UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import type { IndexQuery, RefScan } from "../../structure/graph/GraphReads.ts"
import type { GraphStore, GraphTransaction } from "../../structure/graph/GraphStore.ts"
import { text } from "../../structure/texts/Text.ts"
import type { ToolContext } from "./Report.ts"
import { vertexPieces } from "./Walk.ts"

/** Vertices that are scanned when no index has the key. A larger graph needs an index. */
const MAX_SCANNED_VERTICES = 200_000

/** Vertices that are read for one id: a second one means that the id is ambiguous. */
const MAX_MATCHES = 2

/** Marks an id that several vertices have. */
const SEVERAL = Symbol("several")

/** An id of a file as --id-property stores it. Ids of Neo4j are prefixed with their id space. */
export const externalId = (id: unknown): string => text(id).replace("\u0000", ":")

/** Finds vertices of a graph by the ids that an earlier import stored under a key (`--id-property`). */
export class ExternalIds {
  readonly #graph: GraphStore
  readonly #key: string
  /** Ids of the graph by ids of the files when no index has the key; undefined when one has. */
  #scanned: Map<string, unknown> | undefined = new Map()
  #tooMany = false

  constructor(graph: GraphStore, key: string) {
    this.#graph = graph
    this.#key = key
  }

  /** Chooses an index, or scans the vertices when there are few. Without this call nothing is found. */
  async prepare(context: ToolContext): Promise<void> {
    if (this.#isIndexed()) {
      this.#scanned = undefined
      return
    }
    if (this.#graph instanceof CellGraph && !this.#graph.core.schema.keys.has(this.#key)) return
    const scanned = new Map<string, unknown>()
    this.#scanned = scanned
    const transaction = this.#graph.begin({ readOnly: true })
    let looked = 0
    try {
      for await (const piece of vertexPieces(transaction, context.signal)) {
        for (const vertex of piece) {
          for (const { value } of vertex.properties([this.#key])) {
            scanned.set(externalId(value), scanned.has(externalId(value)) ? SEVERAL : vertex.id)
          }
        }
        looked += piece.length
        const stage = `vertices by ${this.#key}`
        context.report({ stage, done: looked, total: undefined, unit: "vertex", note: "no index has the key" })
        if (looked > MAX_SCANNED_VERTICES) {
          this.#tooMany = true
          return
        }
      }
    } finally {
      transaction.rollback()
    }
  }

  /** True when a composite index over all vertices has the key alone. */
  #isIndexed(): boolean {
    if (!(this.#graph instanceof CellGraph)) return this.#graph.management.indexedKeys("vertex").includes(this.#key)
    return this.#graph.core.schema.indexes.some(
      ({ element, fields, kind, onlyLabel, status }) =>
        element === "vertex" &&
        kind === "equality" &&
        status === "ENABLED" &&
        onlyLabel === undefined &&
        fields.length === 1 &&
        fields[0]!.name === this.#key
    )
  }

  /**
   * The id in the graph of the vertex with an id of the files; undefined when there is none. For synchronous graphs only.
   * Throws UnsupportedValue when several vertices have the id.
   */
  find(transaction: GraphTransaction, id: unknown): unknown {
    return this.#scanned === undefined
      ? this.#found(transaction, id, this.#open(transaction, id))
      : this.#ofScanned(id, this.#scanned)
  }

  /** As find() for many ids, and for every graph: returns a function that does what {@link find} does. */
  async search(transaction: GraphTransaction, ids: ReadonlyArray<unknown>): Promise<(id: unknown) => unknown> {
    const scanned = this.#scanned
    if (scanned !== undefined) return (id) => this.#ofScanned(id, scanned)
    if (transaction.answersLater) await Pending.toPromise(transaction.prefetch([]))
    const searches = new Map(ids.map((id) => [externalId(id), this.#open(transaction, id)]))
    const scans = [...searches.values()].filter((scan) => scan !== undefined)
    if (transaction.answersLater && scans.length > 0) {
      await Pending.toPromise(
        transaction.prefetch(scans.map((scan) => ({ kind: "scan", scan, max: MAX_MATCHES }) as const))
      )
    }
    return (id) => this.#found(transaction, id, searches.get(externalId(id)))
  }

  #open(transaction: GraphTransaction, id: unknown): RefScan | undefined {
    const query = this.#query(externalId(id))
    if (query === undefined) return undefined
    const choice = transaction.chooseIndex(query)
    if (choice === undefined) throw this.#needsIndex()
    return transaction.searchIndex(query, choice)
  }

  #found(transaction: GraphTransaction, id: unknown, search: RefScan | undefined): unknown {
    if (search === undefined) return undefined
    const found = { refs: transaction.newRefs(MAX_MATCHES), length: 0 }
    search.next(MAX_MATCHES, found)
    search.close()
    if (found.length > 1) throw this.#several(id)
    return found.length === 0 ? undefined : transaction.vertexId(found.refs[0]!)
  }

  #ofScanned(id: unknown, scanned: ReadonlyMap<string, unknown>): unknown {
    if (this.#tooMany) throw this.#needsIndex()
    const found = scanned.get(externalId(id))
    if (found === SEVERAL) throw this.#several(id)
    return found
  }

  /** Undefined when the id cannot be a value of the key. */
  #query(name: string): IndexQuery | undefined {
    const of = { element: "vertex", labels: null } as const
    if (!(this.#graph instanceof CellGraph)) {
      // Without a schema, a column of numbers may have stored the id as a number.
      const values = /^-?\d{1,15}$/.test(name) ? [name, Number(name)] : [name]
      return { ...of, conditions: [{ key: this.#key, operator: "within", value: values }] }
    }
    const key = this.#graph.core.schema.keys.get(this.#key)
    try {
      if (key === undefined) return undefined
      return { ...of, conditions: [{ key: this.#key, operator: "eq", value: typedValue(key, name) }] }
    } catch (error) {
      if (error instanceof UnsupportedValue) return undefined
      throw error
    }
  }

  #several(id: unknown): UnsupportedValue {
    return new UnsupportedValue(`several vertices of the graph have '${externalId(id)}' under ${this.#key}`)
  }

  #needsIndex(): UnsupportedValue {
    const key = this.#key
    const index =
      this.#graph instanceof CellGraph
        ? `mgmt.buildIndex('by_${key}', Vertex.class).addKey(mgmt.getPropertyKey('${key}')).buildCompositeIndex()`
        : `graph.createIndex('${key}', Vertex.class)`
    return new UnsupportedValue(
      `an edge leads to a vertex that is not in the files, and the graph has no index of ${key} to find it: create one with ${index}, and run the command again`
    )
  }
}
