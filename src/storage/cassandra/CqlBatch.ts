import type { CellBatch, CellChange, Page, RowChange, SliceQuery, Table } from "../janusgraph/cells/CellStore.ts"
import { noCells } from "../janusgraph/cells/Cells.ts"
import type { LoggedRelations } from "../janusgraph/cells/RelationLog.ts"
import { sliceOf } from "../janusgraph/cells/Slices.ts"
import { assertColumnFits } from "../janusgraph/commit/NameLengths.ts"
import { after } from "../janusgraph/schema/SchemaRead.ts"
import { type ColumnTable, LONGEST_NAME } from "./ColumnStore.ts"
import type { ReadRange, RowRange, SeenParts } from "./RecentChanges.ts"

/** What a commit changes in one row. */
export interface ChangedRow {
  readonly table: Table
  readonly key: Uint8Array
  readonly changes: Array<CellChange>
  removed: boolean
}

/** Rows that are produced while they are written, because they do not all fit into memory. */
export interface ManyRows {
  readonly table: Table
  readonly rows: () => Iterable<RowChange>
}

const latin1 = (bytes: Uint8Array): string => Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length)

/** A name of a row for maps. */
export const rowName = (table: ColumnTable, key: Uint8Array): string => `${table} ${latin1(key)}`

const nameOf = ({ end, key, limit, reverse, start, table }: SliceQuery): string =>
  [
    table,
    latin1(key),
    start === undefined ? "" : `>${latin1(start)}`,
    end === undefined ? "" : `<${latin1(end)}`,
    limit ?? "",
    reverse ?? false
  ].join("\u0000")

/** The part of a row that a query reads. */
export const rangeOf = ({ end, key, start, table }: SliceQuery): RowRange => ({
  row: rowName(table, key),
  start,
  end
})

interface KnownPage {
  readonly query: SliceQuery
  readonly page: Page
  readonly read: ReadRange
}

/** A cell of `edgestore` whose remaining time to live a commit needs. */
interface DatedCell {
  readonly key: Uint8Array
  readonly column: Uint8Array
}

const cellName = ({ column, key }: DatedCell): string => `${latin1(key)}\u0000${latin1(column)}`

/** The pages that a commit has fetched, by query. */
export class KnownPages {
  readonly #pages = new Map<string, KnownPage>()
  /** Seconds until cells expire, by row and column; undefined for a cell that was not found. */
  readonly #seconds = new Map<string, Map<string, number | undefined>>()

  /** True when it is known how long a cell lives, or that it was not found. */
  isDated({ column, key }: DatedCell): boolean {
    return this.#seconds.get(latin1(key))?.has(latin1(column)) === true
  }

  secondsLeft({ column, key }: DatedCell): number | undefined {
    return this.#seconds.get(latin1(key))?.get(latin1(column))
  }

  setSecondsLeft({ column, key }: DatedCell, seconds: number | undefined): void {
    const name = latin1(key)
    const row = this.#seconds.get(name)
    if (row === undefined) this.#seconds.set(name, new Map([[latin1(column), seconds]]))
    else row.set(latin1(column), seconds)
  }

  /** Forgets a page, and how long the cells of its row live. */
  #forgetPage(name: string, { key, table }: SliceQuery): void {
    this.#pages.delete(name)
    if (table === "edgestore") this.#seconds.delete(latin1(key))
  }

  get(query: SliceQuery): Page | undefined {
    return this.#pages.get(nameOf(query))?.page
  }

  /** `read`: what the query has read, with the counts of when it was sent. */
  set(query: SliceQuery, page: Page, read: ReadRange): void {
    this.#pages.set(nameOf(query), { query, page, read })
  }

  /** What was read, as the other workers know it. */
  get seen(): ReadonlyArray<SeenParts> {
    return Array.from(this.#pages.values(), ({ read }) => read.seen).filter((seen) => seen !== undefined)
  }

  /** Forgets all pages of the queried rows, except the answers to these queries. */
  forgetRowsOf(queries: ReadonlyArray<SliceQuery>): void {
    if (queries.length === 0) return
    const rows = new Set(queries.map(({ key, table }) => rowName(table, key)))
    const names = new Set(queries.map(nameOf))
    for (const [name, { query }] of this.#pages) {
      if (rows.has(rowName(query.table, query.key)) && !names.has(name)) this.#forgetPage(name, query)
    }
  }

  /** Forgets the pages for which `isOld` is true. Returns whether there were any. */
  forget(isOld: (read: ReadRange) => boolean): boolean {
    let found = false
    for (const [name, { query, read }] of this.#pages) {
      if (!isOld(read)) continue
      this.#forgetPage(name, query)
      found = true
    }
    return found
  }
}

