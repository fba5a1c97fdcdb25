import type { Page, SliceQuery } from "../janusgraph/cells/CellStore.ts"
import { CellPacker, type Cells, noCells } from "../janusgraph/cells/Cells.ts"
import { withLimit } from "../janusgraph/cells/Slices.ts"
import { after, lastColumn } from "../janusgraph/schema/SchemaRead.ts"
import type { CqlColumns } from "./CqlColumns.ts"
import { isInvalidStatement } from "./Failures.ts"
import { GROUPED_CELLS } from "./GroupLimits.ts"
import { withShortNames } from "./LongNames.ts"
import { type IsOver, neverOver, promiseOf, type Reader } from "./Reader.ts"
import { packed, type RowBlock } from "./RowBlock.ts"
import { cellsOfGroup, pagesOfGroup, type SliceGroup } from "./SliceGroups.ts"

const noPage: Page = { cells: noCells, more: false }

/** Reads slices of cells. A table that does not exist is empty. */
export class CqlPages {
  readonly columns: CqlColumns
  readonly #tables: ReadonlySet<string>
  /** Packs the cells of all answers. */
  readonly packer: CellPacker
  readonly consistency: "read" | "newest"

  constructor(
    columns: CqlColumns,
    tables: ReadonlySet<string>,
    packer = new CellPacker(),
    consistency: "read" | "newest" = "read"
  ) {
    this.columns = columns
    this.#tables = tables
    this.packer = packer
    this.consistency = consistency
  }

  /** These pages, read from so many replicas that none of them is outdated. */
  newest(): CqlPages {
    return new CqlPages(this.columns, this.#tables, this.packer, "newest")
  }

  /** True when the keyspace has the table. */
  exists(table: string): boolean {
    return this.#tables.has(table)
  }

  /** Reads the slices of a group with one statement. A page to which {@link isPart} applies has only the first cells of its slice. */
  group(group: SliceGroup, reader: Reader<ReadonlyArray<Page>>): void {
    if (this.exists(group.query.table)) new GroupRead(this, group, reader).send(undefined)
    else reader.answered(group.keys.map(() => noPage))
  }

  /** Reads the further cells of a row of a group. `first`: what its statement has read. */
  rest(group: SliceGroup, at: number, first: Page, reader: Reader<Page>): void {
    const { keys, query } = group
    const limit = query.limit === undefined ? undefined : query.limit - GROUPED_CELLS
    const start = after(lastColumn(first.cells))
    this.#slice({ ...query, key: keys[at]!, start, limit }, [first.cells], reader)
  }

  /** Reads all pages of a slice, up to its limit. `more` says whether the limit has cut it. */
  slice(wanted: SliceQuery, reader: Reader<Page>): void {
    this.#slice(wanted, undefined, reader)
  }

  /** As slice(), as a promise. */
  read(wanted: SliceQuery, isOver: IsOver = neverOver): Promise<Page> {
    return promiseOf((reader) => this.slice(wanted, reader), isOver)
  }

  /** `parts`: the cells before those of the slice. */
  #slice(wanted: SliceQuery, parts: Array<Cells> | undefined, reader: Reader<Page>): void {
    const query = withShortNames(wanted)
    if (query === undefined || !this.exists(query.table)) reader.answered(noPage)
    else new SliceRead(this, query, parts, reader).send(undefined)
  }
}

/** True for a page of a group that lacks cells which its slice asks for. */
export const isPart = ({ query: { limit } }: SliceGroup, { more }: Page): boolean =>
  more && (limit === undefined || limit > GROUPED_CELLS)

/** The pages of one slice, of which each is packed when it arrives: a long row does not hold up others at its end. */
class SliceRead implements Reader<RowBlock> {
  readonly #pages: CqlPages
  readonly #query: SliceQuery
  /** The query that is sent: one cell more than wanted tells whether there are more. */
  readonly #asked: SliceQuery
  readonly #reader: Reader<Page>
  /** The cells of the pages before, in the order of the answers. */
  #parts: Array<Cells> | undefined
  #left: number

  constructor(pages: CqlPages, query: SliceQuery, parts: Array<Cells> | undefined, reader: Reader<Page>) {
    const { limit } = query
    this.#pages = pages
    this.#query = query
    this.#asked = limit === undefined ? query : withLimit(query, limit + 1)
    this.#reader = reader
    this.#parts = parts
    this.#left = limit ?? Number.POSITIVE_INFINITY
  }

  send(next: Buffer | undefined): void {
    this.#pages.columns.page(this.#asked, this.#pages.consistency, next, this)
  }

  isOver(): boolean {
    return this.#reader.isOver()
  }

  answered(block: RowBlock): void {
    const { reverse } = this.#query
    const cells = packed(this.#pages.packer, block, this.#left, reverse)
    this.#left -= block.count
    const isLast = block.next === undefined || this.#left < 0
    if (!isLast || this.#parts !== undefined) {
      this.#parts ??= []
      this.#parts.push(cells)
    }
    if (!isLast) this.send(block.next)
    else {
      const all = this.#parts === undefined ? cells : joined(this.#parts, reverse === true)
      this.#reader.answered({ cells: all, more: this.#left < 0 })
    }
  }

  failed(cause: unknown): void {
    this.#reader.failed(cause)
  }
}

/** The cells of consecutive answers. `isReverse`: the last answer has the first cells. */
const joined = (parts: Array<Cells>, isReverse: boolean): Cells => {
  if (isReverse) parts.reverse()
  const packer = new CellPacker(parts.reduce((sum, { end, start }) => sum + end - start, 0))
  for (const { bytes, end, start } of parts) packer.addPacked(bytes, start, end)
  return packer.takeAll()
}

/** The answer of a group. It has one page, unless a service of Cassandra's protocol always answers with pages. */
class GroupRead implements Reader<RowBlock> {
  readonly #pages: CqlPages
  readonly #group: SliceGroup
  readonly #reader: Reader<ReadonlyArray<Page>>
  readonly #blocks: Array<RowBlock> = []

  constructor(pages: CqlPages, group: SliceGroup, reader: Reader<ReadonlyArray<Page>>) {
    this.#pages = pages
    this.#group = group
    this.#reader = reader
  }

  send(next: Buffer | undefined): void {
    const { columns, consistency } = this.#pages
    columns.slices({ ...this.#group, cells: cellsOfGroup(this.#group) }, consistency, next, this)
  }

  isOver(): boolean {
    return this.#reader.isOver()
  }

  answered(block: RowBlock): void {
    this.#blocks.push(block)
    if (block.next !== undefined) {
      this.send(block.next)
      return
    }
    const { keys, query } = this.#group
    const pages = pagesOfGroup(this.#group, this.#blocks, this.#pages.packer)
    let bytes = 0
    for (let at = 0; at < pages.length; at++) bytes += pages[at]!.cells.end - pages[at]!.cells.start
    this.#pages.columns.grouping.answered(query, keys.length, bytes)
    this.#reader.answered(pages)
  }

  failed(cause: unknown): void {
    const { keys, query } = this.#group
    if (isInvalidStatement(cause)) this.#pages.columns.grouping.refused(query, keys.length)
    this.#reader.failed(cause)
  }
}
