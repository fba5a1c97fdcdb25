import type { Pending } from "../scheduling/Pending.ts"
import type { Task } from "../scheduling/Task.ts"
import type { TimeSlice } from "../scheduling/TimeSlice.ts"
import type { Edge, ElementSource, Property, Ref, Vertex, VertexProperty } from "./Element.ts"
import type { EnumValue } from "./Enums.ts"

/**
 * The one interface between the traversal machine and storage.
 *
 * Reads are synchronous. A store that cannot answer at once (Cassandra) says so by `answersLater`: the machine then
 * hands {@link GraphTransaction.prefetch} the reads of a whole batch before it runs a step over it, and the step's own
 * reads find their answers in the transaction. A store that answers at once is never asked to prefetch and pays
 * nothing for it.
 */

/** A column of refs; which of the two is the transaction's choice ({@link GraphTransaction.newRefs}). */
export type RefColumn = Int32Array | Float64Array

/** Where a read stopped inside a batch: the row, and how many of that row's answers were already given. */
export interface Cursor {
  row: number
  offset: number
}

/** Growing answer of an expansion: `refs[i]` was reached from row `rows[i]`. Reused between batches; never kept. */
export interface Expansion {
  rows: Int32Array
  refs: RefColumn
  length: number
}

export type DirectionName = "OUT" | "IN" | "BOTH"

/** Edge labels resolved for one transaction; null means every label. Made by {@link GraphTransaction.edgeLabels}. */
export interface LabelSet {
  readonly labels: readonly string[]
}

/** Property values of one key. `value` is undefined where the element has none, and a {@link Values} where it has several. */
export interface PropertyReader {
  value(ref: Ref): unknown
}

/** Several values of one multi-property, in insertion order. */
export class Values {
  readonly values: readonly unknown[]
  constructor(values: readonly unknown[]) {
    this.values = values
  }
}

/** One comparison an index may answer. */
export interface IndexCondition {
  readonly key: string
  /**
   * `words`: the text has all these words; `wordPrefix`: and words that begin with these; `wordMatch`, `textMatch`: the
   * value is a function that says whether a word, or a whole text, fits; `shape`: it has a place in common with a shape.
   */
  readonly operator:
    | "eq"
    | "within"
    | "lt"
    | "lte"
    | "gt"
    | "gte"
    | "between"
    | "inside"
    | "startingWith"
    | "words"
    | "wordPrefix"
    | "wordMatch"
    | "textMatch"
    | "shape"
  /** For `within` an array, for `between` and `inside` an array of two. */
  readonly value: unknown
}

/** What a V() or E() with folded has() filters asks of the store. All conditions hold together. */
export interface IndexQuery {
  readonly element: "vertex" | "edge"
  readonly labels: readonly string[] | null
  readonly conditions: readonly IndexCondition[]
  /** The answers are wanted in the order of the values under this key; those without one are not wanted. */
  readonly order?: { readonly key: string; readonly descending: boolean } | undefined
}

/** How an index would answer a query: its name and which conditions it covers completely (the rest is filtered after). */
export interface IndexChoice {
  readonly name: string
  /** Positions in `query.conditions` that need no further test. */
  readonly covered: readonly number[]
  readonly coversLabels: boolean
  /** True when the answers come in the order that was asked for, and only those that have the key. */
  readonly ordered?: boolean
}

/** A running scan or index look-up. */
export interface RefScan {
  /** Appends up to `max` refs to `out`; false when nothing is left. */
  next(max: number, out: { refs: RefColumn; length: number }): boolean
  close(): void
}

/** What a step is about to read of a batch, for stores that answer later. */
export type Reads =
  | {
      readonly kind: "adjacent"
      readonly refs: RefColumn
      readonly length: number
      readonly direction: DirectionName
      readonly labels: LabelSet | null
      readonly edges: boolean
    }
  | {
      readonly kind: "vertex"
      readonly refs: RefColumn
      readonly length: number
      readonly keys: readonly string[] | null
    }
  | {
      readonly kind: "edge"
      readonly refs: RefColumn
      readonly length: number
      readonly keys: readonly string[] | null
    }
  | { readonly kind: "vertexIds"; readonly ids: readonly unknown[] }
  | { readonly kind: "edgeIds"; readonly ids: readonly unknown[] }
  | { readonly kind: "scan"; readonly scan: RefScan; readonly max: number }

