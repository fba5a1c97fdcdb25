/**
 * Elements for code outside the store. A {@link Vertex} or {@link Edge} is a small handle: a number that its
 * {@link ElementSource} (an open transaction, or a detached copy) resolves. Handles are created only when an element leaves the
 * columns of the traversal machine.
 */

/** A number that stands for a vertex or an edge inside one transaction. Never shown to clients. */
export type Ref = number

/** What a transaction has done with an element: nothing yet (`loaded`), made, changed or removed it. */
export type ElementState = "loaded" | "new" | "modified" | "removed"

/** Where a handle reads its data: a transaction, or {@link Detached}. */
export interface ElementSource {
  /** How often a transaction changed the graph; undefined for a source that never changes. */
  readonly changes?: number | undefined
  /**
   * True when the data are of a transaction that has ended, so that the graph may have changed since. Scripts then read an element in
   * their current transaction, which finds it by its id. Absent or false while the transaction is open, and for elements of no graph.
   */
  readonly isPast?: boolean
  /** What the transaction has done with the element of a handle. Absent where elements have no such state, as in TinkerGraph. */
  stateOf?: ((element: Element) => ElementState) | undefined
  vertexId(ref: Ref): unknown
  vertexLabel(ref: Ref): string
  /** All properties of a vertex, or those with the given keys, in insertion order. */
  vertexProperties(ref: Ref, keys: readonly string[] | null): readonly VertexProperty[]
  edgeId(ref: Ref): unknown
  edgeLabel(ref: Ref): string
  edgeOutVertex(ref: Ref): Vertex
  edgeInVertex(ref: Ref): Vertex
  edgeProperties(ref: Ref, keys: readonly string[] | null): readonly Property[]
}

/** A vertex. Vertices with equal ids are equal. */
export class Vertex {
  readonly source: ElementSource
  readonly ref: Ref
  constructor(source: ElementSource, ref: Ref) {
    this.source = source
    this.ref = ref
  }
  get id(): unknown {
    return this.source.vertexId(this.ref)
  }
  get label(): string {
    return this.source.vertexLabel(this.ref)
  }
  properties(keys: readonly string[] | null = null): readonly VertexProperty[] {
    return this.source.vertexProperties(this.ref, keys)
  }
}

/** An edge. Edges with equal ids are equal. */
export class Edge {
  readonly source: ElementSource
  readonly ref: Ref
  constructor(source: ElementSource, ref: Ref) {
    this.source = source
    this.ref = ref
  }
  get id(): unknown {
    return this.source.edgeId(this.ref)
  }
  get label(): string {
    return this.source.edgeLabel(this.ref)
  }
  get outVertex(): Vertex {
    return this.source.edgeOutVertex(this.ref)
  }
  get inVertex(): Vertex {
    return this.source.edgeInVertex(this.ref)
  }
  properties(keys: readonly string[] | null = null): readonly Property[] {
    return this.source.edgeProperties(this.ref, keys)
  }
}

/** A property of a vertex: has an id and may have meta-properties. */
export class VertexProperty {
  /** Null only for a property decoded from a message that names no vertex. */
  readonly vertex: Vertex | null
  readonly id: unknown
  readonly key: string
  readonly value: unknown
  /** Meta-properties, null when there are none. */
  readonly meta: ReadonlyMap<string, unknown> | null
  constructor(
    vertex: Vertex | null,
    id: unknown,
    key: string,
    value: unknown,
    meta: ReadonlyMap<string, unknown> | null
  ) {
    this.vertex = vertex
    this.id = id
    this.key = key
    this.value = value
    this.meta = meta
  }
  get label(): string {
    return this.key
  }
  properties(keys: readonly string[] | null = null): readonly Property[] {
    const found: Array<Property> = []
    if (this.meta !== null) {
      for (const [key, value] of this.meta) {
        if (keys === null || keys.includes(key)) found.push(new Property(this, key, value))
      }
    }
    return found
  }
}

/** A property of an edge, or a meta-property of a vertex property. */
export class Property {
  readonly element: Edge | VertexProperty | null
  readonly key: string
  readonly value: unknown
  constructor(element: Edge | VertexProperty | null, key: string, value: unknown) {
    this.element = element
    this.key = key
    this.value = value
  }
}

/** Everything that has an id, a label and properties. */
export type Element = Vertex | Edge | VertexProperty

/** True for a vertex, an edge or a vertex property. */
export const isElement = (value: unknown): value is Element =>
  value instanceof Vertex || value instanceof Edge || value instanceof VertexProperty

/** Elements outside any transaction: decoded from a request, kept by a session, or collected by subgraph(). */
export class Detached implements ElementSource {
  /** The graph from whose transaction the elements were copied; undefined for elements of no graph. */
  readonly origin: object | undefined
  readonly #vertices: Array<{ id: unknown; label: string; properties: Array<VertexProperty> }> = []
  readonly #edges: Array<{ id: unknown; label: string; out: Vertex; in: Vertex; properties: Array<Property> }> = []

  constructor(origin?: object) {
    this.origin = origin
  }

  get isPast(): boolean {
    return this.origin !== undefined
  }

  addVertex(id: unknown, label: string): Vertex {
    this.#vertices.push({ id, label, properties: [] })
    return new Vertex(this, this.#vertices.length - 1)
  }
  /** Adds a property to a vertex of this source. */
  addVertexProperty(
    vertex: Vertex,
    id: unknown,
    key: string,
    value: unknown,
    meta: ReadonlyMap<string, unknown> | null
  ): void {
    this.#vertices[vertex.ref]!.properties.push(new VertexProperty(vertex, id, key, value, meta))
  }
  addEdge(id: unknown, label: string, out: Vertex, into: Vertex): Edge {
    this.#edges.push({ id, label, out, in: into, properties: [] })
    return new Edge(this, this.#edges.length - 1)
  }
  addEdgeProperty(edge: Edge, key: string, value: unknown): void {
    this.#edges[edge.ref]!.properties.push(new Property(edge, key, value))
  }

  /** Adds a vertex with the id, label and properties of another vertex. */
  copyVertex(vertex: Vertex): Vertex {
    const copy = this.addVertex(vertex.id, vertex.label)
    for (const { id, key, value, meta } of vertex.properties()) this.addVertexProperty(copy, id, key, value, meta)
    return copy
  }
  /** Adds an edge between two vertices of this source, with the id, label and properties of another edge. */
  copyEdge(edge: Edge, out: Vertex, into: Vertex): Edge {
    const copy = this.addEdge(edge.id, edge.label, out, into)
    for (const { key, value } of edge.properties()) this.addEdgeProperty(copy, key, value)
    return copy
  }

  vertexId(ref: Ref): unknown {
    return this.#vertices[ref]!.id
  }
  vertexLabel(ref: Ref): string {
    return this.#vertices[ref]!.label
  }
  vertexProperties(ref: Ref, keys: readonly string[] | null): readonly VertexProperty[] {
    const all = this.#vertices[ref]!.properties
    return keys === null ? all : all.filter((property) => keys.includes(property.key))
  }
  edgeId(ref: Ref): unknown {
    return this.#edges[ref]!.id
  }
  edgeLabel(ref: Ref): string {
    return this.#edges[ref]!.label
  }
  edgeOutVertex(ref: Ref): Vertex {
    return this.#edges[ref]!.out
  }
  edgeInVertex(ref: Ref): Vertex {
    return this.#edges[ref]!.in
  }
  edgeProperties(ref: Ref, keys: readonly string[] | null): readonly Property[] {
    const all = this.#edges[ref]!.properties
    return keys === null ? all : all.filter((property) => keys.includes(property.key))
  }
}
