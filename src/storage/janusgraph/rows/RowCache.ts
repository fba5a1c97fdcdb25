import { BigMap, type ReadonlyBigSet } from "../../../structure/containers/BigMap.ts"
import { Slab } from "../cells/Slab.ts"
import type { VertexId } from "../format/Ids.ts"
import type { VertexRow } from "./Row.ts"
import { hashOf, numberOf } from "./RowTable.ts"

/**
 * Estimated heap bytes of the objects of a row, without its cells. Measured with rows of 20 edges, as is the next
 * constant.
 */
const ROW_BYTES = 1200
/** Estimated heap bytes for each byte of a row's cells, once they are decoded. */
const BYTES_PER_CELL_BYTE = 5
/** Rows that are remembered as read once; a power of two. */
const RECENT_READS = 4096

/**
 * A commit that changes more rows than this clears the cache: deleting that many rows takes longer than reading again.
 */
const MAX_EVICTED_ROWS = 10_000

type Ids = ReadonlyBigSet<VertexId> | ReadonlyArray<VertexId>

const countOf = (ids: Ids): number => ("size" in ids ? ids.size : ids.length)

const listed = (ids: Ids | undefined): ReadonlyArray<Ids> | undefined => (ids === undefined ? undefined : [ids])

interface Cached {
  readonly row: VertexRow
  /** The version of the snapshot from which the row was read. */
  readonly version: number
}

/**
 * A cache of decoded rows as of the newest commit, shared by all transactions. A row is admitted by the second read
 * within a short time: keeping every row that is read costs more in garbage collection than reading it from the store
 * again. The cache has two generations. When the young one reaches half of the limit, the old one is dropped and the
 * young one becomes the old one. A read moves a row from the old generation to the young one.
 */
export class RowCache {
  readonly #limit: number
  readonly #isShared: boolean
  #young = new BigMap<VertexId, Cached>()
  #old = new BigMap<VertexId, Cached>()
  #youngBytes = 0
  /** The newest version whose changes were applied to the cache. */
  #version = 0
  /** Ids of rows that were read and not admitted, indexed by hash. A text id is represented by its hash. */
  readonly #recentReads = new Float64Array(RECENT_READS)
  readonly #slab = new Slab()
  /** Rows that are changed by commits in progress, by the version of the commit. */
  readonly #changed = new Map<number, Array<Ids>>()
  /** Versions of commits that change the schema. */
  readonly #schemaChanges = new Set<number>()

  /**
   * `limit`: estimated heap bytes that the cache may take; 0 disables it. `isShared`: other processes change rows, too, so
   * that only the store knows the changes of a version.
   */
  constructor(limit: number, isShared = false) {
    this.#limit = limit
    this.#isShared = isShared
  }

  /** The row as a snapshot of this version sees it; undefined when it is not cached, or only in a newer version. */
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
   * Offers a row that was read from a snapshot of this version. Returns false when the cache does not admit it: the
   * snapshot is not the newest, or the row was not read recently.
   */
  put(row: VertexRow, version: number): boolean {
    if (version !== this.#version || this.#limit === 0 || !this.#wasReadRecently(row.id)) return false
    row.moveTo(this.#slab)
    this.#keep(row.id, { row, version })
    return true
  }

  /** True when the id was read recently. Records this read. */
  #wasReadRecently(id: VertexId): boolean {
    const number = typeof id === "number" ? id : numberOf(String(id))
    const slot = hashOf(id) & (RECENT_READS - 1)
    if (this.#recentReads[slot] === number) return true
    this.#recentReads[slot] = number
    return false
  }

  #keep(id: VertexId, cached: Cached): void {
    this.#young.set(id, cached)
    this.#youngBytes += ROW_BYTES + cached.row.bytes * BYTES_PER_CELL_BYTE
    if (this.#youngBytes < this.#limit / 2) return
    this.#old = this.#young
    this.#young = new BigMap()
    this.#youngBytes = 0
  }

  /** Announces the rows that a commit changes. `version` is the version after the commit. */
  changes(version: number, ids: Ids): void {
    if (this.#isShared || this.#limit === 0) return
    const known = this.#changed.get(version)
    if (known === undefined) this.#changed.set(version, [ids])
    else known.push(ids)
  }

  /**
   * Announces that a commit of this version changes the schema. Rows hold decoded names of keys, which it may change, so all are evicted.
   * Other commits of the version may change rows.
   */
  changesSchema(version: number): void {
    if (!this.#isShared && this.#limit > 0) this.#schemaChanges.add(version)
  }

  /**
   * Advances the cache to a version that a snapshot or a commit has. Evicts the rows that were changed until then;
   * clears the cache when the changes of a version are unknown. `changesOf`: what a snapshot of a shared store knows of
   * the changes of a version. Without it a shared cache does not advance.
   */
  advance(version: number, changesOf?: (version: number) => Ids | undefined): void {
    if (this.#limit === 0 || version <= this.#version || (this.#isShared && changesOf === undefined)) return
    for (let next = this.#version + 1; next <= version; next++) {
      const changed = changesOf === undefined ? this.#changed.get(next) : listed(changesOf(next))
      const isUnknown = changed === undefined || this.#schemaChanges.has(next)
      if (isUnknown || changed.some((ids) => countOf(ids) > MAX_EVICTED_ROWS)) {
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
    for (const [known, changed] of this.#changed) {
      if (known > version) continue
      this.#changed.delete(known)
      // An outgrown table of the map may still hold the list, see LinkedList.
      changed.length = 0
    }
    for (const known of this.#schemaChanges) if (known <= version) this.#schemaChanges.delete(known)
    this.#version = version
  }

  /** Evicts all rows. */
  clear(): void {
    this.#young.clear()
    this.#old.clear()
    this.#youngBytes = 0
  }

  /** Drops the announced changes of commits in progress, which failed, and evicts all rows. */
  forgetChanges(): void {
    this.#changed.clear()
    this.#schemaChanges.clear()
    this.clear()
  }
}
