import type { CellBatch, CellChange, Page, RowChange, SliceQuery, Table } from "../janusgraph/cells/CellStore.ts"
import { noCells } from "../janusgraph/cells/Cells.ts"
import { after } from "../janusgraph/schema/SchemaRead.ts"
import type { ReadRange } from "./RecentChanges.ts"

/** What a commit changes in one row. */
export interface ChangedRow {
  readonly table: Table
  readonly key: Uint8Array
  readonly changes: Array<CellChange>
  removed: boolean
}

/** Rows that are made only when they are written. */
export interface ManyRows {
  readonly table: Table
  readonly rows: () => Iterable<RowChange>
}

const latin1 = (bytes: Uint8Array): string => Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length)

const rowName = (table: Table, key: Uint8Array): string => `${table} ${latin1(key)}`

const nameOf = ({ end, key, limit, reverse, start, table }: SliceQuery): string =>
  [
    table,
    latin1(key),
    start === undefined ? "" : `>${latin1(start)}`,
    end === undefined ? "" : `<${latin1(end)}`,
    limit ?? "",
    reverse ?? false
  ].join("\u0000")

interface KnownPage {
  readonly query: SliceQuery
  readonly page: Page
  readonly since: number
}

/** What a commit has fetched: pages by their questions. */
export class KnownPages {
  readonly #pages = new Map<string, KnownPage>()

  get(query: SliceQuery): Page | undefined {
    return this.#pages.get(nameOf(query))?.page
  }

  /** `since`: when the question was asked, by the count of the recent changes. */
  set(query: SliceQuery, page: Page, since: number): void {
    this.#pages.set(nameOf(query), { query, page, since })
  }

  /** Forgets all pages of the rows that some questions are of, but for the answers to these questions. */
  forgetRowsOf(questions: ReadonlyArray<SliceQuery>): void {
    if (questions.length === 0) return
    const rows = new Set(questions.map(({ key, table }) => rowName(table, key)))
    const names = new Set(questions.map(nameOf))
    for (const [name, { query }] of this.#pages) {
      if (rows.has(rowName(query.table, query.key)) && !names.has(name)) this.#pages.delete(name)
    }
  }

  /** Forgets the pages that are told, and says whether there were any. */
  forget(isOld: (read: ReadRange) => boolean): boolean {
    let some = false
    for (const [name, { query, since }] of this.#pages) {
      if (!isOld({ row: rowName(query.table, query.key), start: query.start, end: query.end, since })) continue
      this.#pages.delete(name)
      some = true
    }
    return some
  }
}

/** A cell that is to be locked. */
interface LockedCell {
  readonly table: Table
  readonly key: Uint8Array
  readonly column: Uint8Array
  readonly page: Page
}

/**
 * One run of a commit's work: it reads what was fetched before. What was not is answered with nothing and remembered, so
 * that the work goes on and asks for more; then all of it is fetched, and the work runs again.
 */
export class CqlBatch implements CellBatch {
  readonly version: number
  readonly schemaVersion: number
  readonly #known: KnownPages
  readonly #missing = new Map<string, SliceQuery>()
  readonly rows = new Map<string, ChangedRow>()
  readonly many: Array<ManyRows> = []
  /** Cells that are to be locked, with what they held before the work read them. */
  readonly locked: Array<LockedCell> = []
  /** Cells that are to be locked and were not read before: their rows must be read again, after them. */
  readonly unread: Array<SliceQuery> = []
  advancesSchema = false

  constructor(known: KnownPages, version: number, schemaVersion: number) {
    this.#known = known
    this.version = version
    this.schemaVersion = schemaVersion
  }

  get isIncomplete(): boolean {
    return this.#missing.size > 0
  }

  get missing(): ReadonlyArray<SliceQuery> {
    return [...this.#missing.values()]
  }

  slice(query: SliceQuery): Page {
    const { end, limit, start, table } = query
    // Of a whole row nobody needs more than some groups of cells, and asks for each of them.
    if (table === "edgestore" && start === undefined && end === undefined && limit === undefined) {
      return { cells: noCells, more: true }
    }
    const page = this.#known.get(query)
    if (page !== undefined) return page
    this.#missing.set(nameOf(query), query)
    return { cells: noCells, more: false }
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

  /** What it changes in a row. */
  row(table: Table, key: Uint8Array): ChangedRow | undefined {
    return this.rows.get(rowName(table, key))
  }

  change(table: Table, key: Uint8Array, changes: ReadonlyArray<CellChange>): void {
    const row = this.#row(table, key)
    for (const change of changes) row.changes.push(change)
  }

  changeRows(table: Table, rows: () => Iterable<RowChange>): void {
    this.many.push({ table, rows })
  }

  removeRow(table: Table, key: Uint8Array): void {
    this.#row(table, key).removed = true
  }

  /**
   * Its value is read before the row that the work goes by is read once more: what is compared under the lock is not newer
   * than what the work has seen.
   */
  lock(table: Table, key: Uint8Array, column: Uint8Array): void {
    const query = { table, key, start: column, end: after(column), limit: 1 }
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

  get isEmpty(): boolean {
    return this.rows.size === 0 && this.many.length === 0
  }
}
