import type { Page, SliceQuery } from "../janusgraph/cells/CellStore.ts"
import { rangeOf, rowName } from "./CqlBatch.ts"
import type { SiblingWrites } from "./SiblingWrites.ts"
import { answers, type CachedSlice, dataBytes, type Seen, SliceGeneration } from "./SliceGeneration.ts"
import { isSchemaData } from "./WriteOrder.ts"

/** `cache.db-cache-*`: a cache of slices that transactions of this process share. */
export interface SliceCacheOptions {
  /** `cache.db-cache-size`: bytes in the heap and beside it; 0 for no cache. */
  readonly bytes: number
  /** `cache.db-cache-time`, ms: how long a slice is kept. 0: until this server writes its row, or the cache is full. */
  readonly time: number
  /** `cache.db-cache-clean-wait`, ms: how long a row is not cached after this process has written it. */
  readonly cleanWait: number
}

type Siblings = Pick<SiblingWrites, "bulkWrites" | "hasChanged" | "see">

/** What this process writes to a row, or has written shortly before. */
interface Written {
  /** Writes that have not ended. */
  running: number
  /** Count at the end of the last write. */
  ended: number
  /** The row is not cached before this time. */
  until: number
}

/** Heap bytes of a row that is not cached after a write, without its name (at most 110 measured). */
const WRITTEN_ROW_BYTES = 150
/** A turn of the event loop forgets at most this many written rows, and two more for each row that it has written. */
const FORGOTTEN_ROWS = 1024
/** The time between two attempts to forget written rows that must be kept for some time. */
const FORGET_INTERVAL_MS = 1000

/** How long a row is not cached after a write whose outcome is unknown: a node may apply it later. */
const UNKNOWN_OUTCOME_WAIT_MS = 60_000
/** A slice whose data would take more than this part of the cache is not cached. */
const MAX_SLICE_SHARE = 1 / 16

/**
 * Slices that transactions have read. What this process writes is not answered from the cache from the start of the write
 * on, and what another worker of the server writes, from the end of the write on. What others write is seen after the expiry at the
 * latest. The cache has two generations: when the young one
 * has half of the bytes, the old one is dropped. Data of the schema is not cached.
 */
export class SliceCache {
  readonly #options: SliceCacheOptions
  readonly #now: () => number
  readonly #siblings: Siblings | undefined
  #young: SliceGeneration
  #old: SliceGeneration
  /** Grows with each start of a read, end of a write and clearing. */
  #count = 0
  #clearedAt = 0
  #schemaVersion = 0
  /** Counts at the starts of the running reads, in ascending order. */
  readonly #reads = new Set<number>()
  /** Rows that were written, in the order of their last end. */
  readonly #written = new Map<string, Written>()
  /** When rows with a write of an unknown outcome may be cached again, in this order. */
  readonly #doubtful = new Map<string, number>()
  /** Bytes of the names in both maps. */
  #nameBytes = 0
  /** True while a later turn will forget the rest. */
  #isForgetting = false
  #forgetTimer: NodeJS.Timeout | undefined

  /**
   * @param now milliseconds of a monotonic clock
   * @param siblings the writes of other workers of the server
   */
  constructor(options: SliceCacheOptions, now: () => number, siblings?: Siblings) {
    this.#options = options
    this.#now = now
    this.#siblings = siblings
    this.#young = this.#empty()
    this.#old = this.#empty()
  }

  /** Bytes of the cache: of its buffers, and of its objects in the heap, also of those that tell which rows are not cached. */
  get bytes(): number {
    const rows = this.#written.size + this.#doubtful.size
    return this.#young.bytes + this.#old.bytes + rows * WRITTEN_ROW_BYTES + this.#nameBytes
  }

