import type {
  AdjacencyReads,
  Cursor,
  DirectionName,
  EdgeRequest,
  LabelSet,
  RefColumn
} from "../../structure/GraphReads.ts"

/** Initial size of a buffer in rows. Most requests have few rows. */
const FIRST_ROWS = 64

/**
 * Buffers that the steps of one run share. A step uses a buffer only within one call, calls no other step while it does, and
 * passes on copies.
 */
export class Scratch {
  readonly #transaction: AdjacencyReads
  #rows: Int32Array | undefined
  #request: EdgeRequest | undefined
  readonly #beginning: Cursor = { row: 0, offset: 0 }

  constructor(transaction: AdjacencyReads) {
    this.#transaction = transaction
  }

  /** A buffer for at least `length` row numbers, valid until the next call. */
  rows(length: number): Int32Array {
    if (this.#rows === undefined || this.#rows.length < length) {
      this.#rows = new Int32Array(Math.max(length, FIRST_ROWS, (this.#rows?.length ?? 0) * 2))
    }
    return this.#rows
  }

  /** A read of all edges of the first `length` vertices of a column, with an empty answer; valid until the next call. */
  edgeRequest(
    refs: RefColumn,
    length: number,
    edges: boolean,
    direction: DirectionName,
    labels: LabelSet | null
  ): EdgeRequest {
    const request = (this.#request ??= this.#newRequest(refs))
    this.#beginning.row = 0
    this.#beginning.offset = 0
    request.refs = refs
    request.length = length
    request.edges = edges
    request.direction = direction
    request.labels = labels
    request.cursor = this.#beginning
    request.limit = Number.POSITIVE_INFINITY
    request.out.length = 0
    return request
  }

  #newRequest(refs: RefColumn): EdgeRequest {
    const out = { rows: new Int32Array(FIRST_ROWS), refs: this.#transaction.newRefs(FIRST_ROWS), length: 0 }
    const limit = Number.POSITIVE_INFINITY
    return { edges: false, refs, length: 0, direction: "OUT", labels: null, cursor: this.#beginning, limit, out }
  }
}
