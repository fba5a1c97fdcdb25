import type { VertexId } from "../format/Ids.ts"
import { ROW_BYTES, type VertexRow } from "./Row.ts"

/** A table of rows by the ids of their vertices. */
interface Rows {
  readonly size: number
  get(id: VertexId): VertexRow | undefined
  set(row: VertexRow): void
}

/** What a table has before another one begins. */
interface Generation {
  readonly rows: number
  /** Bytes of the cells of its rows. */
  readonly bytes: number
}

/** Rows of which the newest are kept: those of a table, and of the table before. */
export class RecentRows {
  readonly #makeTable: () => Rows
  readonly #most: Generation
  #young: Rows
  #youngBytes = 0
  #old: Rows | undefined
  #oldBytes = 0

  constructor(makeTable: () => Rows, most: Generation) {
    this.#makeTable = makeTable
    this.#most = most
    this.#young = makeTable()
  }

  get(id: VertexId): VertexRow | undefined {
    return this.#young.get(id) ?? this.#old?.get(id)
  }

  set(row: VertexRow): void {
    const replaced = this.#young.get(row.id)
    if (replaced === undefined && this.#isFull) {
      this.#old = this.#young
      this.#oldBytes = this.#youngBytes
      this.#young = this.#makeTable()
      this.#youngBytes = 0
    }
    this.#young.set(row)
    this.#youngBytes += row.bytes - (replaced?.bytes ?? 0)
  }

  get #isFull(): boolean {
    return this.#young.size >= this.#most.rows || this.#youngBytes >= this.#most.bytes
  }

  /** Estimated bytes of the rows, without their cells. */
  get heldBytes(): number {
    return (this.#young.size + (this.#old?.size ?? 0)) * ROW_BYTES
  }

  /** Bytes of the cells of the rows. */
  get cellBytes(): number {
    return this.#youngBytes + this.#oldBytes
  }
}

/** A table of more rows than a RowTable can have. */
export class ManyRows implements Rows {
  readonly #rows = new Map<VertexId, VertexRow>()

  get size(): number {
    return this.#rows.size
  }

  get(id: VertexId): VertexRow | undefined {
    return this.#rows.get(id)
  }

  set(row: VertexRow): void {
    this.#rows.set(row.id, row)
  }
}
