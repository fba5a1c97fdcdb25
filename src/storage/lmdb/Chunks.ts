import { sortItems } from "../../scheduling/Sorting.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { CellChange } from "../janusgraph/cells/CellStore.ts"
import { CellCursor, Cells, compareBytes } from "../janusgraph/cells/Cells.ts"
import { ByteWriter } from "../janusgraph/format/ByteWriter.ts"
import { LONGEST_KEY, LONGEST_SEPARATOR } from "./RowNames.ts"

/**
 * Values of lmdb's entries: a byte of flags, in the first chunk of a row with a long key that key, then packed cells.
 * A chunk of up to this many bytes takes one page of the file when it does not fit beside others.
 */
const MOST_BYTES = 4000
/** How full the chunks are that come of a cut in the middle, and of one at the end, where cells come in order. */
const EVENLY = 0.7
const APPENDED = 0.92

/** In the first chunk: the row has further ones. */
const MORE = 1
/** In the first chunk: the key of the row follows. */
const LONG_KEY = 2

interface ChunkHead {
  readonly more: boolean
  /** The row's key, where the name does not have it. */
  readonly key: Uint8Array | undefined
  /** Where the cells begin. */
  readonly cells: number
}

/** Reads what is before the cells of a chunk. */
export const readHead = (bytes: Uint8Array, start: number): ChunkHead => {
  const flags = bytes[start]!
  const more = (flags & MORE) !== 0
  if ((flags & LONG_KEY) === 0) return { more, key: undefined, cells: start + 1 }
  const length = (bytes[start + 1]! << 24) | (bytes[start + 2]! << 16) | (bytes[start + 3]! << 8) | bytes[start + 4]!
  return { more, key: bytes.slice(start + 5, start + 5 + length), cells: start + 5 + length }
}

/** A chunk as it is stored. */
export const packChunk = (cells: Cells, more: boolean, rowKey: Uint8Array | undefined): Buffer => {
  const long = rowKey !== undefined && rowKey.length > LONGEST_KEY
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

/** The cells of a slice among packed ones, and whether it ends inside them. */
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

/** The last cells of a slice among packed ones, and whether it begins inside them. */
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
  /** True when nothing was changed but added behind the last cell. */
  readonly appended: boolean
}

/**
 * Applies changes, in the order of their columns, to packed cells. The answer's bytes are overwritten by the next call.
 */
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

interface Piece {
  readonly cells: Cells
  /** Before its first column and behind the last one of the piece before; of the first piece undefined. */
  readonly separator: Uint8Array | undefined
}

/** Cuts cells that are too many for one chunk into several. */
export const pieces = ({ cells, appended }: Merged): ReadonlyArray<Piece> => {
  const total = cells.end - cells.start
  if (total <= MOST_BYTES) return [{ cells, separator: undefined }]
  const count = Math.ceil(total / (MOST_BYTES * EVENLY))
  const target = appended ? MOST_BYTES * APPENDED : total / count
  const found: Array<Piece> = []
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

/** The shortest begin of a column that is behind another; undefined when it is too long for a key. */
const separatorOf = (before: Uint8Array, column: Uint8Array): Uint8Array | undefined => {
  let length = 0
  while (length < before.length && before[length] === column[length]) length++
  if (length + 1 > LONGEST_SEPARATOR) return undefined
  return Uint8Array.from(column.subarray(0, length + 1))
}

/** Changes in the order of their columns, with a yield now and then. */
export function* sortedChanges(changes: ReadonlyArray<CellChange>): Generator<void, ReadonlyArray<CellChange>> {
  if (changes.length < 2) return changes
  const compare = (a: CellChange, b: CellChange): number =>
    compareBytes(a.column, 0, a.column.length, b.column, 0, b.column.length)
  return yield* sortItems(changes, compare, new TimeSlice())
}
