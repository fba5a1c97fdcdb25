import type { Pending } from "../../scheduling/Pending.ts"
import type { EnumValue } from "../scalars/Enums.ts"
import type { AdjacencyReads, ElementLookup, PropertyReads, ReadAhead } from "./GraphReads.ts"
import type { GraphWrites } from "./GraphWrites.ts"

/** The features of a graph, for the machine and for clients. */
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
   * Cardinality of the properties that addV() writes if the traversal does not name one: list for TinkerGraph, null for graphs that
   * use their schema.
   */
  readonly creationCardinality: EnumValue | null
  readonly persistent: boolean
}

/** Why a graph refuses requests, until the server starts again. */
export interface GraphFault {
  /** True when the graph cannot be read either; false when it only takes no writes. */
  readonly isClosed: boolean
  /** What happened and what to do, for the operator of the server. Clients get the same text. */
  readonly reason: string
}

/** Options of a transaction. */
export interface BeginOptions {
  /** Writes are refused with a typed error. */
  readonly readOnly?: boolean
  /** The log of the user to which the commit is written, for graphs with {@link GraphStore.takesUserLogs}. */
  readonly userLog?: string | undefined
  /**
   * New edges may begin and end at vertices with a static label that earlier transactions have made: an import makes all vertices before
   * the edges.
   */
  readonly joinsStaticVertices?: boolean
}

/** A graph: opens transactions. */
export interface GraphStore {
  /** Absent while the graph works as configured. */
  readonly fault?: GraphFault | undefined
  readonly name: string
  readonly features: GraphFeatures
  /** A description for people: `tinkergraph[vertices:6 edges:6]`. */
  describe(): string
  /** A transaction over the newest committed state. */
  begin(options?: BeginOptions): GraphTransaction
  /** True when commits can be written to logs that the user names, which other programs process. Absent means false. */
  readonly takesUserLogs?: boolean
  /** Management of indexes over committed data. */
  readonly management: GraphManagement
  /** Called for the transactions of requests; absent where they are not counted. */
  watch?: TransactionWatch | undefined
  /** Rolls back open transactions and releases files and memory. */
  close(): Promise<void>
}

/** Counts the transactions of requests on a graph. */
export interface TransactionWatch {
  readonly began: () => void
  readonly ended: () => void
}

/** Options of a call that changes an index. */
export interface IndexCallOptions {
  /** Called when the change is committed: the rest of the work continues even if the caller does not wait for it. */
  readonly goesOn?: () => void
}

/** Options of a new index. */
export interface NewIndexOptions extends IndexCallOptions {
  /** No two elements may have the same value. Default false. */
  readonly unique?: boolean
}

/** Indexes as scripts create them: `graph.createIndex('uid', Vertex.class)`. */
export interface GraphManagement {
  /** Resolves when the index can be used. */
  createIndex(key: string, element: "vertex" | "edge", options?: NewIndexOptions): Promise<void>
  dropIndex(key: string, element: "vertex" | "edge", options?: IndexCallOptions): Promise<void>
  indexedKeys(element: "vertex" | "edge"): readonly string[]
  /** Indexes that are being built, with the number of vertices examined so far. Absent where a build takes no time. */
  readonly building?: ReadonlyArray<{ readonly name: string; readonly vertices: number }>
}

/** Begin and end of a transaction's changes. */
export interface TransactionLifecycle {
  readonly store: GraphStore
  /** True when the transaction has changes that are not committed. */
  readonly dirty: boolean
  /**
   * How often the transaction changed the graph, or undid changes: while it is the same, equal reads have equal answers.
   * Absent where the store does not count.
   */
  readonly changes?: number | undefined
  /** Estimated bytes of what the transaction keeps until its end, such as its changes. */
  readonly heldBytes: number
  /**
   * Applies the changes; transactions that begin later see them. Undefined when it is done. Throws (or fails with)
   * TransactionConflict when another transaction committed a change to the same single property, unique index entry,
   * multiplicity slot, edge or vertex existence.
   */
  commit(): Pending | undefined
  /** Drops the changes. */
  rollback(): void
  /** Sets the savepoint, in place of an earlier one. Absent: a failed request of a session keeps its changes. */
  savepoint?(): void
  /** Undoes the changes since the savepoint. */
  rollbackToSavepoint?(): Pending | undefined
}

/**
 * A snapshot to read from, with this transaction's own changes on top. It is bound to no thread and no fiber. After commit or
 * rollback it must not be used.
 *
 * Reads are synchronous. A store that cannot answer at once (Cassandra) says so by `answersLater`: the machine then passes the
 * reads of a whole batch to {@link ReadAhead.prefetch} before it runs a step over it, and the step's own reads find their answers
 * in the transaction. A store that answers at once is never asked to prefetch and pays nothing for it.
 */
export interface GraphTransaction
  extends ElementLookup,
    AdjacencyReads,
    PropertyReads,
    ReadAhead,
    GraphWrites,
    TransactionLifecycle {
  /**
   * Forgets the edges that were read, so that a walk over a whole graph needs little memory. Their refs and handles must not be used any
   * more. Absent where a transaction keeps nothing of the edges that it reads.
   */
  forgetEdges?(): void
  /** {@link forgetEdges}, and the same for the vertices that were read. */
  forgetVertices?(): void
}
