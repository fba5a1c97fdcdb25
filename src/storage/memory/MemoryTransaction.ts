import type { Pending } from "../../scheduling/Pending.ts"
import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { Edge, Property, type Ref, Vertex, type VertexProperty } from "../../structure/Element.ts"
import type { EnumValue } from "../../structure/Enums.ts"
import type {
  Cursor,
  DirectionName,
  Expansion,
  GraphCounts,
  GraphStore,
  GraphTransaction,
  IndexChoice,
  IndexQuery,
  LabelSet,
  PropertyReader,
  RefColumn,
  RefScan
} from "../../structure/GraphStore.ts"
import { Journal } from "../shared/Journal.ts"
import { AdjacencyView } from "./AdjacencyView.ts"
import { Commit } from "./Commit.ts"
import type { GraphData } from "./GraphData.ts"
import { lookupKey } from "./IdTable.ts"
import { chooseIndex, MemoryIndexChoice, searchIndex } from "./IndexQueries.ts"
import { MemoryLabelSet } from "./Labels.ts"
import { TableScan } from "./Scans.ts"
import type { Snapshot } from "./Snapshots.ts"
import { TableView } from "./TableView.ts"
import { handle, Writer } from "./Writer.ts"

/** Steps ask for it to see what kind of column it is. */
const noRefs = new Int32Array(0)

/** A transaction over a graph in memory: everything is answered at once. */
export class MemoryTransaction implements GraphTransaction {
  readonly store: GraphStore
  readonly answersLater = false
  readonly #data: GraphData
  readonly #vertices: TableView
  readonly #edges: TableView
  readonly #adjacency: AdjacencyView
  readonly #snapshot: Snapshot
  readonly #writer: Writer
  readonly #journal = new Journal()
  #changes = 0
  #ended = false
  /** Its commit waits for another one, or is made in pieces. */
  #committing = false

  constructor(store: GraphStore, data: GraphData, readOnly: boolean) {
    this.store = store
    this.#data = data
    this.#vertices = new TableView(data.vertices, data.clock, this.#journal)
    this.#edges = new TableView(data.edges, data.clock, this.#journal)
    this.#adjacency = new AdjacencyView(data, this.#edges)
    this.#writer = new Writer(this, data, this.#vertices, this.#edges, this.#adjacency, readOnly)
    this.#snapshot = data.snapshots.acquire(data.clock.complete)
  }

  get changes(): number {
    return this.#changes
  }

  get dirty(): boolean {
    return this.#vertices.own !== null || this.#edges.own !== null
  }

  get heldBytes(): number {
    return this.#writer.bytes
  }

