import type { Pending } from "../scheduling/Pending.ts"
import type { Edge, ElementSource, Ref, Vertex } from "./Element.ts"

/** A column of refs; which of the two is the transaction's choice ({@link AdjacencyReads.newRefs}). */
export type RefColumn = Int32Array | Float64Array

/** Where a read stopped inside a batch: the row, and a place among the answers of that row; 0 = its beginning. */
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

/** Which edges of a vertex are meant: those out of it, those into it, or both. */
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
  /** Answers in `out` after which the read stops; it may give some more. */
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

/** One comparison that an index may answer. */
export interface IndexCondition {
  readonly key: string
  /**
   * `words`: the text has all these words; `wordPrefix`: it also has words that begin with these; `wordMatch`, `textMatch`: the
   * value is a function that tests a word, or a whole text; `shape`: it has a point in common with a shape.
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
  /** An array for `within`, an array of two for `between` and `inside`. */
  readonly value: unknown
}

/** What a V() or E() with folded has() filters asks of the store. All conditions hold together. */
export interface IndexQuery {
  readonly element: "vertex" | "edge"
  readonly labels: readonly string[] | null
  readonly conditions: readonly IndexCondition[]
  /** The answers come in the order of the values under this key; elements without one are left out. */
  readonly order?: { readonly key: string; readonly descending: boolean } | undefined
}

/** How an index would answer a query: its name and which conditions it covers completely (the rest is filtered after). */
export interface IndexChoice {
  readonly name: string
  /** Positions in `query.conditions` that need no further test. */
  readonly covered: readonly number[]
  readonly coversLabels: boolean
  /** True when the answers come in the order of the query, and only those that have its key. */
  readonly ordered?: boolean
}

/** A running scan or index look-up. */
export interface RefScan {
  /** Appends up to `max` refs to `out`; false when nothing is left. */
  next(max: number, out: { refs: RefColumn; length: number }): boolean
  /** Frees what the scan holds. */
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

/** Numbers of elements, answered without a scan; undefined where the store keeps none. Own changes are included. */
export interface GraphCounts {
  vertices(labels: readonly string[] | null): number | undefined
  edges(labels: readonly string[] | null): number | undefined
  /** Labels that elements have, with how many there are of each. Absent where only a scan would tell. */
  byLabel?(element: "vertex" | "edge"): ReadonlyMap<string, number> | undefined
}

/** Reads that are asked for ahead, where the store answers later. */
export interface ReadAhead {
  /** True where reads need {@link ReadAhead.prefetch} before them. */
  readonly answersLater: boolean
  /**
   * Asks for everything that the reads need; undefined when the transaction has it. Only called when `answersLater`. The
   * transaction keeps the answers, those of indexes and of scans of few elements, too: an equal search has them later.
   */
  prefetch(reads: readonly Reads[]): Pending | undefined
  /**
   * Undefined while there are enough ids for what a step makes of a batch, else ends when there are. Called before a step that
   * writes. Absent where ids are allocated at once.
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
  /** The best index for a query, or undefined. No plan keeps the answer, because indexes come and go. */
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
}