/** What a graph can do; tells the machine and clients what to expect. */
export interface GraphFeatures {
  /** Explicit commit and rollback by clients (false for TinkerGraph: each request commits by itself). */
  readonly transactions: boolean
  readonly userSuppliedVertexIds: boolean
  readonly userSuppliedEdgeIds: boolean
  readonly userSuppliedVertexPropertyIds: boolean
  readonly nullPropertyValues: boolean
  readonly multiProperties: boolean
  readonly metaProperties: boolean
  /**
   * Cardinality of the properties that addV() makes a vertex with, where none is given: TinkerGraph keeps every one (list),
   * other graphs go by their schema (null).
   */
  readonly creationCardinality: EnumValue | null
  readonly persistent: boolean
}

/** Why a graph refuses requests. It stays so until its server starts again. */
export interface GraphFault {
  /** True when the graph cannot be read either; false when it only takes no writes. */
  readonly isClosed: boolean
  /** What happened and what to do: sentences for who operates the server. Clients are told the same. */
  readonly reason: string
}

/** A graph: opens transactions. */
export interface GraphStore {
  /** Undefined or absent while the graph is read and written as its settings say. */
  readonly fault?: GraphFault | undefined
  readonly name: string
  readonly features: GraphFeatures
  /** Words for a person: `tinkergraph[vertices:6 edges:6]`. */
  describe(): string
  /** A transaction over the newest committed state. `readOnly` refuses writes with a typed error. */
  begin(options?: { readonly readOnly?: boolean }): GraphTransaction
  /** Management of indexes over committed data. */
  readonly management: GraphManagement
  /** Rolls back what is open and releases files and memory. */
  close(): Promise<void>
}

/** How a call that changes an index is made. */
export interface IndexCallOptions {
  /** Called when the change is committed: from then on the rest of it goes on by itself, also after the caller has gone. */
  readonly goesOn?: () => void
}

export interface NewIndexOptions extends IndexCallOptions {
  /** No two elements may have the same value. Default false. */
  readonly unique?: boolean
}

/** Indexes as scripts create them: `graph.createIndex('uid', Vertex.class)`. */
export interface GraphManagement {
  /** Done when the index can be used. */
  createIndex(key: string, element: "vertex" | "edge", options?: NewIndexOptions): Promise<void>
  dropIndex(key: string, element: "vertex" | "edge", options?: IndexCallOptions): Promise<void>
  indexedKeys(element: "vertex" | "edge"): readonly string[]
  /** Indexes that are being built, with the vertices looked at so far. Absent where that takes no time. */
  readonly building?: ReadonlyArray<{ readonly name: string; readonly vertices: number }>
}

/** Numbers about the committed graph, answered without a scan; undefined where the store keeps none. */
export interface GraphCounts {
  vertices(labels: readonly string[] | null): number | undefined
  edges(labels: readonly string[] | null): number | undefined
  /** Labels that elements have, with how many there are of each. Absent where only a scan would tell. */
  byLabel?(element: "vertex" | "edge"): ReadonlyMap<string, number> | undefined
}

/**
 * A snapshot to read from, with this transaction's own changes on top. A value: bound to no thread and no fiber.
 * After commit or rollback it must not be used, except through handles of elements already materialised by detach.
 */
export interface GraphTransaction extends ElementSource {
  readonly store: GraphStore
  readonly answersLater: boolean
  /** True once a write was made that is not yet committed. */
  readonly dirty: boolean
  /**
   * How often the transaction changed the graph, or took changes back: while it is the same, equal reads have equal answers.
   * Absent where the store does not know.
   */
  readonly changes?: number | undefined
  /** Bytes that changes which are not yet committed take, about. Absent where the store does not know. */
  readonly heldBytes?: number
  /** An empty column of the kind this transaction's refs need. */
  newRefs(capacity: number): RefColumn
  /**
   * Asks for everything the reads need; undefined when it is here. Only called when `answersLater`. What was asked for stays
   * for the transaction; the answers of indexes do, too, so that an equal search which is opened later has them, and whole scans of few elements.
   */
  prefetch(reads: readonly Reads[]): Pending | undefined

