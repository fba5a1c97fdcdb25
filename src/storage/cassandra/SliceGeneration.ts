import type { Page, SliceQuery } from "../janusgraph/cells/CellStore.ts"
import { Cells, compareBytes, noCells } from "../janusgraph/cells/Cells.ts"
import type { SeenParts } from "./RecentChanges.ts"

/** What other workers have changed: the parts of a slice, and rows that they have not announced. */
export interface Seen {
  readonly parts: SeenParts
  readonly bulkWrites: number
}

/** A buffer that slices share. */
interface Chunk {
  readonly bytes: Uint8Array
  /** The slices in it that are not forgotten. */
  slices: number
}

/** A cached slice of a row. It refers to bytes of its generation only, not to those of the query and of the answer. */
export interface CachedSlice {
  /** The bounds of the slice, where `page.cells` ends. */
  readonly bytes: Uint8Array
  /** The shared buffer that `bytes` is; undefined for a buffer of its own. */
  readonly chunk: Chunk | undefined
  /** Lengths of the bounds; -1 for none. */
  readonly startLength: number
  readonly endLength: number
  readonly limit: number | undefined
  readonly reverse: boolean
  readonly page: Page
  /** When the slice expires, by the clock of the cache. */
  readonly until: number
  /** What other workers of the server had changed before it was read; undefined in a server of one process. */
  readonly seen: Seen | undefined
}

/** Heap bytes of a slice and of its row, without the name of the row and the bytes of its cells and bounds (at most 385 measured). */
const SLICE_BYTES = 400
/** Heap bytes of what other workers had changed before a slice was read. */
const SEEN_BYTES = 160
/** Size of a buffer that slices share. */
const CHUNK_BYTES = 32 * 1024
/** The part of a generation that a shared buffer takes at most. */
const MAX_CHUNK_SHARE = 1 / 16
/** The part of a shared buffer that a slice takes at most. A larger one has a buffer of its own, so that little stays unused. */
const MAX_SLICE_SHARE = 1 / 8

const isBound = ({ bytes }: CachedSlice, at: number, length: number, bound: Uint8Array | undefined): boolean =>
  bound === undefined
    ? length === -1
    : length === bound.length && compareBytes(bytes, at, at + length, bound, 0, length) === 0

/** True if the page of a slice answers the query, which is of the same row. A whole slice answers any limit. */
export const answers = (slice: CachedSlice, { end, limit, reverse, start }: SliceQuery): boolean => {
  const { endLength, page, startLength } = slice
  if ((slice.limit !== limit && page.more) || slice.reverse !== (reverse ?? false)) return false
  const at = page.cells.end
  return isBound(slice, at, startLength, start) && isBound(slice, at + Math.max(0, startLength), endLength, end)
}

/** Bytes of the data of a slice: its cells, its bounds and the name of its row, which has one byte for each character. */
export const dataBytes = (name: string, { end, start }: SliceQuery, { cells }: Page): number =>
  name.length + cells.end - cells.start + (start?.length ?? 0) + (end?.length ?? 0)

/**
 * Slices that are dropped together. Their cells are copied into buffers of the generation: an answer shares its buffer with other rows, of
 * which one that is kept would keep all. The bytes of a slice that is forgotten stay in use until all slices of its buffer are forgotten,
 * or the generation is dropped: an answer may still refer to them.
 */
export class SliceGeneration {
  readonly #limit: number
  readonly #chunkBytes: number
  readonly #rows = new Map<string, Array<CachedSlice>>()
  #chunk: Chunk = { bytes: noCells.bytes, slices: 0 }
  /** Bytes of the chunk that have been given to slices. */
  #used = 0
  #bytes = 0

  /** @param limit bytes of the generation */
  constructor(limit: number) {
    this.#limit = limit
    this.#chunkBytes = Math.min(CHUNK_BYTES, Math.floor(limit * MAX_CHUNK_SHARE))
  }

  /** The bytes of its buffers, and the heap bytes of its slices and of the names of their rows. */
  get bytes(): number {
    return this.#bytes
  }

