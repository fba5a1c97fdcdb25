import { Pending } from "../../scheduling/Pending.ts"
import { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { BigMap } from "../../structure/containers/BigMap.ts"
import type { Ref } from "../../structure/elements/Element.ts"
import { ElementRefused, TransactionConflict, UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import type { GraphStore, GraphTransaction } from "../../structure/graph/GraphStore.ts"
import type { StreamedEdge, StreamedVertex } from "../../structure/graph/GraphStream.ts"
import { text } from "../../structure/texts/Text.ts"
import { EdgeEnds } from "./EdgeEnds.ts"
import { ImportCounts } from "./ImportCounts.ts"
import { type Item, ItemLoader, ItemRefused, idName, isOfOne, itemBytes, verticesOf } from "./ImportItems.ts"
import type { ImportPlan } from "./ImportPlan.ts"
import type { ImportRecord } from "./ImportRecords.ts"
import { BEGIN, DEFAULT_EDGE_LABEL, type ImportPosition, type ImportTarget, PIECE_BYTES } from "./ImportTarget.ts"
import { ItemWriter } from "./ItemWriter.ts"
import { defineMixed } from "./KeySurvey.ts"
import { pause, type ToolContext } from "./Report.ts"
import { knownVertices } from "./Upserts.ts"

/** Elements of one commit of a transaction. */
const COMMIT_ELEMENTS = 2000
/** Estimated bytes of the elements that wait for a commit, above which the commit begins, whatever their number. */
const COMMIT_BYTES = 32 * 1024 * 1024
/** {@link COMMIT_BYTES} while other requests share the event loop. */
const SHARED_COMMIT_BYTES = 1024 * 1024
/** Relation ids that are reserved for each element: itself and its properties. */
const RELATIONS_PER_ELEMENT = 16
/** Attempts of a commit that conflicts. */
const MAX_ATTEMPTS = 5

/** An import that began without transactions, when the schema had no rules. */
interface BegunImport {
  /** Its last commit. */
  readonly position: ImportPosition
  /** The elements since then. */
  readonly items: ReadonlyArray<Item>
  /** The id of a vertex of the files that is in the graph, or among the items. */
  readonly idOf: (name: string) => unknown
  readonly ends: EdgeEnds
}

/**
 * Imports through transactions, into any graph. A graph whose store answers later loads elements without transactions where they
 * need no check. An interrupted import cannot resume, but the graph records it.
 */
export class TransactionTarget implements ImportTarget {
  readonly begun = BEGIN
  readonly fixesTypes: boolean
  readonly resumes = false
  readonly #graph: GraphStore
  readonly #plan: ImportPlan
  readonly #ends: EdgeEnds
  readonly #writer: ItemWriter
  readonly #began = new Date().toISOString()
  /** Ids of the graph by ids of the files; null for a vertex that is not committed yet. */
  readonly #ids = new BigMap<string, unknown>()
  /** The ids of vertices that were added without transactions. */
  readonly #idOf: (name: string) => unknown
  #items: Array<Item> = []
  /** Estimated bytes of the items. */
  #bytes = 0
  readonly #commitBytes: number
  readonly #signal: AbortSignal
  readonly #loader: ItemLoader | undefined
  #position: ImportPosition
  readonly #counts: ImportCounts
  #recorded = false

  /**
   * `shared`: other clients use the process, which a long commit would stop. An aborted `signal` stops the import.
   *
   * @param begun an interrupted import that this target continues
   */
  constructor(
    graph: GraphStore,
    plan: ImportPlan,
    { shared, signal }: Pick<ToolContext, "shared" | "signal">,
    begun?: BegunImport
  ) {
    this.#graph = graph
    this.#plan = plan
    this.#signal = signal
    this.#commitBytes = shared ? SHARED_COMMIT_BYTES : COMMIT_BYTES
    const isLoaded = graph instanceof CellGraph && graph.core.cells.answersLater && !plan.upsert
    this.#loader = isLoaded ? new ItemLoader(graph.core, shared) : undefined
    this.#ends = begun?.ends ?? new EdgeEnds(graph, plan)
    this.#writer = new ItemWriter(graph, plan)
    this.fixesTypes = graph instanceof CellGraph
    this.#position = begun?.position ?? BEGIN
    this.#counts = new ImportCounts(this.#position)
    this.#idOf = begun?.idOf ?? (() => undefined)
    for (const item of begun?.items ?? []) {
      if ("vertex" in item) this.#ids.set(idName(item.vertex.id), null)
      this.#take(item)
    }
  }

  get takesDefaultEdgeLabel(): boolean {
    return !(this.#graph instanceof CellGraph) || this.#graph.core.schema.labels.has(DEFAULT_EDGE_LABEL)
  }

  readonly pieceBytes = PIECE_BYTES

  get full(): boolean {
    return this.#items.length >= (this.#loader?.next ?? COMMIT_ELEMENTS) || this.#bytes >= this.#commitBytes
  }

  async defineMixed(keys: Parameters<ImportTarget["defineMixed"]>[0]): Promise<void> {
    if (this.#graph instanceof CellGraph) await defineMixed(this.#graph, keys)
  }

  vertex(vertex: StreamedVertex, origin: number): void {
    const name = idName(vertex.id)
    if (this.#known(name) !== undefined)
      throw new UnsupportedValue(`the vertex ${text(vertex.id)} occurs twice in the files`)
    this.#ids.set(name, null)
    this.#take({ vertex, origin })
  }

  /** The id of a vertex of the files: null until it is committed, undefined if the files have not named it. */
  #known(name: string): unknown {
    return this.#ids.has(name) ? this.#ids.get(name) : this.#idOf(name)
  }

  prepareEdges(context: ToolContext): Promise<void> {
    return this.#ends.prepare(context)
  }

  edge(edge: StreamedEdge, origin: number): void {
    this.#take({ edge, origin })
  }

  #take(item: Item): void {
    this.#items.push(item)
    this.#bytes += itemBytes(item)
  }

  async commit(position: ImportPosition): Promise<void> {
    const items = this.#items
    this.#items = []
    this.#bytes = 0
    for (let at = 0; at < items.length; ) {
      if (this.#signal.aborted) await pause(this.#signal)
      at += await this.#addSome(items.slice(at, at + (this.#loader?.next ?? COMMIT_ELEMENTS)))
    }
    this.#position = position
  }

  /** Adds the first of the elements, or all; returns their number. The graph records them first, because this may fail half-way. */
  async #addSome(items: ReadonlyArray<Item>): Promise<number> {
    this.#counts.begin(items)
    this.#recorded = true
    await this.#record("begun")
    try {
      return (await this.#load(items)) ? items.length : await this.#commitSome(items)
    } catch (error) {
      throw this.#counts.failed(error)
    }
  }

  /** Adds elements without a transaction. False if they need one. */
  async #load(items: ReadonlyArray<Item>): Promise<boolean> {
    const made = await this.#loader?.add(items, this.#ids)
    if (made === undefined) return false
    for (const [name, id] of made) this.#ids.set(name, id)
    this.#counts.add(items)
    return true
  }

  /** Adds the first of the elements in a transaction; returns their number. */
  async #commitSome(items: ReadonlyArray<Item>): Promise<number> {
    const some = items.slice(0, COMMIT_ELEMENTS)
    await this.#commitAll(some)
    return some.length
  }

  #record(state: ImportRecord["state"]): Promise<void> {
    const { edgeLabel, files, job, records } = this.#plan
    const { added, unsure } = this.#counts
    const position = { ...this.#position, ...added }
    const rest = state === "begun" ? { ...(unsure && { unsure }) } : { ended: new Date().toISOString() }
    return records.write(new Map([[job, { state, files, began: this.#began, position, edgeLabel, ...rest }]]))
  }

  /**
   * Commits elements. When one is refused, those before it are committed and the refused one is named. When only the commit
   * fails, the element is found by bisection.
   */
  async #commitAll(items: ReadonlyArray<Item>): Promise<void> {
    if (items.length === 0) return
    try {
      await this.#commitOnce(items)
      this.#counts.add(items)
    } catch (error) {
      if (error instanceof ItemRefused) {
        await this.#commitAll(items.slice(0, error.at))
        throw new ElementRefused(items[error.at]!.origin, error)
      }
      if (!isOfOne(error)) throw error
      if (items.length === 1) throw new ElementRefused(items[0]!.origin, error)
      const half = items.length >> 1
      await this.#commitAll(items.slice(0, half))
      await this.#commitAll(items.slice(half))
    }
  }

  async #commitOnce(items: ReadonlyArray<Item>): Promise<void> {
    for (let left = MAX_ATTEMPTS; ; left--) {
      await this.#awaitIds(items)
      const transaction = this.#graph.begin({ joinsStaticVertices: true })
      try {
        const made = await this.#addAll(transaction, items)
        await Pending.toPromise(transaction.commit())
        for (const [name, id] of made) this.#ids.set(name, id)
        return
      } catch (error) {
        transaction.rollback()
        if (!(error instanceof TransactionConflict) || left === 1) throw error
      }
    }
  }

  /** Adds elements to a transaction. Returns the ids of the new vertices by name. */
  async #addAll(transaction: GraphTransaction, items: ReadonlyArray<Item>): Promise<ReadonlyMap<string, unknown>> {
    const made = new Map<string, unknown>()
    const inTransaction = new Map<string, Ref>()
    const endOf = await this.#endsOf(transaction, items, inTransaction)
    const known = this.#plan.upsert ? await knownVertices(transaction, this.#ends, verticesOf(items)) : null
    for (const [at, item] of items.entries()) {
      try {
        if ("vertex" in item) {
          const ref = this.#writer.vertex(transaction, item.vertex, known)
          inTransaction.set(idName(item.vertex.id), ref)
          made.set(idName(item.vertex.id), transaction.vertexId(ref))
        } else this.#writer.edge(transaction, item.edge, endOf)
      } catch (error) {
        throw isOfOne(error) ? new ItemRefused(at, error) : error
      }
    }
    return made
  }

  /**
   * Returns a function that finds the ends of edges: new in this transaction, committed earlier, or in the graph before.
   */
  async #endsOf(
    transaction: GraphTransaction,
    items: ReadonlyArray<Item>,
    inTransaction: ReadonlyMap<string, Ref>
  ): Promise<(id: unknown) => Ref> {
    const unknown = new Map<string, unknown>()
    const committed: Array<unknown> = []
    for (const item of items) {
      if ("vertex" in item) continue
      for (const id of [item.edge.out, item.edge.in]) {
        const known = this.#known(idName(id))
        if (known === undefined) unknown.set(idName(id), id)
        else if (known !== null) committed.push(known)
      }
    }
    const found = await this.#ends.search(transaction, [...unknown.values()])
    await this.#fetch(transaction, [...committed, ...found.ids])
    return (id) => {
      const name = idName(id)
      const ref = inTransaction.get(name) ?? transaction.vertexRef(this.#known(name) ?? found.idOf(id))
      if (ref === -1) throw this.#ends.notFound(id)
      return ref
    }
  }

  async #fetch(transaction: GraphTransaction, ids: ReadonlyArray<unknown>): Promise<void> {
    if (!transaction.answersLater || ids.length === 0) return
    await Pending.toPromise(transaction.prefetch([{ kind: "vertexIds", ids }]))
  }

  /** When claims of ids take time, the ids of a commit are claimed before its transaction begins. */
  async #awaitIds(items: ReadonlyArray<Item>): Promise<void> {
    if (!(this.#graph instanceof CellGraph)) return
    const { ids, schema } = this.#graph.core
    await ids.ensure("vertex", COMMIT_ELEMENTS)
    await ids.ensure("relation", COMMIT_ELEMENTS * RELATIONS_PER_ELEMENT)
    const labels = verticesOf(items).map(({ label }) => schema.vertexLabels.get(label))
    await ids.ensure("unmodifiableVertex", labels.filter((label) => label?.static).length)
    await ids.ensure("partitionedVertex", labels.filter((label) => label?.partitioned).length)
  }

  finish(): Promise<void> {
    return this.#record("finished").then(() => {
      this.#recorded = false
    })
  }

  async close(): Promise<void> {
    // The record already says what is unknown, and a store that has failed may not take another.
    if (this.#recorded && this.#counts.unsure === undefined) await this.#record("begun")
  }
}
