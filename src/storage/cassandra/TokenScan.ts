import type { RowPage, RowScan, Table } from "../janusgraph/cells/CellStore.ts"
import { CellPacker } from "../janusgraph/cells/Cells.ts"
import { PAGE_CELLS } from "./CqlColumns.ts"
import type { CqlPages } from "./CqlPages.ts"
import { type RowBlock, RowCursor } from "./RowBlock.ts"

/** Cells of one row that a scan reads. A reader that needs more fetches them as a slice. */
const MAX_ROW_CELLS = PAGE_CELLS

/**
 * Iterates over all rows of a table in token order, page by page. The next page is fetched while the current one is
 * processed.
 */
export class TokenScan implements RowScan {
  readonly #pages: CqlPages
  readonly #table: Table
  readonly #after: Uint8Array | undefined
  #nextPage: Promise<RowBlock> | undefined
  #next: Buffer | undefined
  #ended = false
  /** Rows that were fetched and not yet returned. */
  #buffered: Array<RowPage> = []
  /** Key of the row that the last page ended in. */
  #key: Uint8Array | undefined
  #packer = new CellPacker()
  #cells = 0

  constructor(pages: CqlPages, table: Table, after: Uint8Array | undefined) {
    this.#pages = pages
    this.#table = table
    this.#after = after
    this.#ended = !pages.exists(table)
  }

  next(): never {
    throw new Error("This store is asynchronous: rows were read without being fetched")
  }

  async fetch(rows: number): Promise<ReadonlyArray<RowPage>> {
    while (!this.#ended && this.#buffered.length < rows) {
      this.#nextPage ??= this.#page()
      const page = await this.#nextPage.finally(() => {
        this.#nextPage = undefined
      })
      this.#take(page)
      this.#next = page.next
      if (page.next === undefined) {
        this.#ended = true
        this.#finish()
      } else if (this.#buffered.length >= rows) {
        this.#nextPage = this.#page()
        // The next fetch() awaits this promise and reports the error.
        this.#nextPage.catch(() => undefined)
      }
    }
    return this.#buffered.splice(0, rows)
  }

  #page(): Promise<RowBlock> {
    const { columns, isOver } = this.#pages
    return columns.scanPage(this.#table, MAX_ROW_CELLS, this.#after, this.#next, isOver)
  }

  #take(page: RowBlock): void {
    const cursor = new RowCursor(page, true)
    while (cursor.next()) {
      if (this.#key === undefined || !cursor.isKey(this.#key)) {
        this.#finish()
        this.#key = cursor.key()
      }
      cursor.packInto(this.#packer)
      this.#cells++
    }
  }

  #finish(): void {
    if (this.#key === undefined) return
    this.#buffered.push({ key: this.#key, cells: this.#packer.take(), more: this.#cells >= MAX_ROW_CELLS })
    this.#key = undefined
    this.#cells = 0
  }
}
