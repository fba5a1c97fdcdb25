import type { types } from "cassandra-driver"
import type { RowPage, RowScan, Table } from "../janusgraph/cells/CellStore.ts"
import { CellPacker, sameBytes } from "../janusgraph/cells/Cells.ts"
import { PAGE_CELLS, type RowsPage } from "./CqlColumns.ts"
import type { CqlPages } from "./CqlPages.ts"

/** Cells of one row that a scan reads at most: who needs the others asks for them. */
const ROW_CELLS = PAGE_CELLS

/** All rows of a table, in the order of the tokens of their keys, a page of cells at a time, the next one while the last is looked at. */
export class TokenScan implements RowScan {
  readonly #pages: CqlPages
  readonly #table: Table
  readonly #after: Uint8Array | undefined
  #ahead: Promise<RowsPage> | undefined
  #next: Buffer | undefined
  #ended = false
  /** Rows that are here and were not given. */
  #here: Array<RowPage> = []
  /** The row that the last page ended in. */
  #key: Uint8Array | undefined
  #packer = new CellPacker()
  #cells = 0

  constructor(pages: CqlPages, table: Table, after: Uint8Array | undefined) {
    this.#pages = pages
    this.#table = table
    this.#after = after
    this.#ended = !pages.isThere(table)
  }

  next(): never {
    throw new Error("This store answers later: rows were read without being fetched")
  }

  fetch(rows: number, answer: (error: Error | undefined, rows: ReadonlyArray<RowPage>) => void): void {
    this.#some(rows).then(
      (some) => answer(undefined, some),
      (error: Error) => answer(error, [])
    )
  }

  async #some(rows: number): Promise<ReadonlyArray<RowPage>> {
    while (!this.#ended && this.#here.length < rows) {
      this.#ahead ??= this.#page()
      const page = await this.#ahead.finally(() => {
        this.#ahead = undefined
      })
      this.#take(page.rows)
      this.#next = page.next
      if (page.next === undefined) {
        this.#ended = true
        this.#finish()
      } else if (this.#here.length >= rows) {
        this.#ahead = this.#page()
        // The error is told to who asks for it.
        this.#ahead.catch(() => undefined)
      }
    }
    return this.#here.splice(0, rows)
  }

  #page(): Promise<RowsPage> {
    return this.#pages.columns.scanPage(this.#table, ROW_CELLS, this.#after, this.#next)
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
    this.#here.push({ key: this.#key, cells: this.#packer.take(), more: this.#cells >= ROW_CELLS })
    this.#key = undefined
    this.#cells = 0
  }
}
