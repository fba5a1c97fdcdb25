import type { VertexId } from "../format/Ids.ts"
import { ROW_BYTES, type VertexRow } from "./Row.ts"

/** Rows after which a new generation begins: far more than the steps that follow a scan work on at a time. */
const ROWS_PER_GENERATION = 32_768
/** Bytes of cells after which a new generation begins. */
const BYTES_PER_GENERATION = 32 * 1024 * 1024

/** The newest rows of scans, in two generations: those before them leave the memory, and are fetched again if they are needed. */
export class ScannedRows {
  #young = new Map<VertexId, VertexRow>()
  #youngBytes = 0
  #old: ReadonlyMap<VertexId, VertexRow> = this.#young
  #oldBytes = 0
  readonly #rowsPerGeneration: number

  constructor(rowsPerGeneration = ROWS_PER_GENERATION) {
    this.#rowsPerGeneration = rowsPerGeneration
  }

  get(id: VertexId): VertexRow | undefined {
    return this.#young.get(id) ?? this.#old.get(id)
  }

  set(row: VertexRow): void {
    const replaced = this.#young.get(row.id)
    if (replaced === row) return
    if (replaced !== undefined) {
      this.#youngBytes += row.bytes - replaced.bytes
      this.#young.set(row.id, row)
      return
    }
    if (this.#young.size >= this.#rowsPerGeneration || this.#youngBytes >= BYTES_PER_GENERATION) {
      this.#old = this.#young
      this.#oldBytes = this.#youngBytes
      this.#young = new Map()
      this.#youngBytes = 0
    }
    this.#young.set(row.id, row)
    this.#youngBytes += row.bytes
  }

  /** Estimated bytes of the rows, without their cells. */
  get heldBytes(): number {
    return (this.#young.size + this.#old.size) * ROW_BYTES
  }

  /** Bytes of the cells of the rows. */
  get cellBytes(): number {
    return this.#youngBytes + this.#oldBytes
  }
}
