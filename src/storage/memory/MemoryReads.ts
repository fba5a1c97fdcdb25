import { isAmong } from "../../structure/collections/Membership.ts"
import { Edge, Property, type Ref, Vertex, type VertexProperty } from "../../structure/elements/Element.ts"
import type {
  AdjacencyReads,
  Cursor,
  DirectionName,
  EdgeRequest,
  ElementLookup,
  GraphCounts,
  IndexChoice,
  IndexQuery,
  LabelSet,
  PropertyReader,
  PropertyReads,
  RefScan
} from "../../structure/graph/GraphReads.ts"
import type { Journal } from "../shared/Journal.ts"
import { lookupKey } from "../shared/LookupKey.ts"
import { AdjacencyView } from "./AdjacencyView.ts"
import type { GraphData } from "./GraphData.ts"
import { chooseIndex, MemoryIndexChoice, searchIndex } from "./IndexQueries.ts"
import { MemoryLabelSet } from "./Labels.ts"
import { handle } from "./PropertyWriter.ts"
import { TableScan } from "./Scans.ts"
import { TableView } from "./TableView.ts"

/** Answers `newRefs(0)`, by which steps see what kind of column a transaction has. */
const noRefs = new Int32Array(0)

/** The reads of a transaction over a graph in memory. */
export abstract class MemoryReads implements ElementLookup, AdjacencyReads, PropertyReads {
  protected readonly data: GraphData
  protected readonly vertexView: TableView
  protected readonly edgeView: TableView
  protected readonly adjacencyView: AdjacencyView

  constructor(data: GraphData, journal: Journal) {
    this.data = data
    this.vertexView = new TableView(data.vertices, data.clock, journal)
    this.edgeView = new TableView(data.edges, data.clock, journal)
    this.adjacencyView = new AdjacencyView(data, this.edgeView)
  }

  get counts(): GraphCounts {
    return {
      vertices: (labels) => this.vertexView.count(labels),
      edges: (labels) => this.edgeView.count(labels),
      byLabel: (element) => (element === "vertex" ? this.vertexView : this.edgeView).countByLabel()
    }
  }

  newRefs(capacity: number): Int32Array {
    return capacity === 0 ? noRefs : new Int32Array(capacity)
  }

  vertexRef(id: unknown): Ref {
    return id === null || id === undefined ? -1 : this.vertexView.find(lookupKey(this.data.vertexIds.convert(id)))
  }

  edgeRef(id: unknown): Ref {
    return id === null || id === undefined ? -1 : this.edgeView.find(lookupKey(this.data.edgeIds.convert(id)))
  }

  scanVertices(labels: readonly string[] | null): RefScan {
    return new TableScan(this.vertexView, labels && new MemoryLabelSet(labels, this.data.vertices.labels))
  }

  scanEdges(labels: readonly string[] | null): RefScan {
    return new TableScan(this.edgeView, labels && new MemoryLabelSet(labels, this.data.edges.labels))
  }

  chooseIndex(query: IndexQuery): IndexChoice | undefined {
    return chooseIndex(this.#view(query), query)
  }

  searchIndex(query: IndexQuery, choice: IndexChoice): RefScan {
    if (!(choice instanceof MemoryIndexChoice)) throw new Error(`The index ${choice.name} was not chosen by this graph`)
    return searchIndex(this.#view(query), query, choice)
  }

  #view(query: IndexQuery): TableView {
    return query.element === "vertex" ? this.vertexView : this.edgeView
  }

  edgeLabels(labels: readonly string[]): LabelSet {
    return new MemoryLabelSet(labels, this.data.edges.labels)
  }

  expand(request: EdgeRequest): boolean {
    return this.adjacencyView.expand(request)
  }

  leaves(cursor: Cursor): void {
    this.adjacencyView.leave(cursor)
  }

  degree(ref: Ref, direction: DirectionName, labels: LabelSet | null): number {
    return this.adjacencyView.degree(ref, direction, labels as MemoryLabelSet | null)
  }

  edgeOutRef(edge: Ref): Ref {
    return this.adjacencyView.outVertex(edge)
  }

  edgeInRef(edge: Ref): Ref {
    return this.adjacencyView.inVertex(edge)
  }

  vertexReader(key: string): PropertyReader {
    return this.vertexView.reader(key)
  }

  edgeReader(key: string): PropertyReader {
    return this.edgeView.reader(key)
  }

  vertexKeys(ref: Ref): readonly string[] {
    return this.vertexView.keys(ref)
  }

  edgeKeys(ref: Ref): readonly string[] {
    return this.edgeView.keys(ref)
  }

  hasVertex(ref: Ref): boolean {
    return this.vertexView.has(ref)
  }

  hasEdge(ref: Ref): boolean {
    return this.edgeView.has(ref)
  }

  get isPast(): boolean {
    return this.vertexView.isEnded
  }

  vertexId(ref: Ref): unknown {
    return this.vertexView.id(ref)
  }

  vertexLabel(ref: Ref): string {
    return this.vertexView.label(ref)
  }

  edgeId(ref: Ref): unknown {
    return this.edgeView.id(ref)
  }

  edgeLabel(ref: Ref): string {
    return this.edgeView.label(ref)
  }

  edgeOutVertex(ref: Ref): Vertex {
    return new Vertex(this, this.adjacencyView.outVertex(ref))
  }

  edgeInVertex(ref: Ref): Vertex {
    return new Vertex(this, this.adjacencyView.inVertex(ref))
  }

  vertexProperties(ref: Ref, keys: readonly string[] | null): readonly VertexProperty[] {
    const found: Array<VertexProperty> = []
    const vertex = new Vertex(this, ref)
    for (const key of wantedKeys(this.vertexView, ref, keys)) {
      for (const entry of this.vertexView.state(key, ref)?.entries ?? []) found.push(handle(vertex, key, entry))
    }
    return found
  }

  edgeProperties(ref: Ref, keys: readonly string[] | null): readonly Property[] {
    const found: Array<Property> = []
    const edge = new Edge(this, ref)
    for (const key of wantedKeys(this.edgeView, ref, keys)) {
      const state = this.edgeView.state(key, ref)
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
}

/** Keys to give properties of, in the element's order, each once. */
const wantedKeys = (view: TableView, ref: Ref, keys: readonly string[] | null): readonly string[] => {
  if (keys === null) return view.keys(ref)
  return keys.length === 1 ? keys : view.keys(ref).filter(isAmong(keys))
}
