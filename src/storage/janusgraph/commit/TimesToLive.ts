import type { IndexEntry } from "../indexes/IndexEntries.ts"
import type { Schema } from "../schema/Schema.ts"

/**
 * The TTLs, in seconds, of the cells of a commit in a store that removes expired cells; 0 for none. As in JanusGraph, a
 * relation expires with its type or with its vertices, whichever is first.
 */
export class TimesToLive {
  readonly #schema: Schema
  readonly #cellsExpire: boolean

  constructor(schema: Schema, cellsExpire: boolean) {
    this.#schema = schema
    this.#cellsExpire = cellsExpire
  }

  /** True when vertices may expire. */
  get hasVertices(): boolean {
    if (!this.#cellsExpire || !this.#schema.hasStatic) return false
    return [...this.#schema.vertexLabels.values()].some(({ id }) => this.#schema.timeToLive(id) > 0)
  }

  /** The TTL of a type: a property key, an edge label or a vertex label. */
  of(type: number): number {
    return this.#cellsExpire ? this.#schema.timeToLive(type) : 0
  }

  /**
   * The TTL of an index entry. `owner` is that of the vertex or the edge. An entry of an ordered index expires with its
   * first field: the element still belongs into the index without the others.
   */
  ofEntry({ field, index }: IndexEntry, owner: number): number {
    if (!this.#cellsExpire || index.element === "edge") return owner
    const fields = field !== undefined ? [field] : index.kind === "ordered" ? index.fields.slice(0, 1) : index.fields
    return fields.reduce((first, { id }) => least(first, this.of(id)), owner)
  }
}

/** The shorter of two TTLs; 0 stands for none. */
export const least = (one: number, other: number): number =>
  one === 0 ? other : other === 0 ? one : Math.min(one, other)
