import { isAmong } from "../../../structure/collections/Membership.ts"
import {
  Edge,
  type Element,
  type ElementState,
  Property,
  type Ref,
  Vertex,
  type VertexProperty
} from "../../../structure/elements/Element.ts"
import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type {
  AdjacencyReads,
  DirectionName,
  EdgeRequest,
  ElementLookup,
  GraphCounts,
  IndexChoice,
  IndexCondition,
  IndexQuery,
  LabelSet,
  PropertyReader,
  PropertyReads,
  RefScan
} from "../../../structure/graph/GraphReads.ts"
import type { GraphStore } from "../../../structure/graph/GraphStore.ts"
import { type CellSnapshot, newestOf } from "../cells/CellStore.ts"
import { DocumentChoice } from "../documents/DocumentScan.ts"
import { edgeIdText } from "../format/RelationIds.ts"
import type { GraphCore } from "../GraphCore.ts"
import { visibleId } from "../ids/VertexIds.ts"
import { hasChangedElements } from "../indexes/ChangedElements.ts"
import { comparedCondition, comparedValue } from "../indexes/ComparedValues.ts"
import { CellIndexChoice, chooseIndex } from "../indexes/IndexChoice.ts"
import { IndexScan } from "../indexes/IndexScan.ts"
import { isSortable } from "../indexes/OrderedValues.ts"
import { CellCounts } from "../maintenance/CellCounts.ts"
import { CellLabelSet } from "../rows/LabelSets.ts"
import { PartitionedSnapshot } from "../rows/PartitionedRows.ts"
import { CachedRows, FetchedRows } from "../rows/RowSource.ts"
import { visible } from "../rows/VisibleValues.ts"
import type { GraphIndex, PropertyKey } from "../schema/Schema.ts"
import { elementState } from "./ElementStates.ts"
import { Expander } from "./Expander.ts"
import { PinnedRows } from "./PinnedRows.ts"
import { propertyHandle } from "./PropertyHandles.ts"
import { EdgePropertyReader, VertexPropertyReader } from "./PropertyReaders.ts"
import { EdgeScan, VertexScan } from "./Scans.ts"
import { TransactionView } from "./TransactionView.ts"

/** The reads of a transaction over cells: a snapshot of the store with the transaction's own changes. */
export abstract class CellReads implements ElementLookup, AdjacencyReads, PropertyReads {
  readonly store: GraphStore
  readonly answersLater: boolean
  readonly counts: GraphCounts
  protected readonly core: GraphCore
  protected readonly snapshot: CellSnapshot
  protected readonly reading: TransactionView
  protected readonly expander: Expander

  /** `isNewest`: no cache and no replica that may be outdated answers reads. */
  constructor(store: GraphStore, core: GraphCore, isNewest: boolean) {
    const { options, cells } = core
    this.store = store
    this.answersLater = cells.answersLater
    this.core = core
    const snapshot = isNewest ? newestOf(cells.snapshot()) : cells.snapshot()
    this.snapshot = this.answersLater ? new PartitionedSnapshot(snapshot, options.partitionBits) : snapshot
    core.advanceCache(snapshot)
    const rows = this.answersLater
      ? new FetchedRows()
      : new CachedRows(this.snapshot, core.cache, options.partitionBits)
    this.reading = new TransactionView(rows, core.schemaOf(this.snapshot), options, options.clock())
    this.expander = new Expander(this.reading)
    this.counts = new CellCounts(this.reading, this.snapshot, core.keepsCounts && !this.answersLater)
  }

  newRefs(capacity: number): Float64Array {
    return new Float64Array(capacity)
  }

  // ---- elements by id, scans and indexes

  vertexRef(id: unknown): Ref {
    return this.reading.vertexRef(id)
  }

  edgeRef(id: unknown): Ref {
    return this.reading.edgeRef(id)
  }

  scanVertices(labels: readonly string[] | null): RefScan {
    this.#assertScan("V()")
    return this.#vertexScan(labels)
  }

