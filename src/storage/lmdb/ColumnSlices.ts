import type { Page, RowPage, SliceQuery } from "../janusgraph/cells/CellStore.ts"
import { Cells, noCells, successor } from "../janusgraph/cells/Cells.ts"
import { Slab } from "../janusgraph/cells/Slab.ts"
import { cut, cutLast, readHead } from "./Chunks.ts"
import type { LmdbSnapshot, LmdbTable, ReadFrom } from "./Environment.ts"
import { chunkName, keyOfName, nameLength, rowName } from "./RowNames.ts"

/** Answers are copied, because lmdb reuses the buffer for the next read. */
const copies = new Slab()

/** A chunk with its key in lmdb. */
export interface Chunk {
  readonly name: Buffer
  readonly bytes: Buffer
}

/** Reads inside a commit have no snapshot: they include the writes of the commit. */
const newest: ReadFrom = {}

const readFrom = (snapshot: LmdbSnapshot | undefined): ReadFrom =>
  snapshot === undefined ? newest : { transaction: snapshot }

/** The chunk of a row in which a column is or would be; undefined when the row has no chunk at or before the column. */
export const chunkAt = (
  table: LmdbTable,
  name: Buffer,
  column: Uint8Array,
  snapshot: LmdbSnapshot | undefined
): Chunk | undefined => {
  const start = chunkName(name, column)
  for (const { key, value } of table.getRange({ start, reverse: true, limit: 1, ...readFrom(snapshot) })) {
    return isOfRow(key, name) ? { name: key, bytes: value } : undefined
  }
  return undefined
}

/** The next chunk of the row; undefined at the end. */
export const chunkAfter = (
  table: LmdbTable,
  name: Buffer,
  chunk: Buffer,
  snapshot: LmdbSnapshot | undefined
): Chunk | undefined => {
  const range = { start: chunk, exclusiveStart: true, limit: 1, ...readFrom(snapshot) }
  for (const { key, value } of table.getRange(range))
    return isOfRow(key, name) ? { name: key, bytes: value } : undefined
  return undefined
}

const isOfRow = (key: Buffer, name: Buffer): boolean =>
  key.length >= name.length && name.equals(key.subarray(0, name.length))

/** Reads the first page of a slice: the cells of one chunk. */
export const readSlice = (
  table: LmdbTable,
  query: SliceQuery,
  snapshot: LmdbSnapshot | undefined,
  slab = copies
): Page => {
  if (query.reverse) return readLast(table, query, snapshot)
  const { key, start, end, limit = Number.POSITIVE_INFINITY } = query
  const name = rowName(key)
  const first = table.getBinaryFast(name, readFrom(snapshot))
  if (first === undefined) return { cells: noCells, more: false }
  const head = readHead(first, 0)
  const found = cut(new Cells(first, head.cells, first.length), start, end, limit)
  const cells = slab.copy(found.cells.bytes, found.cells.start, found.cells.end)
  if (!head.more) return { cells, more: found.full }
  if (found.ended || !cells.isEmpty) return { cells, more: !found.ended }
  return readFurther(table, name, query, snapshot)
}

/** Reads the last page of a slice: the cells of one chunk. */
const readLast = (
  table: LmdbTable,
  { end, key, limit = Number.POSITIVE_INFINITY, start }: SliceQuery,
  snapshot: LmdbSnapshot | undefined
): Page => {
  const name = rowName(key)
  let chunk = end === undefined ? lastChunk(table, name, snapshot) : chunkAt(table, name, end, snapshot)
  while (chunk !== undefined) {
    const head = readHead(chunk.bytes, 0)
    const found = cutLast(new Cells(chunk.bytes, head.cells, chunk.bytes.length), start, end, limit)
    const more = !found.began && (found.full || chunk.name.length > name.length)
    if (!found.cells.isEmpty || !more) {
      return { cells: copies.copy(found.cells.bytes, found.cells.start, found.cells.end), more }
    }
    chunk = chunkBefore(table, name, chunk.name, snapshot)
  }
  return { cells: noCells, more: false }
}

/** The previous chunk of the row; undefined at the start. */
const chunkBefore = (
  table: LmdbTable,
  name: Buffer,
  chunk: Buffer,
  snapshot: LmdbSnapshot | undefined
): Chunk | undefined => {
  const range = { start: chunk, exclusiveStart: true, reverse: true, limit: 1, ...readFrom(snapshot) }
  for (const { key, value } of table.getRange(range))
    return isOfRow(key, name) ? { name: key, bytes: value } : undefined
  return undefined
}

/** The last chunk of a row. */
const lastChunk = (table: LmdbTable, name: Buffer, snapshot: LmdbSnapshot | undefined): Chunk | undefined => {
  const next = successor(name)
  return next === undefined ? undefined : chunkBefore(table, name, next, snapshot)
}

/** Reads the first page of a slice that begins after the first chunk. */
const readFurther = (
  table: LmdbTable,
  name: Buffer,
  { start, end, limit = Number.POSITIVE_INFINITY }: SliceQuery,
  snapshot: LmdbSnapshot | undefined
): Page => {
  let chunk = start === undefined ? undefined : chunkAt(table, name, start, snapshot)
  // The first chunk was read before.
  if (chunk === undefined || chunk.name.length === name.length) chunk = chunkAfter(table, name, name, snapshot)
  while (chunk !== undefined) {
    const head = readHead(chunk.bytes, 0)
    const found = cut(new Cells(chunk.bytes, head.cells, chunk.bytes.length), start, end, limit)
    if (found.ended || !found.cells.isEmpty) return { cells: found.cells, more: !found.ended }
    chunk = chunkAfter(table, name, chunk.name, snapshot)
  }
  return { cells: noCells, more: false }
}

/**
 * Reads up to `rows` rows in the order of their names, beginning at `from`. `next`: where to continue; undefined at the
 * end.
 */
export const readRows = (
  table: LmdbTable,
  from: Buffer,
  rows: number,
  snapshot: LmdbSnapshot
): { readonly rows: ReadonlyArray<RowPage>; readonly next: Buffer | undefined } => {
  const found: Array<RowPage> = []
  let start: Buffer | undefined = from
  while (start !== undefined && found.length < rows) {
    const wanted: number = rows - found.length
    let count = 0
    let next: Buffer | undefined
    for (const { key, value } of table.getRange({ start, limit: wanted, transaction: snapshot })) {
      count++
      next = Buffer.concat([key, ZERO])
      // A further chunk of a row whose first chunk was read before.
      if (key.length > nameLength(key)) continue
      const head = readHead(value, 0)
      const cells = new Cells(value, head.cells, value.length)
      if (!cells.isEmpty) found.push({ key: head.key ?? Buffer.from(keyOfName(key)!), cells, more: head.more })
      else if (head.more)
        found.push({ key: head.key ?? Buffer.from(keyOfName(key)!), ...firstCells(table, key, snapshot) })
      if (head.more) {
        next = successor(key)
        count = wanted
        break
      }
    }
    start = count < wanted ? undefined : next
  }
  return { rows: found, next: start }
}

/** The first cells of a row whose first chunk has none. */
const firstCells = (table: LmdbTable, name: Buffer, snapshot: LmdbSnapshot): Page =>
  readFurther(table, Buffer.from(name), { table: "edgestore", key: name }, snapshot)

const ZERO = Buffer.from([0])
