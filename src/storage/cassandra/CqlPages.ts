import { type Page, type SliceQuery, withLimit } from "../janusgraph/cells/CellStore.ts"
import { CellPacker, noCells } from "../janusgraph/cells/Cells.ts"
import { after, lastColumn } from "../janusgraph/schema/SchemaRead.ts"
import { inWindow } from "./ConcurrentWork.ts"
import type { CqlColumns, IsOver } from "./CqlColumns.ts"
import { withShortNames } from "./LongNames.ts"
import { packed, type RowBlock } from "./RowBlock.ts"
import { cellsOfGroup, GROUPED_CELLS, pagesOfGroup, type SliceGroup } from "./SliceGroups.ts"

/** True when a group reads fewer cells of a row than a slice with this limit. */
const isCut = (limit: number | undefined): boolean => limit === undefined || limit > GROUPED_CELLS

/** The code of a statement that a node does not accept. */
const INVALID_REQUEST = 0x2200

const isRefused = (error: unknown): boolean =>
  error instanceof Error && (error.cause as { readonly code?: number } | undefined)?.code === INVALID_REQUEST

/** Reads slices of cells. A table that does not exist is empty. */
export class CqlPages {
  readonly columns: CqlColumns
  readonly #tables: ReadonlySet<string>
  readonly #packer: CellPacker
  readonly #consistency: "read" | "newest"
  /** True when the reader has ended. */
  readonly isOver: IsOver

  constructor(
    columns: CqlColumns,
    tables: ReadonlySet<string>,
    isOver: IsOver = () => false,
    packer = new CellPacker(),
    consistency: "read" | "newest" = "read"
  ) {
    this.columns = columns
    this.#tables = tables
    this.isOver = isOver
    this.#packer = packer
    this.#consistency = consistency
  }

  /** These pages for a reader that may end: then no further statement is sent for it. */
  until(isOver: IsOver): CqlPages {
    return new CqlPages(this.columns, this.#tables, isOver, this.#packer, this.#consistency)
  }

  /** These pages, read from so many replicas that none of them is outdated. */
  newest(): CqlPages {
    return new CqlPages(this.columns, this.#tables, this.isOver, this.#packer, "newest")
  }

  /** True when the keyspace has the table. */
  exists(table: string): boolean {
    return this.#tables.has(table)
  }

  /**
   * Reads the slices of a group with one statement, and the rest of each longer row as a slice. `window`: the most of its statements
   * that are in flight.
   */
  async readGroup(group: SliceGroup, window: number): Promise<ReadonlyArray<Page>> {
    const { keys, query } = group
    if (!this.exists(query.table)) return keys.map(() => ({ cells: noCells, more: false }))
    let blocks: ReadonlyArray<RowBlock>
    try {
      blocks = await this.columns.slices(query, keys, cellsOfGroup(group), this.#consistency, this.isOver)
    } catch (error) {
      // A guardrail of the cluster may limit the rows of a statement.
      if (!isRefused(error)) throw error
      const alone = new Array<Page>(keys.length)
      await inWindow(keys, window, async (key, at) => {
        alone[at] = await this.read({ ...query, key })
      })
      return alone
    }
    const pages = pagesOfGroup(group, blocks, this.#packer)
    if (!isCut(query.limit) || !pages.some(({ more }) => more)) return pages
    const longer = [...pages.keys()].filter((at) => pages[at]!.more)
    await inWindow(longer, window, async (at) => {
      const { cells } = pages[at]!
      const limit = query.limit === undefined ? undefined : query.limit - GROUPED_CELLS
      const rest = await this.read({ ...query, key: keys[at]!, start: after(lastColumn(cells)), limit })
      const packer = new CellPacker()
      for (const part of [cells, rest.cells]) packer.addPacked(part.bytes, part.start, part.end)
      pages[at] = { cells: packer.take(), more: rest.more }
    })
    return pages
  }

  /** Reads all pages of a slice, up to its limit. `more` says whether the limit has cut it. */
  read(wanted: SliceQuery): Promise<Page> {
    const query = withShortNames(wanted)
    if (query === undefined || !this.exists(query.table)) return Promise.resolve({ cells: noCells, more: false })
    const { limit } = query
    const asked = limit === undefined ? query : withLimit(query, limit + 1)
    return this.columns
      .page(asked, this.#consistency, undefined, this.isOver)
      .then((first) =>
        first.next === undefined || (limit !== undefined && first.count > limit)
          ? this.#pageOf(query, [first])
          : this.#rest(query, asked, first)
      )
  }

  /** Reads the pages after the first one. */
  async #rest(query: SliceQuery, asked: SliceQuery, first: RowBlock): Promise<Page> {
    const { limit } = query
    const blocks = [first]
    let { count, next } = first
    while (next !== undefined && (limit === undefined || count <= limit)) {
      const page = await this.columns.page(asked, this.#consistency, next, this.isOver)
      blocks.push(page)
      count += page.count
      next = page.next
    }
    return this.#pageOf(query, blocks)
  }

  #pageOf({ limit, reverse }: SliceQuery, blocks: ReadonlyArray<RowBlock>): Page {
    const count = blocks.reduce((sum, block) => sum + block.count, 0)
    return { cells: packed(this.#packer, blocks, limit, reverse), more: limit !== undefined && count > limit }
  }
}
