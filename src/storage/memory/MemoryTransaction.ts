import type { Pending } from "../../scheduling/Pending.ts"
import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { Property, Ref, VertexProperty } from "../../structure/elements/Element.ts"
import type { GraphStore, GraphTransaction } from "../../structure/graph/GraphStore.ts"
import type { VertexPropertyOptions } from "../../structure/graph/GraphWrites.ts"
import type { EnumValue } from "../../structure/scalars/Enums.ts"
import { Journal } from "../shared/Journal.ts"
import { Commit } from "./Commit.ts"
import { ElementWriter } from "./ElementWriter.ts"
import type { GraphData } from "./GraphData.ts"
import { MemoryReads } from "./MemoryReads.ts"
import { PropertyWriter } from "./PropertyWriter.ts"
import type { Snapshot } from "./Snapshots.ts"
import { WriteContext } from "./WriteContext.ts"

/** A transaction over a graph in memory: everything is answered at once. */
export class MemoryTransaction extends MemoryReads implements GraphTransaction {
  readonly store: GraphStore
  readonly answersLater = false
  readonly #snapshot: Snapshot
  readonly #readOnly: boolean
  /** Made by the first write. */
  #context: WriteContext | undefined
  #elements: ElementWriter | undefined
  #properties: PropertyWriter | undefined
  readonly #journal: Journal
  #ended = false
  /** Its commit waits for another one, or is made in slices. */
  #committing = false

  constructor(store: GraphStore, data: GraphData, readOnly: boolean) {
    const journal = new Journal()
    super(data, journal)
    this.store = store
    this.#journal = journal
    this.#readOnly = readOnly
    this.#snapshot = data.snapshots.acquire(data.clock.complete)
  }

  get changes(): number {
    return this.#context?.changes ?? 0
  }

  get dirty(): boolean {
    return this.vertexView.own !== null || this.edgeView.own !== null
  }

  get heldBytes(): number {
    return this.#journal.bytes
  }

  prefetch(): undefined {
    return undefined
  }

  #writeContext(): WriteContext {
    if (this.#context === undefined) {
      const views = { vertices: this.vertexView, edges: this.edgeView, adjacency: this.adjacencyView }
      this.#context = new WriteContext(this, this.data, views, this.#readOnly)
    }
    return this.#context
  }

  get #elementWriter(): ElementWriter {
    return (this.#elements ??= new ElementWriter(this.#writeContext()))
  }

  get #propertyWriter(): PropertyWriter {
    return (this.#properties ??= new PropertyWriter(this.#writeContext()))
  }

  freeIdTask(): undefined {
    // No element expires.
    return undefined
  }

  addVertex(label: string, id: unknown): Ref {
    return this.#elementWriter.addVertex(label, id)
  }

  addEdge(out: Ref, label: string, into: Ref, id: unknown): Ref {
    return this.#elementWriter.addEdge(out, label, into, id)
  }

  setVertexProperty(
    ref: Ref,
    cardinality: EnumValue | null,
    key: string,
    value: unknown,
    options?: VertexPropertyOptions
  ): VertexProperty {
    return this.#propertyWriter.setVertexProperty(ref, cardinality, key, value, options)
  }

  setMetaProperty(property: VertexProperty, key: string, value: unknown): VertexProperty {
    return this.#propertyWriter.setMetaProperty(property, key, value)
  }

  setEdgeProperty(ref: Ref, key: string, value: unknown): Property {
    return this.#propertyWriter.setEdgeProperty(ref, key, value)
  }

  removeVertex(ref: Ref): void {
    this.#elementWriter.removeVertex(ref)
  }

  removeVertexTask(ref: Ref, slice: TimeSlice): Task {
    return this.#elementWriter.removeVertexTask(ref, slice)
  }

  removeEdge(ref: Ref): void {
    this.#elementWriter.removeEdge(ref)
  }

  removeVertexProperty(property: VertexProperty): void {
    this.#propertyWriter.removeVertexProperty(property)
  }

  removeProperty(property: Property): void {
    this.#propertyWriter.removeProperty(property)
  }

  commit(): Pending | undefined {
    this.vertexView.assertOpen()
    if (this.#committing) throw new Error("The transaction is being committed; begin another one.")
    if (!this.dirty) {
      this.rollback()
      return undefined
    }
    this.#committing = true
    const context = this.#writeContext()
    const begin = (): void => {
      this.vertexView.assertOpen()
      this.data.assertTakesWrites()
      context.assertRoom()
      this.#giveSnapshotBack()
    }
    const end = (): void => {
      this.#committing = false
      this.rollback()
    }
    return this.data.commits.add(new Commit(this.data, context.views, begin, end))
  }

  savepoint(): void {
    this.#journal.setSavepoint()
  }

  rollbackToSavepoint(): Pending | undefined {
    this.vertexView.assertOpen()
    this.#writeContext().changes++
    return this.#journal.takeBack()
  }

  /** Of no effect once the transaction is being committed. */
  rollback(): void {
    if (this.#committing) return
    this.#giveSnapshotBack()
    this.adjacencyView.end()
    this.vertexView.end()
    this.edgeView.end()
    this.data.cut()
  }

  #giveSnapshotBack(): void {
    if (this.#ended) return
    this.#ended = true
    this.data.snapshots.release(this.#snapshot)
  }
}
