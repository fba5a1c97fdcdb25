import type { Pending } from "../../scheduling/Pending.ts"
import type { Edge, ElementSource, Ref, Vertex } from "../elements/Element.ts"

/** A column of refs. The transaction chooses the type ({@link AdjacencyReads.newRefs}). */
export type RefColumn = Int32Array | Float64Array

/** Where a read stopped inside a batch: the row, and a position in the answers of that row; 0 = the start. */
export interface Cursor {
  row: number
  offset: number
}

/** The results of an expansion: `refs[i]` was reached from row `rows[i]`. It is reused for the next batch. */
export interface Expansion {
  rows: Int32Array
  refs: RefColumn
  length: number
}

/** A selection of the edges of a vertex: out-edges, in-edges, or both. */
export type DirectionName = "OUT" | "IN" | "BOTH"

/** Edge labels resolved for one transaction. Made by {@link AdjacencyReads.edgeLabels}. */
export interface LabelSet {
  readonly labels: readonly string[]
}

/** One read of the edges of several vertices. The caller may reuse the object. */
export interface EdgeRequest {
  /** True for edges as answers, false for the vertices at their other ends. */
  edges: boolean
  /** The vertices. */
  refs: RefColumn
  /** Number of vertices in `refs`. */
  length: number
  direction: DirectionName
  /** Null = every label. */
  labels: LabelSet | null
  /** Where the read begins; it is moved to the place where the read stopped. */
  cursor: Cursor
  /** The read stops after about this number of answers in `out`. */
  limit: number
  /** Answers are appended to it. */
  out: Expansion
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

/** The operators that compare a property with values, named as their predicates; whether each takes one value or several. */
export const comparisonOperands = {
  eq: "one",
  lt: "one",
  lte: "one",
  gt: "one",
  gte: "one",
  within: "several",
  between: "several",
  inside: "several"
} as const

/** An operator that compares a property with values. */
export type Comparison = keyof typeof comparisonOperands

/** True for an operator that compares a property with values. Others search texts and shapes. */
export const isComparison = (operator: string): operator is Comparison => Object.hasOwn(comparisonOperands, operator)

/** One comparison that an index may answer. */
export interface IndexCondition {
  readonly key: string
  /**
   * - `words`: the text has all these words.
   * - `wordPrefix`: the text has a word that begins with each of these.
   * - `wordMatch`, `textMatch`: `value` is a function that tests a word, or a whole text.
   * - `shape`: the property has a point in common with a shape.
   */
  readonly operator: Comparison | "startingWith" | "words" | "wordPrefix" | "wordMatch" | "textMatch" | "shape"
  /** An array for `within`, an array of two for `between` and `inside`. */
  readonly value: unknown
}

/** A query for V() or E() with the has() filters that follow. An element must meet all conditions. */
export interface IndexQuery {
  readonly element: "vertex" | "edge"
  readonly labels: readonly string[] | null
  readonly conditions: readonly IndexCondition[]
  /** The answers come in the order of the values under this key; elements without one are left out. */
  readonly order?: { readonly key: string; readonly descending: boolean } | undefined
}

/** How an index can answer a query. The other conditions are tested after the search. */
export interface IndexChoice {
  readonly name: string
  /** Positions in `query.conditions` that need no further test. */
  readonly covered: readonly number[]
  readonly coversLabels: boolean
  /** True if the answers come in the order of the query. They then contain only elements with its key. */
  readonly ordered?: boolean
}

/** A running scan or index look-up. */
export interface RefScan {
  /** Appends up to `max` refs to `out`; false when nothing is left. */
  next(max: number, out: { refs: RefColumn; length: number }): boolean
  /** Frees what the scan holds. */
  close(): void
}

/** A read that a step will do for a batch, for stores that answer later. */
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
  /** The data of vertices that the graph checks before it adds edges to them. */
  | { readonly kind: "ends"; readonly refs: RefColumn; readonly length: number }
  | { readonly kind: "vertexIds"; readonly ids: readonly unknown[] }
  | { readonly kind: "edgeIds"; readonly ids: readonly unknown[] }
  | { readonly kind: "scan"; readonly scan: RefScan; readonly max: number }

/** Element counts without a scan; undefined if the store has no counters. They include the changes of the transaction. */
export interface GraphCounts {
  vertices(labels: readonly string[] | null): number | undefined
  edges(labels: readonly string[] | null): number | undefined
  /** The number of elements of each label. Absent if the store has no counters. */
  byLabel?(element: "vertex" | "edge"): ReadonlyMap<string, number> | undefined
}

/** Prefetching of reads, for stores that answer later. */
export interface ReadAhead {
  /** True if {@link ReadAhead.prefetch} must precede reads. */
  readonly answersLater: boolean
  /**
   * Requests the data that the reads need. Returns undefined if the transaction has it already. Called only if `answersLater`.
   * The transaction caches the answers for equal reads, including those of indexes and of short scans. No reads: only what
   * {@link ElementLookup.chooseIndex} needs, which must be fetched before the first choice of a transaction.
   */
  prefetch(reads: readonly Reads[]): Pending | undefined
  /**
   * Waits until there are enough ids for the elements that a step creates from one batch. Returns undefined if there are enough.
   * Called before a step that writes. Absent if ids are allocated at once.
   */
  newIds?(): Pending | undefined
}

/** Finds elements. A ref of -1 means that there is no such element. */
export interface ElementLookup {
  /** Ids are compared by numeric value across number types where the graph's id manager does so. */
  vertexRef(id: unknown): Ref
  edgeRef(id: unknown): Ref
  /** The ref of a handle, or of a detached element by its id. */
  refOfVertex(vertex: Vertex): Ref
  refOfEdge(edge: Edge): Ref
  /** True while the element exists for this transaction, which may have removed it. */
  hasVertex(ref: Ref): boolean
  hasEdge(ref: Ref): boolean
  /** Scans in a stable order; null labels = every label. */
  scanVertices(labels: readonly string[] | null): RefScan
  scanEdges(labels: readonly string[] | null): RefScan
  /** The best index for a query, or undefined. Plans do not cache it, because the indexes of a graph may change. */
  chooseIndex(query: IndexQuery): IndexChoice | undefined
  /** Runs a query with the index that {@link ElementLookup.chooseIndex} chose. */
  searchIndex(query: IndexQuery, choice: IndexChoice): RefScan
  readonly counts: GraphCounts
}

/** Reads the edges around vertices. */
export interface AdjacencyReads {
  /** An empty column of the kind that this transaction's refs need. */
  newRefs(capacity: number): RefColumn
  /** Reads with this set may leave out edges that do not meet the conditions. */
  edgeLabels(labels: readonly string[], conditions?: readonly IndexCondition[]): LabelSet
  /**
   * Appends the edges, or the neighbours, of the rows from `cursor.row` on until about `limit` answers are in `out`, then moves
   * the cursor. True when every row is done. For BOTH, out-edges come first; a self-loop is given twice.
   */
  expand(request: EdgeRequest): boolean
  /** Releases the place of a cursor with which {@link expand} has stopped inside a vertex. Absent where a place holds nothing. */
  leaves?(cursor: Cursor): void
  /** Number of edges at a vertex; null labels = every label. */
  degree(ref: Ref, direction: DirectionName, labels: LabelSet | null): number
  edgeOutRef(edge: Ref): Ref
  edgeInRef(edge: Ref): Ref
}

/** Reads labels, ids and properties, and makes handles. Lists, maps and bytes that a read returns must not be changed. */
export interface PropertyReads extends ElementSource {
  vertexReader(key: string): PropertyReader
  edgeReader(key: string): PropertyReader
  /** Keys with a value, in insertion order. */
  vertexKeys(ref: Ref): readonly string[]
  edgeKeys(ref: Ref): readonly string[]
  vertex(ref: Ref): Vertex
  edge(ref: Ref): Edge
  /**
   * The value with which values of a key are compared: one of another type becomes a value of the key's type, as in a write, and stays
   * as it is if it cannot be converted. Absent where keys have no types.
   */
  compared?(key: string, value: unknown): unknown
  /**
   * True if order() by these keys directly after V() or E() keeps the elements without one of them, at the end, as in JanusGraph. Absent
   * where order() leaves them out, as in TinkerGraph.
   */
  keepsUnsorted?(element: "vertex" | "edge", keys: readonly string[]): boolean
}
