import type { types } from "cassandra-driver"
import type { Page, SliceQuery } from "../janusgraph/cells/CellStore.ts"
import { CellPacker, type Cells, noCells } from "../janusgraph/cells/Cells.ts"
import type { CqlColumns } from "./CqlColumns.ts"

const packed = (rows: ReadonlyArray<types.Row>): Cells => {
  if (rows.length === 0) return noCells
  const packer = new CellPacker()
  for (const { column1, value } of rows) packer.add(column1, value)
  return packer.take()
}

/** Reads slices of cells. A table that does not exist is empty. */
export class CqlPages {
  readonly columns: CqlColumns
  readonly #tables: ReadonlySet<string>

  constructor(columns: CqlColumns, tables: ReadonlySet<string>) {
    this.columns = columns
    this.#tables = tables
  }

  /** True when the keyspace has the table. */
  exists(table: string): boolean {
    return this.#tables.has(table)
  }

  /** Reads all pages of a slice, up to its limit. `more` says whether the limit has cut it. */
  async read(query: SliceQuery): Promise<Page> {
    if (!this.exists(query.table)) return { cells: noCells, more: false }
    const { limit, reverse } = query
    const asked = limit === undefined ? query : { ...query, limit: limit + 1 }
    let page = await this.columns.page(asked, "read", false)
    // The common case: a slice of one page.
    if (page.next === undefined && !reverse && (limit === undefined || page.rows.length <= limit)) {
      return { cells: packed(page.rows), more: false }
    }
    const rows = [...page.rows]
    while (page.next !== undefined && (limit === undefined || rows.length <= limit)) {
      page = await this.columns.page(asked, "read", false, page.next)
      for (const row of page.rows) rows.push(row)
    }
    const more = limit !== undefined && rows.length > limit
    if (more) rows.length = limit
    return { cells: packed(reverse ? rows.reverse() : rows), more }
  }
}
