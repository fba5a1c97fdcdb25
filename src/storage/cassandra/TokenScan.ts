import type { RowPage, RowScan, Table } from "../janusgraph/cells/CellStore.ts"
import type { ScanRange } from "./ColumnStore.ts"
import { PAGE_CELLS } from "./CqlColumns.ts"
import type { CqlPages } from "./CqlPages.ts"
import { type NextPage, RangeScan } from "./RangeScan.ts"
import { type IsOver, neverOver } from "./Reader.ts"
import { rangesFrom, shareBelow } from "./Tokens.ts"

/** Cells of one row that a scan reads. A reader that needs more fetches them as a slice. */
const MAX_ROW_CELLS = PAGE_CELLS
/** Ranges of tokens that a scan reads side by side. Each of them has at most two pages in memory. */
const MAX_RANGES = 8
/** Pages of a range that make it worth a statement of its own. */
const LEAST_PAGES_OF_RANGE = 2

/**
 * Iterates over all rows of a table, page by page. The first page shows how many tokens a page has, so a scan of a small table is
 * one statement. A scan of a large table divides the remaining tokens into ranges, which it reads side by side: their pages
 * come in turn. A scan in order reads one range. The next page of each range is read while the current ones are processed.
 */
export class TokenScan implements RowScan {
  readonly #pages: CqlPages
  readonly #table: Table
  readonly #isOver: IsOver
  /** Ranges that have further rows. */
  #ranges: Array<RangeScan>
  /** The range whose page is next. */
  #turn = 0
  /** True if the first page may divide the scan. */
  #isDivisible: boolean
  /** True if the end of a fetch reads the next page ahead. */
  #readsAhead: boolean
  /** Rows that were fetched and not yet returned. */
  #buffered: Array<RowPage> = []

  /**
   * `isOver`: the reader wants no further rows. `inOrder`: the rows come in the order of their tokens: all rows, or those after the row
   * of a key.
   */
  constructor(
    pages: CqlPages,
    table: Table,
    isOver: IsOver = neverOver,
    inOrder?: { readonly after: Uint8Array | undefined }
  ) {
    this.#pages = pages
    this.#table = table
    this.#isOver = isOver
    this.#isDivisible = inOrder === undefined
    this.#readsAhead = inOrder === undefined
    const after = inOrder?.after
    this.#ranges = pages.exists(table) ? [this.#range(after === undefined ? "all" : { after })] : []
  }

  #range(range: ScanRange): RangeScan {
    const { columns } = this.#pages
    const read = (next: NextPage | undefined) => columns.scanPage(this.#table, MAX_ROW_CELLS, range, next, this.#isOver)
    return new RangeScan(read, MAX_ROW_CELLS)
  }

  next(): never {
    throw new Error("This store answers later: rows were read without being fetched")
  }

  async fetch(rows: number): Promise<ReadonlyArray<RowPage>> {
    while (this.#ranges.length > 0 && this.#buffered.length < rows) {
      for (const range of this.#ranges) range.readAhead()
      this.#turn %= this.#ranges.length
      const range = this.#ranges[this.#turn]!
      for (const row of await range.take()) this.#buffered.push(row)
      if (range.isOver) this.#ranges.splice(this.#turn, 1)
      else {
        this.#turn++
        if (this.#isDivisible) this.#divide(range.cutKey)
      }
      this.#isDivisible = false
    }
    // The first page of a scan may be all that its reader needs, so only one range reads ahead now.
    if (this.#readsAhead) this.#ranges[this.#turn % this.#ranges.length]?.readAhead()
    // Those who read in order mostly take some rows, and go on in another scan after their commit.
    this.#readsAhead = true
    return this.#buffered.splice(0, rows)
  }

  /** Divides the tokens from the row in which the first page ended. The cells of this row are read again. */
  #divide(cutKey: Uint8Array | undefined): void {
    const from = cutKey === undefined ? undefined : this.#pages.columns.tokenOf(cutKey)
    if (from === undefined) return
    const read = shareBelow(from)
    const pages = (1 - read) / read
    const count = Math.min(MAX_RANGES, Math.floor(pages / LEAST_PAGES_OF_RANGE))
    if (count <= 1) return
    this.#ranges = rangesFrom(from, count).map((range) => this.#range(range))
    this.#turn = 0
  }
}
