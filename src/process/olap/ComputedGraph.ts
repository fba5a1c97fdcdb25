import { Edge, Property, type Ref, Vertex, VertexProperty } from "../../structure/Element.ts"
import type { EnumValue } from "../../structure/Enums.ts"
import type {
  Cursor,
  DirectionName,
  Expansion,
  GraphCounts,
  GraphStore,
  GraphTransaction,
  IndexChoice,
  IndexCondition,
  IndexQuery,
  LabelSet,
  Later,
  PropertyReader,
  Reads,
  RefColumn,
  RefScan
} from "../../structure/GraphStore.ts"
import { text } from "../../structure/Text.ts"

/**
 * A transaction whose vertices have computed properties beside their own (pageRank(), peerPressure()...): what a
 * traversal sees behind such a step. They live in the run and are never written to the graph. A computed property hides
 * one of the vertex with the same key.
 */
export class ComputedGraph implements GraphTransaction {
  readonly #inner: GraphTransaction
  /** Readers by key; the value of a vertex that has none is undefined. */
  readonly #computed = new Map<string, PropertyReader>()

  constructor(inner: GraphTransaction) {
    this.#inner = inner
  }

  /** Gives vertices a property. */
  compute(key: string, reader: PropertyReader): void {
    this.#computed.set(key, reader)
  }

  get store(): GraphStore {
    return this.#inner.store
  }
  get answersLater(): boolean {
    return this.#inner.answersLater
  }
  get dirty(): boolean {
    return this.#inner.dirty
  }
  get counts(): GraphCounts {
    return this.#inner.counts
  }
  newRefs(capacity: number): RefColumn {
    return this.#inner.newRefs(capacity)
  }
  prefetch(reads: readonly Reads[]): Later | undefined {
    return this.#inner.prefetch(reads)
  }

