import { sortItems } from "../../scheduling/Sorting.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { CellChange } from "../janusgraph/cells/CellStore.ts"
import { CellCursor, Cells, compareBytes } from "../janusgraph/cells/Cells.ts"
import { ByteWriter } from "../janusgraph/format/ByteWriter.ts"
import { MAX_KEY_BYTES, MAX_SEPARATOR_BYTES } from "./RowNames.ts"

/**
 * The values of lmdb's entries. A row is stored as one or several chunks. A chunk is a byte of flags and packed cells.
 * In the first chunk of a row with a long key, the key comes before the cells.
 */

/** The maximum size of a chunk, except of one with a single larger cell. Such a chunk fits in one page of the file. */
const MAX_CHUNK_BYTES = 4000
/** How full chunks are after a split, as a fraction of the maximum. */
const SPLIT_FILL = 0.7
/** How full chunks are after a split by cells that were appended at the end: cells that come in order fill chunks better. */
const APPEND_FILL = 0.92

/** A flag of the first chunk: the row has further chunks. */
const MORE = 1
/** A flag of the first chunk: the key of the row follows. */
const LONG_KEY = 2

/** The decoded start of a chunk. */
interface ChunkHead {
  readonly more: boolean
  /** The key of the row, if it is stored in the chunk. */
  readonly key: Uint8Array | undefined
  /** The offset of the cells. */
  readonly cells: number
}

/** Decodes the start of a chunk. */
export const readHead = (bytes: Uint8Array, start: number): ChunkHead => {
  const flags = bytes[start]!
  const more = (flags & MORE) !== 0
  if ((flags & LONG_KEY) === 0) return { more, key: undefined, cells: start + 1 }
  const length = (bytes[start + 1]! << 24) | (bytes[start + 2]! << 16) | (bytes[start + 3]! << 8) | bytes[start + 4]!
  return { more, key: bytes.slice(start + 5, start + 5 + length), cells: start + 5 + length }
}

/** Encodes a chunk. `more`: the row has further chunks; `rowKey`: the key of the row, for its first chunk. */
export const packChunk = (cells: Cells, more: boolean, rowKey: Uint8Array | undefined): Buffer => {
  const long = rowKey !== undefined && rowKey.length > MAX_KEY_BYTES
  const head = long ? 5 + rowKey.length : 1
  const chunk = Buffer.allocUnsafe(head + cells.end - cells.start)
  chunk[0] = (more ? MORE : 0) | (long ? LONG_KEY : 0)
  if (long) {
    chunk.writeUInt32BE(rowKey.length, 1)
    chunk.set(rowKey, 5)
  }
  chunk.set(cells.bytes.subarray(cells.start, cells.end), head)
  return chunk
}

/**
 * Restricts packed cells to a slice. `ended`: the slice ends within the cells. `full`: cells of the slice were left out
 * because of the limit.
 */
export const cut = (
  cells: Cells,
  start: Uint8Array | undefined,
  end: Uint8Array | undefined,
  limit: number
): { readonly cells: Cells; readonly ended: boolean; readonly full: boolean } => {
  if (start === undefined && end === undefined && limit === Number.POSITIVE_INFINITY) {
    return { cells, ended: false, full: false }
  }
  const cursor = new CellCursor().over(cells)
  let from = -1
  let to = cells.end
  let count = 0
  let ended = false
  let full = false
  while (cursor.next()) {
    if (from === -1 && start !== undefined && cursor.compareColumn(start) < 0) continue
    if (end !== undefined && cursor.compareColumn(end) >= 0) {
      to = cursor.at
      ended = true
      break
    }
    if (count === limit) {
      to = cursor.at
      full = true
      break
    }
    if (from === -1) from = cursor.at
    count++
  }
  return { cells: from === -1 ? new Cells(cells.bytes, to, to) : new Cells(cells.bytes, from, to), ended, full }
}

/**
 * Restricts packed cells to the last cells of a slice. `began`: the slice begins within the cells; `full` as of {@link
 * cut}.
 */