/** A cell that the commit must lock, with the page that held it before the work read it. */
interface LockedCell {
  readonly table: Table
  readonly key: Uint8Array
  readonly column: Uint8Array
  readonly page: Page
}

/**
 * One run of a commit's work over the pages fetched so far. A read of a missing page returns no cells and records the
 * query, so that the work continues and records further queries. The caller then fetches all of them and runs the work again.
 */
export class CqlBatch implements CellBatch {
  readonly version: number
  readonly schemaVersion: number
  readonly longestName = LONGEST_NAME
  readonly #known: KnownPages
  readonly #missing = new Map<string, SliceQuery>()
  readonly #undated = new Map<string, DatedCell>()
  readonly rows = new Map<string, ChangedRow>()
  readonly many: Array<ManyRows> = []
  /** Cells to lock, with the value that they had before the work read them. */
  readonly locked: Array<LockedCell> = []
  /** Queries of cells to lock that were not read before. Their rows must be read again, after these cells. */
  readonly unread: Array<SliceQuery> = []
  advancesSchema = false
  /** The relations that logs of transactions have; undefined if no log has the commit. */
  relations: LoggedRelations | undefined

  constructor(known: KnownPages, version: number, schemaVersion: number) {
    this.#known = known
    this.version = version
    this.schemaVersion = schemaVersion
  }

  get isIncomplete(): boolean {
    return this.#missing.size > 0 || this.#undated.size > 0
  }

  /** Cells whose remaining time to live is missing. */
  get undated(): ReadonlyArray<DatedCell> {
    return [...this.#undated.values()]
  }

  get missing(): ReadonlyArray<SliceQuery> {
    return [...this.#missing.values()]
  }

  slice(query: SliceQuery): Page {
    const { end, limit, start, table } = query
    // No work needs a whole row of a vertex: `more` makes it read the groups of cells that it needs, one by one.
    if (table === "edgestore" && start === undefined && end === undefined && limit === undefined) {
      return { cells: noCells, more: true }
    }
    const page = this.#known.get(query)
    if (page !== undefined) return page
    this.#missing.set(nameOf(query), query)
    return { cells: noCells, more: false }
  }

  secondsLeft(key: Uint8Array, column: Uint8Array): number | undefined {
    const cell = { key, column }
    if (this.#known.isDated(cell)) return this.#known.secondsLeft(cell)
    this.#undated.set(cellName(cell), cell)
    return 0
  }

  #row(table: Table, key: Uint8Array): ChangedRow {
    const name = rowName(table, key)
    let row = this.rows.get(name)
    if (row === undefined) {
      row = { table, key, changes: [], removed: false }
      this.rows.set(name, row)
    }
    return row
  }

  /** The changes of a row so far. */
  row(table: Table, key: Uint8Array): ChangedRow | undefined {
    return this.rows.get(rowName(table, key))
  }

  /**
   * Throws UnsupportedValue for what Cassandra would refuse in the middle of the commit. Removals of cells with names that are too long
   * for it are left out: it cannot have such cells.
   */
  change(table: Table, key: Uint8Array, changes: ReadonlyArray<CellChange>): void {
    const isLongKey = key.length > LONGEST_NAME
    let row: ChangedRow | undefined
    for (const change of changes) {
      const { column, value } = change
      if (isLongKey || column.length > LONGEST_NAME) {
        if (value === null) continue
        assertColumnFits(column.length, LONGEST_NAME, () => `a cell of ${table}`)
        assertColumnFits(key.length, LONGEST_NAME, () => `the key of a row of ${table}`)
      }
      row ??= this.#row(table, key)
      row.changes.push(change)
    }
  }

  changeRows(table: Table, rows: () => Iterable<RowChange>): void {
    this.many.push({ table, rows })
  }

  removeRow(table: Table, key: Uint8Array): void {
    this.#row(table, key).removed = true
  }

  /**
   * Reads the value of the cell first, and the row that the work depends on again after it: the value that is compared
   * under the lock must not be newer than what the work has seen.
   */
  lock(table: Table, key: Uint8Array, column: Uint8Array): void {
    const query = sliceOf(table, key, column, after(column), 1)
    const page = this.#known.get(query)
    if (page !== undefined) this.locked.push({ table, key, column, page })
    else {
      this.#missing.set(nameOf(query), query)
      this.unread.push(query)
    }
  }

  advanceSchema(): void {
    this.advancesSchema = true
  }

  log(relations: LoggedRelations): void {
    this.relations = relations
  }

  get isEmpty(): boolean {
    return this.rows.size === 0 && this.many.length === 0
  }
}
