import type { Pending } from "../../../scheduling/Pending.ts"
import type { Task } from "../../../scheduling/Task.ts"
import { Edge, Property, type Ref, VertexProperty } from "../../../structure/elements/Element.ts"
import { ReadOnlyTransaction } from "../../../structure/errors/StoreErrors.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import type { BeginOptions, GraphStore, GraphTransaction } from "../../../structure/graph/GraphStore.ts"
import type { VertexPropertyOptions } from "../../../structure/graph/GraphWrites.ts"
import type { EnumValue } from "../../../structure/scalars/Enums.ts"
import { commitTransaction } from "../commit/TransactionCommit.ts"
import type { VertexId } from "../format/Ids.ts"
import type { GraphCore } from "../GraphCore.ts"
import { CellReads } from "./CellReads.ts"
import { Prefetch } from "./Prefetch.ts"
import type { ExpiredCounts } from "./writing/ExpiredWrites.ts"
import { Writers } from "./writing/Writers.ts"

/** `isNewest`: no cache and no replica that may be outdated answers reads. */
type CellBeginOptions = BeginOptions & { readonly isNewest?: boolean }

/** A transaction over cells: its reads, its writes, and its end. */
export class CellTransaction extends CellReads implements GraphTransaction {
  /** Null until the transaction writes or gets a savepoint. */
  #writers: Writers | null = null
  readonly #readOnly: boolean
  #changes = 0
  /** True while its commit is being prepared in time slices, or waits for reads. */
  #committing = false

  constructor(store: GraphStore, core: GraphCore, options: CellBeginOptions) {
    super(store, core, options.isNewest ?? false)
    this.#readOnly = options.readOnly ?? false
    this.reading.options = options
  }

  get dirty(): boolean {
    return this.reading.own !== null
  }

  get changes(): number {
    return this.#changes
  }

  get heldBytes(): number {
    const { edges, rows, searches, vertexRefs } = this.reading
    // Mostly the cells of the edges are cells of the rows. A sum would count these twice.
    const cells = Math.max(edges.cellBytes, rows.cellBytes)
    const read = cells + edges.heldBytes + rows.heldBytes + vertexRefs.heldBytes + searches.seenBytes
    return this.#writers === null ? read : read + this.#writers.state.journal.bytes
  }

  prefetch(reads: readonly Reads[]): Pending | undefined {
    this.reading.assertOpen()
    return new Prefetch(this.core, this.reading, this.snapshot).fetch(reads)
  }

  newIds(): Pending | undefined {
    return this.core.ids.scarce(this.reading.schema)
  }

  // ---- writes

  get #writing(): Writers {
    this.#writers ??= new Writers(this, this.reading, this.core, this.expander)
    return this.#writers
  }

  /** Called before each write. Throws when the transaction cannot write. */
  #beginWrite(): void {
    this.reading.assertOpen()
    if (this.#readOnly) throw new ReadOnlyTransaction("This transaction is read-only. Write in another transaction.")
    this.core.assertWritable()
    this.#changes++
  }

  freeIdTask(id: unknown): Task | undefined {
    // Nearly no graph has vertices that expire.
    if (id === undefined || id === null || this.reading.schema.expires === undefined) return undefined
    this.#beginWrite()
    return this.#writing.elements.freeIdTask(id)
  }

  addVertex(label: string, id: unknown): Ref {
    this.#beginWrite()
    return this.#writing.elements.addVertex(label, id)
  }

  addEdge(out: Ref, label: string, into: Ref, id: unknown): Ref {
    this.#beginWrite()
    return this.#writing.elements.addEdge(out, label, into, id)
  }

  setVertexProperty(
    ref: Ref,
    cardinality: EnumValue | null,
    key: string,
    value: unknown,
    { id, meta = null }: VertexPropertyOptions = {}
  ): VertexProperty {
    this.#beginWrite()
    this.#writing.vertexProperties.assertNoId(id)
    return this.#writing.vertexProperties.set(ref, cardinality, key, value, meta)
  }

  setMetaProperty(property: VertexProperty, key: string, value: unknown): VertexProperty {
    this.#beginWrite()
    return this.#writing.vertexProperties.setMeta(property, key, value)
  }

  setEdgeProperty(ref: Ref, key: string, value: unknown): Property {
    this.#beginWrite()
    const set = this.#writing.edgeProperties.set(ref, key, value)
    return set === undefined ? new Property(null, key, null) : new Property(new Edge(this, ref), key, set)
  }

  removeVertex(ref: Ref): void {
    this.#beginWrite()
    this.#writing.elements.removeVertex(ref)
  }

  removeVertexTask(ref: Ref): Task {
    this.#beginWrite()
    return this.#writing.elements.removingVertex(ref)
  }

  removeEdge(ref: Ref): void {
    this.#beginWrite()
    this.#writing.elements.removeEdge(ref)
  }

  /** See {@link ExpiredWrites.remove}. */
  removeExpired(id: VertexId, counts: ExpiredCounts, from?: Uint8Array): Generator<void, Uint8Array | undefined> {
    this.#beginWrite()
    return this.#writing.expired.remove(id, counts, from)
  }

  removeVertexProperty(property: VertexProperty): void {
    this.#beginWrite()
    this.#writing.vertexProperties.remove(property)
  }

  removeProperty({ element, key }: Property): void {
    this.#beginWrite()
    if (element instanceof VertexProperty) this.#writing.vertexProperties.removeMeta(element, key)
    else if (element !== null) this.#writing.edgeProperties.remove(this.refOfEdge(element), key)
  }

  // ---- the end

  commit(): Pending | undefined {
    this.reading.assertOpen()
    const { own } = this.reading
    if (own === null) {
      this.rollback()
      return undefined
    }
    if (this.#committing) throw new Error("The transaction is being committed; begin another one.")
    this.#committing = true
    const end = (): void => {
      this.#committing = false
      this.rollback()
    }
    try {
      this.core.assertWritable()
      return commitTransaction(this.core, this.reading, own, this.snapshot, end)
    } catch (error) {
      end()
      throw error
    }
  }

  savepoint(): void {
    this.#writing.state.journal.setSavepoint()
  }

  rollbackToSavepoint(): Pending | undefined {
    this.reading.assertOpen()
    this.#changes++
    return this.#writing.state.journal.takeBack()
  }

  /** Ends the transaction without a commit. Does nothing while the transaction is being committed. */
  rollback(): void {
    if (this.reading.isEnded || this.#committing) return
    this.reading.end()
    this.snapshot.close()
    // The commit still reads the rows of a transaction with changes.
    if (this.reading.own === null) this.reading.rows.release()
  }
}
