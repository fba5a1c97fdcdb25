import type { CellBatch, CellChange, Page, RowChange, SliceQuery, Table } from "../janusgraph/cells/CellStore.ts"
import { Cells, noCells } from "../janusgraph/cells/Cells.ts"
import type { ChangedRows } from "./ChangedRows.ts"
import { merge, packChunk, readHead, sortedChanges, splitIntoChunks } from "./Chunks.ts"
import { type Chunk, chunkAfter, chunkAt, readSlice } from "./ColumnSlices.ts"
import type { Environment, LmdbTable } from "./Environment.ts"
import { chunkName, rowName } from "./RowNames.ts"

type Write =
  | { readonly table: Table; readonly key: Uint8Array; readonly changes: ReadonlyArray<CellChange> }
  | { readonly table: Table; readonly key: Uint8Array; readonly changes: null }
  | { readonly table: Table; readonly rows: () => Iterable<RowChange> }

/** A commit inside a transaction of lmdb. Its changes are collected first, and written after all of its reads. */
export class LmdbBatch implements CellBatch {
  readonly version: number
  readonly schemaVersion: number
  readonly #environment: Environment
  readonly #writes: Array<Write> = []
  #schema = false

  constructor(environment: Environment, version: number, schemaVersion: number) {
    this.#environment = environment
    this.version = version
    this.schemaVersion = schemaVersion
  }

  slice(query: SliceQuery): Page {
    return readSlice(this.#environment.table(query.table), query, undefined)
  }

  change(table: Table, key: Uint8Array, changes: ReadonlyArray<CellChange>): void {
    if (changes.length > 0) this.#writes.push({ table, key, changes })
  }

  changeRows(table: Table, rows: () => Iterable<RowChange>): void {
    this.#writes.push({ table, rows })
  }

  removeRow(table: Table, key: Uint8Array): void {
    this.#writes.push({ table, key, changes: null })
  }

  advanceSchema(): void {
    this.#schema = true
  }

  /** True when the batch changes rows of vertices. */
  get changesRows(): boolean {
    return this.#writes.some(({ table }) => table === "edgestore")
  }

  /** Adds the rows of vertices that the batch changes. */
  addChangedRows(changed: ChangedRows): void {
    if (this.#schema) changed.addUnknown()
    for (const write of this.#writes) {
      if (write.table !== "edgestore") continue
      if ("rows" in write) changed.addUnknown()
      else changed.add(write.key)
    }
  }

  get advancesSchema(): boolean {
    return this.#schema
  }

  /** Writes the changes in the open transaction. Yields after each row and within large rows. */
  *apply(): Generator<void, void> {
    for (const write of this.#writes) {
      const table = this.#environment.table(write.table)
      if ("rows" in write) for (const { key, changes } of write.rows()) yield* changeRow(table, key, changes)
      else if (write.changes === null) yield* removeRow(table, write.key)
      else yield* changeRow(table, write.key, yield* sortedChanges(write.changes))
      yield
    }
  }
}

/** Changes of one row that are written between two yields. */
const CHANGES_PER_YIELD = 256

function* removeRow(table: LmdbTable, key: Uint8Array): Generator<void, void> {
  const name = rowName(key)
  const first = table.getBinary(name)
  if (first === undefined) return
  if (readHead(first, 0).more) {
    for (let chunk = chunkAfter(table, name, name, undefined); chunk !== undefined; ) {
      table.remove(chunk.name)
      yield
      chunk = chunkAfter(table, name, name, undefined)
    }
  }
  table.remove(name)
}

/** Changes cells of a row. The changes are sorted by column. */
function* changeRow(table: LmdbTable, key: Uint8Array, changes: ReadonlyArray<CellChange>): Generator<void, void> {
  const name = rowName(key)
  for (let from = 0; from < changes.length; ) {
    const first = table.getBinary(name)
    if (first === undefined || !readHead(first, 0).more) {
      const mine = changes.slice(from, from + CHANGES_PER_YIELD)
      from += mine.length
      writeFirst(table, key, name, first, mine)
    } else {
      const chunk: Chunk = chunkAt(table, name, changes[from]!.column, undefined)!
      const next = chunkAfter(table, name, chunk.name, undefined)
      const end = endOf(changes, from, next?.name.subarray(name.length))
      const mine = changes.slice(from, end)
      from = end
      if (chunk.name.length === name.length) writeFirst(table, key, name, chunk.bytes, mine)
      else writeFurther(table, name, chunk, mine)
    }
    yield
  }
}

const cellsOf = (chunk: Buffer): Cells => new Cells(chunk, readHead(chunk, 0).cells, chunk.length)

/** The end of the changes that are written together: those before a separator, at most CHANGES_PER_YIELD. */
const endOf = (changes: ReadonlyArray<CellChange>, from: number, separator: Uint8Array | undefined): number => {
  const last = Math.min(changes.length, from + CHANGES_PER_YIELD)
  let end = from
  while (end < last && (separator === undefined || Buffer.compare(changes[end]!.column, separator) < 0)) end++
  return end
}

/** Writes the first chunk of a row; undefined when the row is new. */
const writeFirst = (
  table: LmdbTable,
  key: Uint8Array,
  name: Buffer,
  chunk: Buffer | undefined,
  changes: ReadonlyArray<CellChange>
): void => {
  const more = chunk !== undefined && readHead(chunk, 0).more
  const [first, ...others] = splitIntoChunks(merge(chunk === undefined ? noCells : cellsOf(chunk), changes))
  if (others.length === 0 && first!.cells.isEmpty && !(more && hasFurther(table, name))) {
    table.remove(name)
    return
  }
  table.put(name, packChunk(first!.cells, more || others.length > 0, key))
  for (const { cells, separator } of others) table.put(chunkName(name, separator!), packChunk(cells, false, undefined))
}

const hasFurther = (table: LmdbTable, name: Buffer): boolean => chunkAfter(table, name, name, undefined) !== undefined

const writeFurther = (table: LmdbTable, name: Buffer, chunk: Chunk, changes: ReadonlyArray<CellChange>): void => {
  const [first, ...others] = splitIntoChunks(merge(cellsOf(chunk.bytes), changes))
  if (first!.cells.isEmpty) {
    table.remove(chunk.name)
    forgetEmptyRow(table, name)
    return
  }
  table.put(chunk.name, packChunk(first!.cells, false, undefined))
  for (const { cells, separator } of others) table.put(chunkName(name, separator!), packChunk(cells, false, undefined))
}

/** Removes a row without cells: its first chunk is empty and no other chunk follows. */
const forgetEmptyRow = (table: LmdbTable, name: Buffer): void => {
  const first = table.getBinary(name)
  if (first !== undefined && cellsOf(first).isEmpty && !hasFurther(table, name)) table.remove(name)
}
