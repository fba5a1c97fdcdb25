import type { RowPage } from "../janusgraph/cells/CellStore.ts"
import { CellPacker } from "../janusgraph/cells/Cells.ts"
import { type RowBlock, RowCursor } from "./RowBlock.ts"

/** A page after another one. */
export interface NextPage {
  /** Its paging state. */
  readonly state: Buffer
  /** The key of the row that the page before it ended in. */
  readonly after: Uint8Array | undefined
}

/** Reads a page: the first one, or another one. */
type ReadPage = (next: NextPage | undefined) => Promise<RowBlock>

/** The rows of consecutive pages. At most one page is read ahead. */
export class RangeScan {
  readonly #read: ReadPage
  /** A row with at least this number of cells may be incomplete: a page has no more cells of a row. */
  readonly #maxRowCells: number
  #ahead: Promise<RowBlock> | undefined
  #next: NextPage | undefined
  /** True when all rows were returned. */
  isOver = false
  /** Key of the row that the last page ended in. */
  #key: Uint8Array | undefined
  readonly #packer = new CellPacker()
  #cells = 0

  constructor(read: ReadPage, maxRowCells: number) {
    this.#read = read
    this.#maxRowCells = maxRowCells
  }

  /** The key of the row that the last page ended in; undefined after the last page. Its cells are not returned yet. */
  get cutKey(): Uint8Array | undefined {
    return this.#key
  }

  /** Starts to read the next page. An error is reported by the next call of take(). */
  readAhead(): void {
    if (this.isOver || this.#ahead !== undefined) return
    this.#ahead = this.#read(this.#next)
    this.#ahead.catch(() => undefined)
  }

  /** The complete rows of the next page. */
  async take(): Promise<ReadonlyArray<RowPage>> {
    this.readAhead()
    const reading = this.#ahead!
    const page = await reading.finally(() => {
      this.#ahead = undefined
    })
    const rows = this.#rowsOf(page)
    this.#next = page.next && { state: page.next, after: this.#key }
    if (page.next === undefined) {
      this.isOver = true
      this.#finish(rows)
    }
    return rows
  }

  #rowsOf(page: RowBlock): Array<RowPage> {
    const rows: Array<RowPage> = []
    const cursor = new RowCursor(page, true)
    while (cursor.next()) {
      if (this.#key === undefined || !cursor.isKey(this.#key)) {
        this.#finish(rows)
        this.#key = cursor.key()
      }
      cursor.packInto(this.#packer)
      this.#cells++
    }
    return rows
  }

  #finish(rows: Array<RowPage>): void {
    if (this.#key === undefined) return
    rows.push({ key: this.#key, cells: this.#packer.take(), more: this.#cells >= this.#maxRowCells })
    this.#key = undefined
    this.#cells = 0
  }
}
