import type { CellSnapshot, Page, RowScan, SliceQuery, Table } from "../cells/CellStore.ts"
import { CellCursor, CellPacker, compareBytes, noCells } from "../cells/Cells.ts"
import type { Slab } from "../cells/Slab.ts"
import { isPartitionedId, rowKeysOf } from "../format/PartitionedVertices.ts"
import { idOfRowKey } from "../format/RowKeys.ts"
import { lastColumn } from "../schema/SchemaRead.ts"

/** A cell of one of the merged pages. */
interface Part {
  readonly bytes: Uint8Array
  readonly at: number
  readonly columnStart: number
  readonly columnEnd: number
  readonly following: number
}

/**
 * Merges pages of the rows of a partitioned vertex into one page, sorted by column. If rows have more cells, the page
 * ends where the first of them does. A page without cells that has `more` stands for a slice that is not read as a whole.
 */
export const mergedPage = (pages: ReadonlyArray<Page>): Page => {
  const parts: Array<Part> = []
  let limit: Uint8Array | undefined
  for (const { cells, more } of pages) {
    if (more) {
      if (cells.isEmpty) return { cells: noCells, more: true }
      const last = lastColumn(cells)
      if (limit === undefined || compareBytes(last, 0, last.length, limit, 0, limit.length) < 0) limit = last
    }
    const cursor = new CellCursor().over(cells)
    while (cursor.next()) {
      const { at, bytes, columnEnd, columnStart, following } = cursor
      parts.push({ bytes, at, columnStart, columnEnd, following })
    }
  }
  parts.sort((a, b) => compareBytes(a.bytes, a.columnStart, a.columnEnd, b.bytes, b.columnStart, b.columnEnd))
  const packer = new CellPacker()
  for (const { at, bytes, columnEnd, columnStart, following } of parts) {
    const isAfter = limit !== undefined && compareBytes(bytes, columnStart, columnEnd, limit, 0, limit.length) > 0
    if (isAfter) break
    packer.addPacked(bytes, at, following)
  }
  return { cells: packer.take(), more: limit !== undefined }
}

/** True for a row key that a partitioned vertex may have. */
const isPartitionedKey = ({ key, table }: SliceQuery): boolean =>
  table === "edgestore" && key.length === 8 && (key[7]! & 7) === 2

/** A snapshot whose asynchronous reads of a row of a partitioned vertex read all of its rows. */
export class PartitionedSnapshot implements CellSnapshot {
  readonly #snapshot: CellSnapshot
  readonly #partitionBits: number

  constructor(snapshot: CellSnapshot, partitionBits: number) {
    this.#snapshot = snapshot
    this.#partitionBits = partitionBits
  }

  get version(): number {
    return this.#snapshot.version
  }

  get schemaVersion(): number {
    return this.#snapshot.schemaVersion
  }

  slice(query: SliceQuery, slab?: Slab): Page {
    return this.#snapshot.slice(query, slab)
  }

  fetch(queries: ReadonlyArray<SliceQuery>, isNewest?: boolean): Promise<ReadonlyArray<Page>> {
    return queries.some(isPartitionedKey)
      ? this.#fetchMerged(queries, isNewest)
      : this.#snapshot.fetch(queries, isNewest)
  }

  cached(query: SliceQuery): Page | undefined {
    return isPartitionedKey(query) ? undefined : this.#snapshot.cached?.(query)
  }

  async #fetchMerged(queries: ReadonlyArray<SliceQuery>, isNewest?: boolean): Promise<ReadonlyArray<Page>> {
    const keys = queries.map((query) => this.#keysOf(query))
    const all = queries.flatMap((query, at) => keys[at]!.map((key): SliceQuery => ({ ...query, key })))
    const pages = await this.#snapshot.fetch(all, isNewest)
    let at = 0
    return keys.map(({ length }) => {
      const own = pages.slice(at, at + length)
      at += length
      return length === 1 ? own[0]! : mergedPage(own)
    })
  }

  #keysOf(query: SliceQuery): ReadonlyArray<Uint8Array> {
    if (!isPartitionedKey(query)) return [query.key]
    const id = idOfRowKey(query.key, this.#partitionBits)
    return isPartitionedId(id) ? rowKeysOf(id, this.#partitionBits) : [query.key]
  }

  scan(table: Table): RowScan {
    return this.#snapshot.scan(table)
  }

  scanFrom(table: Table, after: Uint8Array | undefined): RowScan {
    return this.#snapshot.scanFrom(table, after)
  }

  close(): void {
    this.#snapshot.close()
  }
}