  /** The slices of a row. The name is that of `rowName`. */
  row(name: string): ReadonlyArray<CachedSlice> | undefined {
    return this.#rows.get(name)
  }

  /** Adds the answer to a query, or replaces an older one. Returns the slice; undefined if the generation has no room for it. */
  add(name: string, query: SliceQuery, page: Page, until: number, seen: Seen | undefined): CachedSlice | undefined {
    const { cells } = page
    const { end, limit, reverse = false, start } = query
    const nameBytes = this.#rows.has(name) ? 0 : name.length
    const place = this.#allocate(dataBytes(name, query, page) - name.length, heapBytes(seen) + nameBytes)
    if (place === undefined) return undefined
    const { at, bytes, chunk } = place
    const cellsEnd = put(bytes, at, cells.bytes, cells.start, cells.end)
    const startEnd = start === undefined ? cellsEnd : put(bytes, cellsEnd, start, 0, start.length)
    if (end !== undefined) put(bytes, startEnd, end, 0, end.length)
    const slice: CachedSlice = {
      bytes,
      chunk,
      startLength: start?.length ?? -1,
      endLength: end?.length ?? -1,
      limit,
      reverse,
      page: { cells: new Cells(bytes, at, cellsEnd), more: page.more },
      until,
      seen
    }
    this.#put(name, query, slice)
    return slice
  }

  /** A place for a slice; undefined if there is no room. */
  #allocate(
    length: number,
    heap: number
  ): (Pick<CachedSlice, "bytes" | "chunk"> & { readonly at: number }) | undefined {
    const isShared = length <= this.#chunkBytes * MAX_SLICE_SHARE
    const isNew = isShared && this.#used + length > this.#chunk.bytes.length
    const grown = this.#bytes + heap + (isNew ? this.#chunkBytes : isShared ? 0 : length)
    if (grown > this.#limit) return undefined
    this.#bytes = grown
    if (!isShared) return { bytes: Buffer.allocUnsafeSlow(length), chunk: undefined, at: 0 }
    if (isNew) {
      const full = this.#chunk
      if (full.slices === 0) this.#bytes -= full.bytes.length
      this.#chunk = { bytes: Buffer.allocUnsafeSlow(this.#chunkBytes), slices: 0 }
      this.#used = 0
    }
    const chunk = this.#chunk
    const at = this.#used
    this.#used += length
    chunk.slices++
    return { bytes: chunk.bytes, chunk, at }
  }

  #put(name: string, query: SliceQuery, slice: CachedSlice): void {
    const slices = this.#rows.get(name)
    if (slices === undefined) {
      this.#rows.set(name, [slice])
      return
    }
    const at = slices.findIndex((other) => answers(other, query))
    if (at === -1) slices.push(slice)
    else {
      this.#release(slices[at]!)
      slices[at] = slice
    }
  }

  /** Forgets a row. */
  delete(name: string): void {
    const slices = this.#rows.get(name)
    if (slices === undefined) return
    for (const slice of slices) this.#release(slice)
    this.#rows.delete(name)
    this.#bytes -= name.length
  }

  #release({ bytes, chunk, seen }: CachedSlice): void {
    this.#bytes -= heapBytes(seen)
    if (chunk === undefined) this.#bytes -= bytes.length
    // The generation keeps its last chunk, also when it is empty.
    else if (--chunk.slices === 0 && chunk !== this.#chunk) this.#bytes -= bytes.length
  }
}

const heapBytes = (seen: Seen | undefined): number => SLICE_BYTES + (seen === undefined ? 0 : SEEN_BYTES)

/** Copies a range of bytes. Returns where the copy ends. */
const put = (to: Uint8Array, at: number, from: Uint8Array, start: number, end: number): number => {
  const length = end - start
  // A view costs more than the copy of some bytes.
  if (length > 256) to.set(from.subarray(start, end), at)
  else for (let i = 0; i < length; i++) to[at + i] = from[start + i]!
  return at + length
}
