import type { SliceQuery } from "../janusgraph/cells/CellStore.ts"
import type { GroupingOptions } from "./CqlOptions.ts"
import { hashOf, PROCESS_SEED } from "./KeyHash.ts"

/** Cells of one row that a statement for several rows reads at most. The rest of a longer row is read as a slice. */
export const GROUPED_CELLS = 256

/**
 * Cells that a statement for several rows reads at most: those of 20 long rows. Its answer is one page, because Cassandra
 * reads the rows of a statement with pages one after another, and needs a quarter more CPU time for them.
 */
const MAX_GROUP_CELLS = 20 * (GROUPED_CELLS + 1)

/**
 * Bytes that the cells of an answer should not exceed. An answer of 20 long rows of edges has a fifth of them. The node, the connection and
 * this process have the whole answer in memory.
 */
const MAX_GROUP_BYTES = 1024 * 1024
/** Smaller groups would not show when rows become small again. */
const LEAST_ROWS = 2

/** Kinds of slices whose sizes are known. Two kinds may share a number: their groups are then smaller than they could be. */
const KINDS = 1024
/** Bytes of a bound that tell kinds of slices apart: the prefix and the type of a relation. */
const KIND_BYTES = 16
/** The share of an answer in the known size of rows: one large row must not make all statements small. */
const ANSWER_SHARE = 1 / 8

/** Time after which one statement with more rows than the cluster has accepted is tried. */
const REFUSAL_MS = 60_000

/** The rows that the cluster accepts in a statement over one table. */
interface Accepted {
  rows: number
  /** When more of them are tried, by performance.now(). */
  until: number
}

/** Cells of each row that a statement for several rows reads: one more than wanted tells whether there are more. */
export const cellsOf = ({ limit }: SliceQuery): number => Math.min(limit ?? GROUPED_CELLS, GROUPED_CELLS) + 1

/**
 * How many rows a statement may have: by the options, by the cells that it may read, by the sizes of the rows that others have read, and by
 * the guardrails of the cluster.
 */
export class GroupLimits {
  readonly #options: GroupingOptions
  /** The bytes of a row, by the kind of its slice; 0 while they are not known. */
  readonly #rowBytes = new Float64Array(KINDS)
  /** By table: a node also refuses statements over a table that it does not have. */
  readonly #accepted = new Map<string, Accepted>()

  constructor(options: GroupingOptions) {
    this.#options = options
  }

  /** Rows from which on they share a statement. */
  get least(): number {
    return this.#options.allowed ? Math.max(LEAST_ROWS, this.#options.least) : Number.POSITIVE_INFINITY
  }

  /** Rows of a statement at most. */
  most(query: SliceQuery): number {
    return Math.min(this.#wanted(query), this.#accepted.get(query.table)?.rows ?? Number.POSITIVE_INFINITY)
  }

  /**
   * Rows of one statement that tries whether the cluster accepts more rows again; 0 for no such statement now. One caller in a minute
   * gets them: if all statements had more rows, all would be refused together.
   */
  trial(query: SliceQuery): number {
    const accepted = this.#accepted.get(query.table)
    const now = performance.now()
    if (accepted === undefined || now < accepted.until) return 0
    accepted.until = now + REFUSAL_MS
    return this.#wanted(query)
  }

  /** Rows of a statement at most if the cluster accepts all: never fewer than share one, because no answer would raise the number again. */
  #wanted(query: SliceQuery): number {
    const rowBytes = this.#rowBytes[kindOf(query)]!
    const cells = Math.floor(MAX_GROUP_CELLS / cellsOf(query))
    const bytes = rowBytes === 0 ? cells : Math.max(this.least, Math.floor(MAX_GROUP_BYTES / rowBytes))
    return Math.max(1, Math.min(this.#options.limit, cells, bytes))
  }

  /** The cluster has answered a statement for several rows. `bytes`: of all their cells. */
  answered(query: SliceQuery, rows: number, bytes: number): void {
    const kind = kindOf(query)
    const known = this.#rowBytes[kind]!
    this.#rowBytes[kind] = known + (bytes / rows - known) * ANSWER_SHARE
    const accepted = this.#accepted.get(query.table)
    if (accepted === undefined || rows <= accepted.rows) return
    if (rows >= this.#wanted(query)) this.#accepted.delete(query.table)
    else accepted.rows = rows
  }

  /** The cluster does not accept a statement with so many rows. Statements over its table have fewer for a while, down to one. */
  refused({ table }: SliceQuery, rows: number): void {
    // A statement that was sent before another one was refused, or a trial, says nothing new.
    if (rows > (this.#accepted.get(table)?.rows ?? Number.POSITIVE_INFINITY)) return
    this.#accepted.set(table, { rows: Math.max(1, Math.floor(rows / 2)), until: performance.now() + REFUSAL_MS })
  }
}

const noBytes = new Uint8Array(0)

const kindOf = (query: SliceQuery): number => {
  const start = hashOf(query.start ?? noBytes, PROCESS_SEED ^ cellsOf(query) ^ query.table.length, KIND_BYTES)
  return hashOf(query.end ?? noBytes, start, KIND_BYTES) & (KINDS - 1)
}