export const cutLast = (
  cells: Cells,
  start: Uint8Array | undefined,
  end: Uint8Array | undefined,
  limit: number
): { readonly cells: Cells; readonly began: boolean; readonly full: boolean } => {
  const cursor = new CellCursor().over(cells)
  const places: Array<number> = []
  let to = cells.end
  let began = false
  while (cursor.next()) {
    if (start !== undefined && cursor.compareColumn(start) < 0) {
      began = true
      continue
    }
    if (end !== undefined && cursor.compareColumn(end) >= 0) {
      to = cursor.at
      break
    }
    places.push(cursor.at)
  }
  const full = places.length > limit
  const from = places.at(full ? -limit : 0) ?? to
  return { cells: new Cells(cells.bytes, from, to), began: began && !full, full }
}

const writer = new ByteWriter(8192)
const cursor = new CellCursor()

interface Merged {
  readonly cells: Cells
  /** True when all changes were cells added after the last one. */
  readonly appended: boolean
}

/** Applies changes, sorted by column, to packed cells. The next call overwrites the bytes of the result. */
export const merge = (cells: Cells, changes: ReadonlyArray<CellChange>): Merged => {
  writer.reset()
  cursor.over(cells)
  let at = 0
  let has = cursor.next()
  let appended = true
  while (has || at < changes.length) {
    const change = changes[at]
    const order = !has ? 1 : change === undefined ? -1 : cursor.compareColumn(change.column)
    if (order < 0) {
      writer.raw(cursor.bytes, cursor.at, cursor.following)
      has = cursor.next()
      continue
    }
    if (has) appended = false
    if (order === 0) has = cursor.next()
    if (change!.value !== null) {
      writer.varint(change!.column.length)
      writer.varint(change!.value.length)
      writer.raw(change!.column)
      writer.raw(change!.value)
    }
    at++
  }
  return { cells: new Cells(writer.bytes, 0, writer.length), appended }
}

interface ChunkCells {
  readonly cells: Cells
  /**
   * A prefix of a column: it sorts after the last column of the previous chunk, and not after the first column of this one. Undefined
   * for the first chunk.
   */
  readonly separator: Uint8Array | undefined
}

/** Splits cells into chunks. */
export const splitIntoChunks = ({ cells, appended }: Merged): ReadonlyArray<ChunkCells> => {
  const total = cells.end - cells.start
  if (total <= MAX_CHUNK_BYTES) return [{ cells, separator: undefined }]
  const count = Math.ceil(total / (MAX_CHUNK_BYTES * SPLIT_FILL))
  const target = appended ? MAX_CHUNK_BYTES * APPEND_FILL : total / count
  const found: Array<ChunkCells> = []
  const walk = new CellCursor().over(cells)
  let from = cells.start
  let separator: Uint8Array | undefined
  let last: Uint8Array | undefined
  while (walk.next()) {
    const beyond = walk.following - from > target && walk.at > from
    const next = beyond ? separatorOf(last!, walk.column()) : undefined
    if (next !== undefined) {
      found.push({ cells: new Cells(cells.bytes, from, walk.at), separator })
      from = walk.at
      separator = next
    }
    last = walk.column()
  }
  found.push({ cells: new Cells(cells.bytes, from, cells.end), separator })
  return found
}

/** The shortest prefix of a column that sorts after another column; undefined when it is too long for a key. */
const separatorOf = (before: Uint8Array, column: Uint8Array): Uint8Array | undefined => {
  let length = 0
  while (length < before.length && before[length] === column[length]) length++
  if (length + 1 > MAX_SEPARATOR_BYTES) return undefined
  return Uint8Array.from(column.subarray(0, length + 1))
}

/** Sorts changes by column in time slices. */
export function* sortedChanges(changes: ReadonlyArray<CellChange>): Generator<void, ReadonlyArray<CellChange>> {
  if (changes.length < 2) return changes
  const compare = (a: CellChange, b: CellChange): number =>
    compareBytes(a.column, 0, a.column.length, b.column, 0, b.column.length)
  return yield* sortItems(changes, compare, new TimeSlice())
}
