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

  /** True when stored cells of a type may expire: it has a TTL, or had one. */
  mayHaveExpiring(type: number): boolean {
    return this.#cellsExpire && this.#schema.mayExpire(type)
  }

  /**
   * The TTL of an index entry, 0 for none; undefined when no such entry of its element expires, whenever it was written. An entry of an
   * ordered index expires with its first field: the element still belongs into the index without the others. IndexScan omits what is in
   * the place of an expired value.
   */
  ofEntry({ field, index }: IndexEntry, { ttl, type }: Owner): number | undefined {
    if (!this.#cellsExpire) return undefined
    const fields = field !== undefined ? [field] : index.kind === "ordered" ? index.fields.slice(0, 1) : index.fields
    const types = [type, ...(index.element === "edge" ? [] : fields.map(({ id }) => id))]
    if (ttl === 0 && !types.some((id) => this.#schema.mayExpire(id))) return undefined
    return types.reduce((first, id) => least(first, this.of(id)), ttl)
  }
}

/** The element of index entries. */
export interface Owner {
  /** Its TTL in seconds; 0 for none. */
  readonly ttl: number
  /** The id of its label; 0 for a vertex that has none, or whose label has no TTL. */
  readonly type: number
}

/** The shorter of two TTLs; 0 stands for none. */
export const least = (one: number, other: number): number =>
  one === 0 ? other : other === 0 ? one : Math.min(one, other)
