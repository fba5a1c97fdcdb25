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
/** The share of a smaller answer in the known size of rows. A larger one counts at once. */
const SMALLER_SHARE = 1 / 8

/** Time after which a statement with more rows than the cluster has accepted is tried again. */
const REFUSAL_MS = 60_000

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
  /** Rows that the cluster accepts. */
  #accepted = Number.POSITIVE_INFINITY
  /** When this limit ends, by performance.now(). */
  #until = 0

  constructor(options: GroupingOptions) {
    this.#options = options
  }

  /** Rows from which on they share a statement. */
  get least(): number {
    return this.#options.allowed ? Math.max(2, this.#options.least) : Number.POSITIVE_INFINITY
  }

  /** Rows of a statement at most. */
  most(query: SliceQuery): number {
    const rowBytes = this.#rowBytes[kindOf(query)]!
    const cells = Math.floor(MAX_GROUP_CELLS / cellsOf(query))
    const bytes = rowBytes === 0 ? cells : Math.max(LEAST_ROWS, Math.floor(MAX_GROUP_BYTES / rowBytes))
    return Math.max(1, Math.min(this.#options.limit, cells, bytes, this.#acceptedNow()))
  }

  #acceptedNow(): number {
    if (this.#until !== 0 && performance.now() >= this.#until) {
      this.#until = 0
      this.#accepted = Number.POSITIVE_INFINITY
    }
    return this.#accepted
  }

  /** The cluster has answered a statement for several rows. `bytes`: of all their cells. */
  answered(query: SliceQuery, rows: number, bytes: number): void {
    const kind = kindOf(query)
    const known = this.#rowBytes[kind]!
    const mean = bytes / rows
    this.#rowBytes[kind] = mean >= known ? mean : known + (mean - known) * SMALLER_SHARE
  }

  /** The cluster does not accept a statement with so many rows. Statements have fewer for a while, down to one. */
  refused(rows: number): void {
    this.#accepted = Math.min(this.#accepted, Math.max(1, Math.floor(rows / 2)))
    this.#until = performance.now() + REFUSAL_MS
  }
}

const noBytes = new Uint8Array(0)

const kindOf = (query: SliceQuery): number => {
  const start = hashOf(query.start ?? noBytes, PROCESS_SEED ^ cellsOf(query) ^ query.table.length, KIND_BYTES)
  return hashOf(query.end ?? noBytes, start, KIND_BYTES) & (KINDS - 1)
}