  #vertexScan(labels: readonly string[] | null): VertexScan {
    const { partitionBits } = this.core.options
    return new VertexScan(this.reading, this.snapshot, partitionBits, labels, this.answersLater)
  }

  scanEdges(labels: readonly string[] | null): RefScan {
    this.#assertScan("E()")
    const set = labels === null ? null : new CellLabelSet(labels, this.reading)
    const vertices = this.#vertexScan(null)
    if (!this.answersLater) return new EdgeScan(vertices, this.expander, set)
    const source = new PinnedRows(this.reading)
    vertices.held = source.held
    return new EdgeScan(vertices, new Expander(source), set)
  }

  #assertScan(what: string): void {
    if (!this.core.options.forceIndex) return
    throw new UnsupportedValue(
      `${what} would look at every element of the graph ${this.store.name}, which query.force-index forbids. ` +
        "Begin with an id, or with has() on an indexed key."
    )
  }

  chooseIndex(given: IndexQuery): IndexChoice | undefined {
    this.reading.assertOpen()
    const { element, labels, order } = given
    const conditions = this.#compared(given.conditions)
    const query = conditions === given.conditions ? given : { element, labels, conditions, order }
    const isUnchanged = (index: GraphIndex): boolean => !hasChangedElements(this.reading, index)
    const own = chooseIndex(this.reading, query, this.answersLater, isUnchanged)
    const found = this.core.documents?.choose(this.reading, query)
    return found === undefined || (own !== undefined && own.rank >= found.rank) ? own : found
  }

  searchIndex(query: IndexQuery, choice: IndexChoice): RefScan {
    if (choice instanceof DocumentChoice) return this.core.documents!.scan(this.reading, this.snapshot, choice)
    if (!(choice instanceof CellIndexChoice)) throw new Error(`The index ${choice.name} was not chosen by this graph`)
    return new IndexScan(this.core, this.reading, this.snapshot, query, choice)
  }

  // ---- adjacency

  edgeLabels(labels: readonly string[], conditions: readonly IndexCondition[] = []): LabelSet {
    return new CellLabelSet(labels, this.reading, this.#compared(conditions))
  }

  /** The conditions with values of the types of their keys: mostly the given array, without an allocation. */
  #compared(conditions: readonly IndexCondition[]): readonly IndexCondition[] {
    let changed: Array<IndexCondition> | undefined
    for (let i = 0; i < conditions.length; i++) {
      const condition = comparedCondition(this.#key(conditions[i]!.key), conditions[i]!)
      if (condition !== conditions[i]) (changed ??= [...conditions])[i] = condition
    }
    return changed ?? conditions
  }

  compared(key: string, value: unknown): unknown {
    return comparedValue(this.#key(key), value)
  }

  keepsUnsorted(element: "vertex" | "edge", keys: readonly string[]): boolean {
    return keys.every((name) => {
      const key = this.#key(name)
      return key !== undefined && isSortable(key) && (element === "edge" || key.cardinality === "SINGLE")
    })
  }

  /** The key of committed or own values. */
  #key(name: string): PropertyKey | undefined {
    return this.reading.schema.keys.get(name) ?? this.reading.own?.newKeys.get(name)
  }

  expand(request: EdgeRequest): boolean {
    this.reading.assertOpen()
    return this.expander.expand(request)
  }

  degree(ref: Ref, direction: DirectionName, labels: LabelSet | null): number {
    this.reading.assertOpen()
    return this.expander.degree(ref, direction, labels as CellLabelSet | null)
  }

  forgetEdges(): void {
    this.reading.forgetEdges()
  }

  forgetVertices(): void {
    this.reading.forgetEdges()
    if (this.reading.own === null) this.reading.vertexRefs.forget()
  }

  edgeOutRef(edge: Ref): Ref {
    return this.reading.edges.out(edge)
  }

  edgeInRef(edge: Ref): Ref {
    return this.reading.edges.in(edge)
  }

  // ---- properties

  vertexReader(key: string): PropertyReader {
    return new VertexPropertyReader(this.reading, key)
  }

  edgeReader(key: string): PropertyReader {
    return new EdgePropertyReader(this.reading, key)
  }

  vertexKeys(ref: Ref): readonly string[] {
    return this.reading.vertexKeys(ref)
  }

  edgeKeys(ref: Ref): readonly string[] {
    return [...this.reading.edgeValues(ref).keys()]
  }

  hasVertex(ref: Ref): boolean {
    return this.reading.hasVertex(ref)
  }

  hasEdge(ref: Ref): boolean {
    return this.reading.hasEdge(ref)
  }

  stateOf(element: Element): ElementState {
    return elementState(this, this.reading, element)
  }

  get isPast(): boolean {
    return this.reading.isEnded
  }

  vertexId(ref: Ref): unknown {
    return visibleId(this.reading.vertexRefs.id(ref))
  }

  vertexLabel(ref: Ref): string {
    return this.reading.vertexLabel(ref)
  }

  edgeId(ref: Ref): unknown {
    const { edges, vertexRefs } = this.reading
    return edgeIdText(
      edges.relation(ref),
      vertexRefs.id(edges.out(ref)),
      edges.type(ref).id,
      vertexRefs.id(edges.in(ref))
    )
  }

  edgeLabel(ref: Ref): string {
    return this.reading.edges.type(ref).name
  }

  edgeOutVertex(ref: Ref): Vertex {
    return new Vertex(this, this.reading.edges.out(ref))
  }

  edgeInVertex(ref: Ref): Vertex {
    return new Vertex(this, this.reading.edges.in(ref))
  }

  vertexProperties(ref: Ref, keys: readonly string[] | null): readonly VertexProperty[] {
    const found: Array<VertexProperty> = []
    const { schema, own } = this.reading
    const isWanted = isAmong(keys)
    for (const name of keys?.length === 1 ? keys : this.reading.vertexKeys(ref)) {
      if (!isWanted(name)) continue
      const key = schema.keys.get(name) ?? own?.newKeys.get(name)
      const state = key === undefined ? undefined : this.reading.liveState(ref, name)
      for (const entry of state?.entries ?? []) found.push(propertyHandle(this, this.reading, ref, key!, entry))
    }
    return found
  }

  edgeProperties(ref: Ref, keys: readonly string[] | null): readonly Property[] {
    const found: Array<Property> = []
    const edge = new Edge(this, ref)
    const isWanted = isAmong(keys)
    for (const [name, value] of this.reading.edgeValues(ref)) {
      if (isWanted(name)) found.push(new Property(edge, name, visible(value)))
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