  vertexRef(id: unknown): Ref {
    return this.#inner.vertexRef(id)
  }
  edgeRef(id: unknown): Ref {
    return this.#inner.edgeRef(id)
  }
  scanVertices(labels: readonly string[] | null): RefScan {
    return this.#inner.scanVertices(labels)
  }
  scanEdges(labels: readonly string[] | null): RefScan {
    return this.#inner.scanEdges(labels)
  }
  chooseIndex(query: IndexQuery): IndexChoice | undefined {
    const hidden = query.element === "vertex" && query.conditions.some(({ key }) => this.#computed.has(key))
    return hidden ? undefined : this.#inner.chooseIndex(query)
  }
  searchIndex(query: IndexQuery, choice: IndexChoice): RefScan {
    return this.#inner.searchIndex(query, choice)
  }

  edgeLabels(labels: readonly string[], conditions: readonly IndexCondition[] = []): LabelSet {
    return this.#inner.edgeLabels(labels, conditions)
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
    return this.#inner.adjacentVertices(refs, length, direction, labels, cursor, limit, out)
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
    return this.#inner.incidentEdges(refs, length, direction, labels, cursor, limit, out)
  }
  degree(ref: Ref, direction: DirectionName, labels: LabelSet | null): number {
    return this.#inner.degree(ref, direction, labels)
  }
  edgeOutRef(edge: Ref): Ref {
    return this.#inner.edgeOutRef(edge)
  }
  edgeInRef(edge: Ref): Ref {
    return this.#inner.edgeInRef(edge)
  }

  vertexReader(key: string): PropertyReader {
    return this.#computed.get(key) ?? this.#inner.vertexReader(key)
  }
  edgeReader(key: string): PropertyReader {
    return this.#inner.edgeReader(key)
  }
  vertexKeys(ref: Ref): readonly string[] {
    const own = this.#inner.vertexKeys(ref).filter((key) => !this.#computed.has(key))
    for (const [key, reader] of this.#computed) if (reader.value(ref) !== undefined) own.push(key)
    return own
  }
  edgeKeys(ref: Ref): readonly string[] {
    return this.#inner.edgeKeys(ref)
  }
  hasVertex(ref: Ref): boolean {
    return this.#inner.hasVertex(ref)
  }
  hasEdge(ref: Ref): boolean {
    return this.#inner.hasEdge(ref)
  }

  // Handles of this transaction, so that whoever asks them for properties sees the computed ones.
  vertex(ref: Ref): Vertex {
    return new Vertex(this, ref)
  }
  edge(ref: Ref): Edge {
    return new Edge(this, ref)
  }
  refOfVertex(vertex: Vertex): Ref {
    return vertex.source === this ? vertex.ref : this.#inner.refOfVertex(vertex)
  }
  refOfEdge(edge: Edge): Ref {
    return edge.source === this ? edge.ref : this.#inner.refOfEdge(edge)
  }
  vertexId(ref: Ref): unknown {
    return this.#inner.vertexId(ref)
  }
  vertexLabel(ref: Ref): string {
    return this.#inner.vertexLabel(ref)
  }
  vertexProperties(ref: Ref, keys: readonly string[] | null): readonly VertexProperty[] {
    const vertex = this.vertex(ref)
    const properties = this.#inner
      .vertexProperties(ref, keys)
      .filter(({ key }) => !this.#computed.has(key))
      .map(({ id, key, value, meta }) => new VertexProperty(vertex, id, key, value, meta))
    for (const [key, reader] of this.#computed) {
      if (keys !== null && !keys.includes(key)) continue
      const value = reader.value(ref)
      if (value !== undefined)
        properties.push(new VertexProperty(vertex, `${text(vertex.id)}-${key}`, key, value, null))
    }
    return properties
  }
  edgeId(ref: Ref): unknown {
    return this.#inner.edgeId(ref)
  }
  edgeLabel(ref: Ref): string {
    return this.#inner.edgeLabel(ref)
  }
  edgeOutVertex(ref: Ref): Vertex {
    return this.vertex(this.#inner.edgeOutRef(ref))
  }
  edgeInVertex(ref: Ref): Vertex {
    return this.vertex(this.#inner.edgeInRef(ref))
  }
  edgeProperties(ref: Ref, keys: readonly string[] | null): readonly Property[] {
    return this.#inner.edgeProperties(ref, keys)
  }

  addVertex(label: string, id: unknown): Ref {
    return this.#inner.addVertex(label, id)
  }
  addEdge(out: Ref, label: string, into: Ref, id: unknown): Ref {
    return this.#inner.addEdge(out, label, into, id)
  }
  setVertexProperty(
    ref: Ref,
    cardinality: EnumValue | null,
    key: string,
    value: unknown,
    id: unknown,
    meta: ReadonlyMap<string, unknown> | null
  ): VertexProperty {
    return this.#inner.setVertexProperty(ref, cardinality, key, value, id, meta)
  }
  setMetaProperty(property: VertexProperty, key: string, value: unknown): VertexProperty {
    return this.#inner.setMetaProperty(this.#toInner(property), key, value)
  }
  setEdgeProperty(ref: Ref, key: string, value: unknown): Property {
    return this.#inner.setEdgeProperty(ref, key, value)
  }
  removeVertex(ref: Ref): void {
    this.#inner.removeVertex(ref)
  }
  removeEdge(ref: Ref): void {
    this.#inner.removeEdge(ref)
  }
  removeVertexProperty(property: VertexProperty): void {
    if (!this.#computed.has(property.key)) this.#inner.removeVertexProperty(this.#toInner(property))
  }
  removeProperty(property: Property): void {
    const { element, key, value } = property
    const owner =
      element instanceof VertexProperty
        ? this.#toInner(element)
        : element === null
          ? null
          : this.#inner.edge(this.refOfEdge(element))
    this.#inner.removeProperty(new Property(owner, key, value))
  }

  /** The property as one of the transaction that it is read from. */
  #toInner({ vertex, id, key, value, meta }: VertexProperty): VertexProperty {
    const owner = vertex === null ? null : this.#inner.vertex(this.refOfVertex(vertex))
    return new VertexProperty(owner, id, key, value, meta)
  }

  commit(): Later | undefined {
    return this.#inner.commit()
  }
  rollback(): void {
    this.#inner.rollback()
  }
}