  // Elements by id. -1 when there is none. Ids are compared by numeric value across number kinds where the graph's id manager does so.
  vertexRef(id: unknown): Ref
  edgeRef(id: unknown): Ref
  /** Scans in a stable order; null labels = every label. */
  scanVertices(labels: readonly string[] | null): RefScan
  scanEdges(labels: readonly string[] | null): RefScan
  /** The best index for a query, or undefined: the answer is kept in no plan, because indexes come and go. */
  chooseIndex(query: IndexQuery): IndexChoice | undefined
  /** Runs a query by the index chosen. */
  searchIndex(query: IndexQuery, choice: IndexChoice): RefScan
  /** Own changes included; undefined when only a scan would tell. */
  readonly counts: GraphCounts

  // Adjacency, for rows [cursor.row, length) of a column of vertex refs.
  /** Edges that do not meet the conditions may be left out by the reads that are given the set, or not. */
  edgeLabels(labels: readonly string[], conditions?: readonly IndexCondition[]): LabelSet
  /**
   * Appends neighbours to `out` until about `limit` rows are in it, then moves the cursor. True when every row is done.
   * For BOTH, out-edges come first; a self-loop is given twice.
   */
  adjacentVertices(
    refs: RefColumn,
    length: number,
    direction: DirectionName,
    labels: LabelSet | null,
    cursor: Cursor,
    limit: number,
    out: Expansion
  ): boolean
  incidentEdges(
    refs: RefColumn,
    length: number,
    direction: DirectionName,
    labels: LabelSet | null,
    cursor: Cursor,
    limit: number,
    out: Expansion
  ): boolean
  degree(ref: Ref, direction: DirectionName, labels: LabelSet | null): number
  edgeOutRef(edge: Ref): Ref
  edgeInRef(edge: Ref): Ref

  // Properties
  vertexReader(key: string): PropertyReader
  edgeReader(key: string): PropertyReader
  vertexKeys(ref: Ref): readonly string[]
  edgeKeys(ref: Ref): readonly string[]
  /** True while the element is there for this transaction (it may have been removed by itself). */
  hasVertex(ref: Ref): boolean
  hasEdge(ref: Ref): boolean

  // Handles
  vertex(ref: Ref): Vertex
  edge(ref: Ref): Edge
  /** The ref of a handle or detached element of the same id; -1 when it is not in this graph. */
  refOfVertex(vertex: Vertex): Ref
  refOfEdge(edge: Edge): Ref

  // Values are handed over with a write, and lent by a read: nobody changes a list, a map or bytes that the graph has.
  // Writes. Ids undefined = allocated. Errors: ElementExists, IdNotSupported, UnsupportedValue, ReadOnlyTransaction (see structure/StoreErrors.ts).
  /**
   * Where new ids come later: undefined while there are enough for what a step makes of a batch, else done when there are.
   * Asked before a step that writes. Absent where ids are there at once.
   */
  newIds?(): Pending | undefined
  addVertex(label: string, id: unknown): Ref
  addEdge(out: Ref, label: string, into: Ref, id: unknown): Ref
  /** Cardinality null = the graph's default for the key. Returns the property as it is now. */
  setVertexProperty(
    ref: Ref,
    cardinality: EnumValue | null,
    key: string,
    value: unknown,
    id: unknown,
    meta: ReadonlyMap<string, unknown> | null
  ): VertexProperty
  /** Returns the property with its meta-properties as they are now. */
  setMetaProperty(property: VertexProperty, key: string, value: unknown): VertexProperty
  setEdgeProperty(ref: Ref, key: string, value: unknown): Property
  removeVertex(ref: Ref): void
  /** {@link removeVertex} as a task, for a vertex that may have very many edges. */
  removeVertexTask(ref: Ref, slice: TimeSlice): Task
  removeEdge(ref: Ref): void
  removeVertexProperty(property: VertexProperty): void
  removeProperty(property: Property): void

  /**
   * Applies the changes at once; the new state is visible to transactions begun after. Undefined when it is done,
   * else what ends with the commit. Throws (or fails with) TransactionConflict when another transaction
   * committed a change to the same single property, unique index entry, multiplicity slot, edge or vertex existence.
   */
  commit(): Pending | undefined
  rollback(): void
  /**
   * Marks the changes so far, in place of an earlier mark; {@link rollbackToSavepoint} takes back what came after, and answers
   * later where that takes long. A store
   * without it keeps what a failed request of a session has changed.
   */
  savepoint?(): void
  rollbackToSavepoint?(): Pending | undefined
}
