import type { types } from "cassandra-driver"
import type { RowPage, RowScan, Table } from "../janusgraph/cells/CellStore.ts"
import { CellPacker, sameBytes } from "../janusgraph/cells/Cells.ts"
import { PAGE_CELLS, type RowsPage } from "./CqlColumns.ts"
import type { CqlPages } from "./CqlPages.ts"

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
  #nextPage: Promise<RowsPage> | undefined
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

  fetch(rows: number, answer: (error: Error | undefined, rows: ReadonlyArray<RowPage>) => void): void {
    this.#some(rows).then(
      (some) => answer(undefined, some),
      (error: Error) => answer(error, [])
    )
  }

  async #some(rows: number): Promise<ReadonlyArray<RowPage>> {
    while (!this.#ended && this.#buffered.length < rows) {
      this.#nextPage ??= this.#page()
      const page = await this.#nextPage.finally(() => {
        this.#nextPage = undefined
      })
      this.#take(page.rows)
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

  #page(): Promise<RowsPage> {
    return this.#pages.columns.scanPage(this.#table, MAX_ROW_CELLS, this.#after, this.#next)
  }

  #take(rows: ReadonlyArray<types.Row>): void {
    for (const { column1, key, value } of rows) {
      if (this.#key === undefined || !sameBytes(this.#key, key)) {
        this.#finish()
        this.#key = Uint8Array.from(key as Buffer)
      }
      this.#packer.add(column1, value)
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