  /** The answer to a query; undefined if it is not cached. */
  get(query: SliceQuery): Page | undefined {
    const name = rowName(query.table, query.key)
    const slice = this.#find(this.#young.row(name), query)
    if (slice !== undefined) return slice.page
    const old = this.#find(this.#old.row(name), query)
    if (old === undefined) return undefined
    // The copy: whoever keeps a page of the old generation would keep a buffer that this cache no longer counts.
    return (this.#add(name, query, old.page, old.until, old.seen) ?? old).page
  }

  #find(slices: ReadonlyArray<CachedSlice> | undefined, query: SliceQuery): CachedSlice | undefined {
    const found = slices?.find((slice) => answers(slice, query))
    if (found === undefined || found.until <= this.#now()) return undefined
    const siblings = this.#siblings
    if (siblings === undefined || found.seen === undefined) return found
    const { bulkWrites, parts } = found.seen
    return bulkWrites !== siblings.bulkWrites() || siblings.hasChanged(parts) ? undefined : found
  }

  /** Answers queries, and fetches those that are not cached. */
  async through(
    queries: ReadonlyArray<SliceQuery>,
    fetch: (missing: ReadonlyArray<SliceQuery>) => Promise<ReadonlyArray<Page>>
  ): Promise<ReadonlyArray<Page>> {
    const pages = queries.map((query) => this.get(query))
    const places = [...pages.keys()].filter((at) => pages[at] === undefined)
    const missing = places.map((at) => queries[at]!)
    if (missing.length > 0) {
      const began = ++this.#count
      this.#reads.add(began)
      const seen = missing.map((query) => this.#see(query))
      try {
        const found = await fetch(missing)
        found.forEach((page, at) => {
          pages[places[at]!] = page
          this.#put(missing[at]!, page, began, seen[at])
        })
      } finally {
        this.#reads.delete(began)
        this.#forgetWritten(0)
      }
    }
    return pages as ReadonlyArray<Page>
  }

  #see(query: SliceQuery): Seen | undefined {
    const siblings = this.#siblings
    return siblings && { bulkWrites: siblings.bulkWrites(), parts: siblings.see(rangeOf(query)) }
  }

  #put(query: SliceQuery, page: Page, began: number, seen: Seen | undefined): void {
    if (began < this.#clearedAt || isSchemaData(query)) return
    const name = rowName(query.table, query.key)
    if (dataBytes(name, query, page) > this.#options.bytes * MAX_SLICE_SHARE) return
    const written = this.#written.get(name)
    const now = this.#now()
    const isOld = written !== undefined && (written.running > 0 || written.ended > began || written.until > now)
    if (isOld || (this.#doubtful.get(name) ?? now) > now) return
    const { time } = this.#options
    this.#add(name, query, page, time === 0 ? Number.POSITIVE_INFINITY : now + time, seen)
  }

  /** Adds a slice to the young generation. Undefined if even an empty one has no room for it. */
  #add(name: string, query: SliceQuery, page: Page, until: number, seen: Seen | undefined): CachedSlice | undefined {
    const added = this.#young.add(name, query, page, until, seen)
    if (added !== undefined) return added
    this.#old = this.#young
    this.#young = this.#empty()
    return this.#young.add(name, query, page, until, seen)
  }

  #empty(): SliceGeneration {
    return new SliceGeneration(this.#options.bytes / 2)
  }

  /** Forgets rows, as this process has read newer states of them. The names are those of `rowName`. */
  forget(rows: Iterable<string>): void {
    for (const name of rows) {
      this.#young.delete(name)
      this.#old.delete(name)
    }
  }

  /** Forgets rows that this process starts to write. Call {@link written} after the write. */
  writing(rows: Iterable<string>): void {
    for (const name of rows) {
      const written = this.#written.get(name)
      if (written === undefined) {
        this.#written.set(name, { running: 1, ended: 0, until: 0 })
        this.#nameBytes += name.length
      } else written.running++
      this.forget([name])
    }
  }

  /** The write has ended. `isKnown`: false if it may be applied later. */
  written(rows: Iterable<string>, isKnown = true): void {
    const ended = ++this.#count
    const until = this.#now() + this.#options.cleanWait
    let count = 0
    for (const name of rows) {
      count++
      const written = this.#written.get(name)
      if (written === undefined) continue
      this.#written.delete(name)
      this.#written.set(name, { running: written.running - 1, ended, until })
      if (isKnown) continue
      // A write that succeeds later does not say what becomes of this one.
      if (!this.#doubtful.delete(name)) this.#nameBytes += name.length
      this.#doubtful.set(name, until + UNKNOWN_OUTCOME_WAIT_MS)
    }
    this.#forgetWritten(count)
  }

  /**
   * Drops what no running read needs. A large commit leaves very many rows: the rest is dropped in later turns of the event loop, a part
   * in each. `count`: the rows that were written in this turn.
   */
  #forgetWritten(count: number): void {
    const [oldest = Number.POSITIVE_INFINITY] = this.#reads
    const now = this.#now()
    const most = FORGOTTEN_ROWS + 2 * count
    const doubtful = this.#drop(this.#doubtful, most, (until) => until - now)
    // The end of the write or of the read calls this again.
    const isNeeded = ({ ended, running }: Written): boolean => running > 0 || ended > oldest
    const written = this.#drop(this.#written, most, (row) =>
      isNeeded(row) ? Number.POSITIVE_INFINITY : row.until - now
    )
    this.#forgetLater(Math.min(doubtful, written))
  }

  /** `wait`: the time for which the next row must be kept, ms; infinity if nothing can be planned. */
  #forgetLater(wait: number): void {
    if (wait === Number.POSITIVE_INFINITY) return
    if (wait > 0) {
      this.#forgetTimer ??= setTimeout(() => {
        this.#forgetTimer = undefined
        this.#forgetWritten(0)
      }, FORGET_INTERVAL_MS).unref()
    } else if (!this.#isForgetting) {
      this.#isForgetting = true
      setImmediate(() => {
        this.#isForgetting = false
        this.#forgetWritten(0)
      })
    }
  }

  /** Drops the first rows of a map, as long as they need not be kept, `most` at most. Returns for how long the next one must be. */
  #drop<A>(rows: Map<string, A>, most: number, waitOf: (row: A) => number): number {
    let left = most
    for (const [name, row] of rows) {
      const wait = waitOf(row)
      if (left-- === 0 || wait > 0) return wait
      rows.delete(name)
      this.#nameBytes -= name.length
    }
    return Number.POSITIVE_INFINITY
  }

  /** Forgets everything, also what running reads will answer. */
  clear(): void {
    this.#clearedAt = ++this.#count
    this.#young = this.#empty()
    this.#old = this.#empty()
  }

  /** Forgets everything if the schema has changed: an index may then have entries that it did not have before. */
  useSchema(version: number): void {
    if (version === this.#schemaVersion) return
    this.#schemaVersion = version
    this.clear()
  }
}