  get counts(): GraphCounts {
    return {
      vertices: (labels) => this.#vertices.count(labels),
      edges: (labels) => this.#edges.count(labels),
      byLabel: (element) => (element === "vertex" ? this.#vertices : this.#edges).countByLabel()
    }
  }

  newRefs(capacity: number): Int32Array {
    return capacity === 0 ? noRefs : new Int32Array(capacity)
  }

  prefetch(): undefined {
    return undefined
  }

  // Elements by id, scans and indexes

  vertexRef(id: unknown): Ref {
    return id === null || id === undefined ? -1 : this.#vertices.find(lookupKey(this.#data.vertexIds.convert(id)))
  }

  edgeRef(id: unknown): Ref {
    return id === null || id === undefined ? -1 : this.#edges.find(lookupKey(this.#data.edgeIds.convert(id)))
  }

  scanVertices(labels: readonly string[] | null): RefScan {
    return new TableScan(this.#vertices, labels && new MemoryLabelSet(labels, this.#data.vertices.labels))
  }

  scanEdges(labels: readonly string[] | null): RefScan {
    return new TableScan(this.#edges, labels && new MemoryLabelSet(labels, this.#data.edges.labels))
  }

  chooseIndex(query: IndexQuery): IndexChoice | undefined {
    return chooseIndex(this.#view(query), query)
  }

  searchIndex(query: IndexQuery, choice: IndexChoice): RefScan {
    if (!(choice instanceof MemoryIndexChoice)) throw new Error(`The index ${choice.name} was not chosen by this graph`)
    return searchIndex(this.#view(query), query, choice)
  }

  #view(query: IndexQuery): TableView {
    return query.element === "vertex" ? this.#vertices : this.#edges
  }

  // Adjacency

  edgeLabels(labels: readonly string[]): LabelSet {
    return new MemoryLabelSet(labels, this.#data.edges.labels)
  }

  adjacentVertices(
    refs: RefColumn,
    length: number,
    direction: DirectionName,
    labels: LabelSet | null,
    cursor: Cursor,
    limit: number,
    out: Expansion
  ): boolean {
    const set = labels as MemoryLabelSet | null
    return this.#adjacency.expand(false, refs as Int32Array, length, direction, set, cursor, limit, out)
  }

  incidentEdges(
    refs: RefColumn,
    length: number,
    direction: DirectionName,
    labels: LabelSet | null,
    cursor: Cursor,
    limit: number,
    out: Expansion
  ): boolean {
    const set = labels as MemoryLabelSet | null
    return this.#adjacency.expand(true, refs as Int32Array, length, direction, set, cursor, limit, out)
  }

  degree(ref: Ref, direction: DirectionName, labels: LabelSet | null): number {
    return this.#adjacency.degree(ref, direction, labels as MemoryLabelSet | null)
  }

  edgeOutRef(edge: Ref): Ref {
    return this.#adjacency.outVertex(edge)
  }

  edgeInRef(edge: Ref): Ref {
    return this.#adjacency.inVertex(edge)
  }

  // Properties

  vertexReader(key: string): PropertyReader {
    return this.#vertices.reader(key)
  }

  edgeReader(key: string): PropertyReader {
    return this.#edges.reader(key)
  }

  vertexKeys(ref: Ref): readonly string[] {
    return this.#vertices.keys(ref)
  }

  edgeKeys(ref: Ref): readonly string[] {
    return this.#edges.keys(ref)
  }

  hasVertex(ref: Ref): boolean {
    return this.#vertices.has(ref)
  }

  hasEdge(ref: Ref): boolean {
    return this.#edges.has(ref)
  }

  vertexId(ref: Ref): unknown {
    return this.#vertices.id(ref)
  }

  vertexLabel(ref: Ref): string {
    return this.#vertices.label(ref)
  }

  edgeId(ref: Ref): unknown {
    return this.#edges.id(ref)
  }

  edgeLabel(ref: Ref): string {
    return this.#edges.label(ref)
  }

  edgeOutVertex(ref: Ref): Vertex {
    return new Vertex(this, this.#adjacency.outVertex(ref))
  }

  edgeInVertex(ref: Ref): Vertex {
    return new Vertex(this, this.#adjacency.inVertex(ref))
  }

  vertexProperties(ref: Ref, keys: readonly string[] | null): readonly VertexProperty[] {
    const found: Array<VertexProperty> = []
    const vertex = new Vertex(this, ref)
    for (const key of wantedKeys(this.#vertices, ref, keys)) {
      for (const entry of this.#vertices.state(key, ref)?.entries ?? []) found.push(handle(vertex, key, entry))
    }
    return found
  }

  edgeProperties(ref: Ref, keys: readonly string[] | null): readonly Property[] {
    const found: Array<Property> = []
    const edge = new Edge(this, ref)
    for (const key of wantedKeys(this.#edges, ref, keys)) {
      const state = this.#edges.state(key, ref)
      if (state !== undefined) found.push(new Property(edge, key, state.value))
    }
    return found
  }

  vertex(ref: Ref): Vertex {
    return new Vertex(this, ref)
  }

  edge(ref: Ref): Edge {
    return new Edge(this, ref)
  }

  refOfVertex(vertex: Vertex): Ref {
    return vertex.source === this ? vertex.ref : this.vertexRef(vertex.id)
  }

  refOfEdge(edge: Edge): Ref {
    return edge.source === this ? edge.ref : this.edgeRef(edge.id)
  }

  // Writes

  /** The writer, for a change that {@link changes} counts. */
  get #changing(): Writer {
    this.#changes++
    return this.#writer
  }

  addVertex(label: string, id: unknown): Ref {
    return this.#changing.addVertex(label, id)
  }

  addEdge(out: Ref, label: string, into: Ref, id: unknown): Ref {
    return this.#changing.addEdge(out, label, into, id)
  }

  setVertexProperty(
    ref: Ref,
    cardinality: EnumValue | null,
    key: string,
    value: unknown,
    id: unknown,
    meta: ReadonlyMap<string, unknown> | null
  ): VertexProperty {
    return this.#changing.setVertexProperty(ref, cardinality, key, value, id, meta)
  }

  setMetaProperty(property: VertexProperty, key: string, value: unknown): VertexProperty {
    return this.#changing.setMetaProperty(property, key, value)
  }

  setEdgeProperty(ref: Ref, key: string, value: unknown): Property {
    return this.#changing.setEdgeProperty(ref, key, value)
  }

  removeVertex(ref: Ref): void {
    this.#changing.removeVertex(ref)
  }

  removeVertexTask(ref: Ref, slice: TimeSlice): Task {
    return this.#changing.removeVertexTask(ref, slice)
  }

  removeEdge(ref: Ref): void {
    this.#changing.removeEdge(ref)
  }

  removeVertexProperty(property: VertexProperty): void {
    this.#changing.removeVertexProperty(property)
  }

  removeProperty(property: Property): void {
    this.#changing.removeProperty(property)
  }

  // End

  commit(): Pending | undefined {
    this.#vertices.assertOpen()
    if (this.#committing) throw new Error("The transaction is being committed; begin another one.")
    if (!this.dirty) {
      this.rollback()
      return undefined
    }
    this.#committing = true
    const begin = (): void => {
      this.#vertices.assertOpen()
      this.#data.assertTakesWrites()
      this.#writer.assertRoom()
      this.#giveSnapshotBack()
    }
    const end = (): void => {
      this.#committing = false
      this.rollback()
    }
    const changes = { vertices: this.#vertices, edges: this.#edges, adjacency: this.#adjacency }
    return this.#data.commits.add(new Commit(this.#data, changes, begin, end))
  }

  savepoint(): void {
    this.#journal.mark()
  }

  rollbackToSavepoint(): Pending | undefined {
    this.#vertices.assertOpen()
    this.#changes++
    return this.#journal.takeBack()
  }

  /** Of no effect once the transaction is being committed. */
  rollback(): void {
    if (this.#committing) return
    this.#giveSnapshotBack()
    this.#adjacency.end()
    this.#vertices.end()
    this.#edges.end()
    this.#data.cut()
  }

  #giveSnapshotBack(): void {
    if (this.#ended) return
    this.#ended = true
    this.#data.snapshots.release(this.#snapshot)
  }
}

/** Keys to give properties of, in the element's order, each once. */
const wantedKeys = (view: TableView, ref: Ref, keys: readonly string[] | null): readonly string[] => {
  if (keys === null) return view.keys(ref)
  return keys.length === 1 ? keys : view.keys(ref).filter((key) => keys.includes(key))
}
