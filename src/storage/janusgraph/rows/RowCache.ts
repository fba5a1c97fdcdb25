import { BigMap, type ReadonlyBigSet } from "../../../structure/BigMap.ts"
import { Slab } from "../cells/Slab.ts"
import type { VertexId } from "../format/Ids.ts"
import type { VertexRow } from "./Row.ts"
import { hashOf, numberOf } from "./RowTable.ts"

/** What a row takes as objects, and each byte of its cells once they are decoded, about: measured with 20 edges in a row. */
const ROW_BYTES = 1200
const BYTES_PER_BYTE = 5
/** How many rows are remembered as asked for once; a power of two. */
const REMEMBERED = 4096

/** A commit that changes more rows than this makes the cache forget all. */
const MANY = 10_000

type Ids = ReadonlyBigSet<VertexId> | ReadonlyArray<VertexId>

const countOf = (ids: Ids): number => ("size" in ids ? ids.size : ids.length)

interface Cached {
  readonly row: VertexRow
  /** Version of the snapshot that it was read from. */
  readonly version: number
}

/**
 * Decoded rows as of the newest commit, for all transactions. A row comes in when it is asked for again soon: a cache of
 * objects through which all that is ever read goes costs more in garbage collection than it saves in reads of the store.
 * It stays until it changes or is not asked for during a generation: when the young rows take half of the bytes, the old
 * ones go and the young ones become old.
 */
export class RowCache {
  readonly #limit: number
  #young = new BigMap<VertexId, Cached>()
  #old = new BigMap<VertexId, Cached>()
  #youngBytes = 0
  /** Commits up to this one are known here. */
  #version = 0
  /** Ids of rows that were asked for and not kept, those of texts as a number made of them. */
  readonly #asked = new Float64Array(REMEMBERED)
  readonly #slab = new Slab()
  /** Rows changed by commits on their way, by version. */
  readonly #changed = new Map<number, Array<Ids>>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The row as a snapshot of this version sees it, where it is known that it is the same. */
  get(id: VertexId, version: number): VertexRow | undefined {
    let cached = this.#young.get(id)
    if (cached === undefined) {
      cached = this.#old.get(id)
      if (cached === undefined) return undefined
      this.#old.delete(id)
      this.#keep(id, cached)
    }
    return cached.version <= version ? cached.row : undefined
  }

  /**
   * Keeps a row that was read from a snapshot of this version; false when newer commits are known, or when it was not
   * asked for lately.
   */
  put(row: VertexRow, version: number): boolean {
    if (version !== this.#version || this.#limit === 0 || !this.#isAskedAgain(row.id)) return false
    row.moveTo(this.#slab)
    this.#keep(row.id, { row, version })
    return true
  }

  /** Whether the id was asked for not long ago; from now on it was. */
  #isAskedAgain(id: VertexId): boolean {
    const number = typeof id === "number" ? id : numberOf(String(id))
    const place = hashOf(id) & (REMEMBERED - 1)
    if (this.#asked[place] === number) return true
    this.#asked[place] = number
    return false
  }

  #keep(id: VertexId, cached: Cached): void {
    this.#young.set(id, cached)
    this.#youngBytes += ROW_BYTES + cached.row.bytes * BYTES_PER_BYTE
    if (this.#youngBytes < this.#limit / 2) return
    this.#old = this.#young
    this.#young = new BigMap()
    this.#youngBytes = 0
  }

  /** A commit that becomes this version changes these rows. */
  changes(version: number, ids: Ids): void {
    const known = this.#changed.get(version)
    if (known === undefined) this.#changed.set(version, [ids])
    else known.push(ids)
  }

  /** A snapshot or a commit has this version: what changed until then is forgotten, all when it is not known. */
  advance(version: number): void {
    if (version <= this.#version) return
    for (let next = this.#version + 1; next <= version; next++) {
      const changed = this.#changed.get(next)
      // To find very many takes longer than to read again what will be asked for.
      if (changed === undefined || changed.some((ids) => countOf(ids) > MANY)) {
        this.clear()
        break
      }
      for (const ids of changed) {
        for (const id of ids) {
          this.#young.delete(id)
          this.#old.delete(id)
        }
      }
    }
    for (const known of this.#changed.keys()) if (known <= version) this.#changed.delete(known)
    this.#version = version
  }

  /** Forgets everything: after a failure, or a commit of another process. */
  clear(): void {
    this.#young.clear()
    this.#old.clear()
    this.#youngBytes = 0
  }

  /** The commits on their way failed. */
  forgetChanges(): void {
    this.#changed.clear()
    this.clear()
  }
}
