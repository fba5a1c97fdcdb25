import type { CellBatch } from "../cells/CellStore.ts"
import { least } from "../commit/TimesToLive.ts"
import type { GraphIndex, Schema } from "../schema/Schema.ts"

/** A stored cell from which another cell is made. */
interface SourceCell {
  /** The id of the property key or the edge label. */
  readonly type: number
  /** The label of the vertex, by id. Absent: not known, or that of another vertex counts, too. */
  readonly label?: number
  readonly key: Uint8Array
  readonly column: Uint8Array
}

/**
 * How long the cells of `edgestore` live from which a build or a repair makes other cells. Asks the store only about cells that may
 * expire, because each answer takes a statement.
 */
export class SourceTimes {
  readonly #schema: Schema
  readonly #secondsLeft: NonNullable<CellBatch["secondsLeft"]>
  /** True when a vertex label has a TTL: any edge may end with one of its vertices. */
  readonly #labelsExpire: boolean

  private constructor(schema: Schema, secondsLeft: NonNullable<CellBatch["secondsLeft"]>) {
    this.#schema = schema
    this.#secondsLeft = secondsLeft
    this.#labelsExpire = [...schema.vertexLabels.values()].some(({ id }) => schema.mayExpire(id))
  }

  /** The times of the cells that a commit reads; undefined when none of them expires. */
  static of(batch: Pick<CellBatch, "secondsLeft">, schema: Schema): SourceTimes | undefined {
    if (batch.secondsLeft === undefined || schema.modifiers.expiring.size === 0) return undefined
    return new SourceTimes(schema, (key, column) => batch.secondsLeft!(key, column))
  }

  /** True when cells of a type may expire, in the row of a vertex with a label: see {@link SourceCell}. */
  mayExpire(type: number, label?: number): boolean {
    return this.#schema.mayExpire(type) || (label === undefined ? this.#labelsExpire : this.#schema.mayExpire(label))
  }

  /** True when entries of an index may expire. */
  concerns({ element, fields, onlyLabel }: GraphIndex): boolean {
    if (this.#labelsExpire) return true
    if (element === "vertex") return fields.some(({ id }) => this.#schema.mayExpire(id))
    if (onlyLabel !== undefined) return this.#schema.mayExpire(onlyLabel)
    return [...this.#schema.labels.values()].some(({ id }) => this.#schema.mayExpire(id))
  }

  /**
   * Seconds until a cell expires; 0 if it does not. A cell that the store does not find lives as long as a new one: what is made of it
   * must not end before it.
   */
  left({ column, key, label, type }: SourceCell): number {
    if (!this.mayExpire(type, label)) return 0
    const longest = least(this.#schema.timeToLive(type), label === undefined ? 0 : this.#schema.timeToLive(label))
    return this.#secondsLeft(key, column) ?? longest
  }
}
