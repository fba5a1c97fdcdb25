import type { Cursor, DirectionName, EdgeRequest, LabelSet, RefColumn } from "../../structure/graph/GraphReads.ts"

/** Initial size of a buffer in rows. Most requests have few rows. */
const FIRST_ROWS = 64

/** A buffer that is longer is not kept for the next call: one large batch would hold its memory for ever. */
const KEPT_ROWS = 65_536

/**
 * Buffers that the steps of many runs share. Allocating them for each run costs a short request some percent of its CPU time. A
 * step uses a buffer only within one call, calls no other step while it does, and passes on copies.
 */
export class Scratch {
  #rows = new Int32Array(FIRST_ROWS)
  /** One request for each type of refs: a store has one of them. */
  #request32: EdgeRequest | undefined
  #request64: EdgeRequest | undefined
  readonly #beginning: Cursor = { row: 0, offset: 0 }

  /** A buffer for at least `length` row numbers, valid until the next call. */
  rows(length: number): Int32Array {
    if (length > KEPT_ROWS) return new Int32Array(length)
    if (this.#rows.length < length) this.#rows = new Int32Array(Math.max(length, this.#rows.length * 2))
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
    const request = this.#requestOf(refs)
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

  #requestOf(refs: RefColumn): EdgeRequest {
    const isShort = refs instanceof Int32Array
    const kept = isShort ? this.#request32 : this.#request64
    if (kept !== undefined && kept.out.rows.length <= KEPT_ROWS) return kept
    const out = {
      rows: new Int32Array(FIRST_ROWS),
      refs: isShort ? new Int32Array(FIRST_ROWS) : new Float64Array(FIRST_ROWS),
      length: 0
    }
    const limit = Number.POSITIVE_INFINITY
    const made: EdgeRequest = {
      edges: false,
      refs,
      length: 0,
      direction: "OUT",
      labels: null,
      cursor: this.#beginning,
      limit,
      out
    }
    if (isShort) this.#request32 = made
    else this.#request64 = made
    return made
  }
}
