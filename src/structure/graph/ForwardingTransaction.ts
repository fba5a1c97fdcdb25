import type { Pending } from "../../scheduling/Pending.ts"
import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import {
  Edge,
  type Element,
  type ElementState,
  type Property,
  type Ref,
  Vertex,
  type VertexProperty
} from "../elements/Element.ts"
import type { EnumValue } from "../scalars/Enums.ts"
import type {
  Cursor,
  DirectionName,
  EdgeRequest,
  GraphCounts,
  IndexChoice,
  IndexCondition,
  IndexQuery,
  LabelSet,
  PropertyReader,
  Reads,
  RefColumn,
  RefScan
} from "./GraphReads.ts"
import type { GraphStore, GraphTransaction } from "./GraphStore.ts"
import type { VertexPropertyOptions } from "./GraphWrites.ts"

/**
 * A transaction that forwards every call to another one; subclasses change some of the answers. It makes its own handles, so
 * that the properties of a handle have the changed answers, too.
 */
export abstract class ForwardingTransaction implements GraphTransaction {
  protected readonly inner: GraphTransaction

  constructor(inner: GraphTransaction) {
    this.inner = inner
  }

  get store(): GraphStore {
    return this.inner.store
  }

  get answersLater(): boolean {
    return this.inner.answersLater
  }

  get dirty(): boolean {
    return this.inner.dirty
  }

  get changes(): number | undefined {
    return this.inner.changes
  }

  get stateOf(): ((element: Element) => ElementState) | undefined {
    const { inner } = this
    return inner.stateOf === undefined ? undefined : (element) => inner.stateOf!(element)
  }

  get isPast(): boolean {
    return this.inner.isPast === true
  }

  get heldBytes(): number {
    return this.inner.heldBytes
  }

  get counts(): GraphCounts {
    return this.inner.counts
  }

  newRefs(capacity: number): RefColumn {
    return this.inner.newRefs(capacity)
  }

  prefetch(reads: readonly Reads[]): Pending | undefined {
    return this.inner.prefetch(reads)
  }

  newIds(): Pending | undefined {
    return this.inner.newIds?.()
  }

  // ---- elements by id, scans and indexes

  vertexRef(id: unknown): Ref {
    return this.inner.vertexRef(id)
  }

  edgeRef(id: unknown): Ref {
    return this.inner.edgeRef(id)
  }

  scanVertices(labels: readonly string[] | null): RefScan {
    return this.inner.scanVertices(labels)
  }

  scanEdges(labels: readonly string[] | null): RefScan {
    return this.inner.scanEdges(labels)
  }

  chooseIndex(query: IndexQuery): IndexChoice | undefined {
    return this.inner.chooseIndex(query)
  }

  searchIndex(query: IndexQuery, choice: IndexChoice): RefScan {
    return this.inner.searchIndex(query, choice)
  }

  // ---- adjacency

  edgeLabels(labels: readonly string[], conditions?: readonly IndexCondition[]): LabelSet {
    return this.inner.edgeLabels(labels, conditions)
  }

  expand(request: EdgeRequest): boolean {
    return this.inner.expand(request)
  }

  leaves(cursor: Cursor): void {
    this.inner.leaves?.(cursor)
  }

  degree(ref: Ref, direction: DirectionName, labels: LabelSet | null): number {
    return this.inner.degree(ref, direction, labels)
  }

  edgeOutRef(edge: Ref): Ref {
    return this.inner.edgeOutRef(edge)
  }

  edgeInRef(edge: Ref): Ref {
    return this.inner.edgeInRef(edge)
  }

  // ---- properties

  vertexReader(key: string): PropertyReader {
    return this.inner.vertexReader(key)
  }

  edgeReader(key: string): PropertyReader {
    return this.inner.edgeReader(key)
  }

  compared(key: string, value: unknown): unknown {
    return this.inner.compared === undefined ? value : this.inner.compared(key, value)
  }

  keepsUnsorted(element: "vertex" | "edge", keys: readonly string[]): boolean {
    return this.inner.keepsUnsorted?.(element, keys) ?? false
  }

  vertexKeys(ref: Ref): readonly string[] {
    return this.inner.vertexKeys(ref)
  }

  edgeKeys(ref: Ref): readonly string[] {
    return this.inner.edgeKeys(ref)
  }

  hasVertex(ref: Ref): boolean {
    return this.inner.hasVertex(ref)
  }

  hasEdge(ref: Ref): boolean {
    return this.inner.hasEdge(ref)
  }

  vertexId(ref: Ref): unknown {
    return this.inner.vertexId(ref)
  }

  vertexLabel(ref: Ref): string {
    return this.inner.vertexLabel(ref)
  }

  vertexProperties(ref: Ref, keys: readonly string[] | null): readonly VertexProperty[] {
    return this.inner.vertexProperties(ref, keys)
  }

  edgeId(ref: Ref): unknown {
    return this.inner.edgeId(ref)
  }

  edgeLabel(ref: Ref): string {
    return this.inner.edgeLabel(ref)
  }

  edgeOutVertex(ref: Ref): Vertex {
    return this.vertex(this.inner.edgeOutRef(ref))
  }

  edgeInVertex(ref: Ref): Vertex {
    return this.vertex(this.inner.edgeInRef(ref))
  }

  edgeProperties(ref: Ref, keys: readonly string[] | null): readonly Property[] {
    return this.inner.edgeProperties(ref, keys)
  }

  // ---- handles

  vertex(ref: Ref): Vertex {
    return new Vertex(this, ref)
  }

  edge(ref: Ref): Edge {
    return new Edge(this, ref)
  }

  refOfVertex(vertex: Vertex): Ref {
    return vertex.source === this ? vertex.ref : this.inner.refOfVertex(vertex)
  }

  refOfEdge(edge: Edge): Ref {
    return edge.source === this ? edge.ref : this.inner.refOfEdge(edge)
  }

  // ---- writes

  freeIdTask(id: unknown): Task | undefined {
    return this.inner.freeIdTask(id)
  }

  addVertex(label: string, id: unknown): Ref {
    return this.inner.addVertex(label, id)
  }

  addEdge(out: Ref, label: string, into: Ref, id: unknown): Ref {
    return this.inner.addEdge(out, label, into, id)
  }

  setVertexProperty(
    ref: Ref,
    cardinality: EnumValue | null,
    key: string,
    value: unknown,
    options?: VertexPropertyOptions
  ): VertexProperty {
    return this.inner.setVertexProperty(ref, cardinality, key, value, options)
  }

  setMetaProperty(property: VertexProperty, key: string, value: unknown): VertexProperty {
    return this.inner.setMetaProperty(property, key, value)
  }

  setEdgeProperty(ref: Ref, key: string, value: unknown): Property {
    return this.inner.setEdgeProperty(ref, key, value)
  }

  removeVertex(ref: Ref): void {
    this.inner.removeVertex(ref)
  }

  removeVertexTask(ref: Ref, slice: TimeSlice): Task {
    return this.inner.removeVertexTask(ref, slice)
  }

  removeEdge(ref: Ref): void {
    this.inner.removeEdge(ref)
  }

  removeVertexProperty(property: VertexProperty): void {
    this.inner.removeVertexProperty(property)
  }

  removeProperty(property: Property): void {
    this.inner.removeProperty(property)
  }

  // ---- the end

  commit(): Pending | undefined {
    return this.inner.commit()
  }

  rollback(): void {
    this.inner.rollback()
  }
}
