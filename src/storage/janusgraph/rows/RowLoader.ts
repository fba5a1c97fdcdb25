import type { CellSnapshot, Page, SliceQuery } from "../cells/CellStore.ts"
import { Cells, noCells } from "../cells/Cells.ts"
import type { Slab } from "../cells/Slab.ts"
import { sliceOf } from "../cells/Slices.ts"
import type { VertexId } from "../format/Ids.ts"
import { isPartitionedId, rowKeysOf } from "../format/PartitionedVertices.ts"
import { rowKey } from "../format/RowKeys.ts"
import { after, lastColumn } from "../schema/SchemaRead.ts"
import { type Header, PROPERTIES_END } from "./Headers.ts"
import { mergedPage } from "./PartitionedRows.ts"
import { type Group, VertexRow } from "./Row.ts"

/**
 * Reads rows of vertices synchronously, from a snapshot or from a commit. The rows of a partitioned vertex are read as
 * one.
 */
export class RowLoader {
  readonly #slice: (query: SliceQuery, slab?: Slab) => Page
  readonly #partitionBits: number

  constructor(slice: (query: SliceQuery, slab?: Slab) => Page, partitionBits: number) {
    this.#slice = slice
    this.#partitionBits = partitionBits
  }

  /** The first page of a row. `slab`: see {@link CellSnapshot.slice}. */
  row(id: VertexId, slab?: Slab): VertexRow {
    if (isPartitionedId(id)) return rowOfPage(id, this.#merged(id, undefined, undefined))
    return rowOfPage(id, this.#slice(sliceOf("edgestore", rowKey(id, this.#partitionBits)), slab))
  }

  /** The group of a row with a header, read if necessary; undefined when there is none. */
  group(row: VertexRow, header: Header): Group | undefined {
    if (!row.knows(header)) row.addGroup(header, [...this.pages(row.id, header)])
    return row.find(header.key)
  }

  /** Reads all properties of a row, unless it has them: one range, however many keys the schema has. */
  readProperties(row: VertexRow): void {
    if (row.knowsProperties) return
    const pages = [...this.#range(row.id, undefined, PROPERTIES_END)]
    const bytes = Buffer.concat(pages.map((cells) => cells.bytes.subarray(cells.start, cells.end)))
    row.addProperties(new Cells(bytes, 0, bytes.length))
  }

  /** All cells with a header, in pages. */
  pages(id: VertexId, { bytes, end }: Header): Generator<Cells> {
    return this.#range(id, bytes, end)
  }

  *#range(id: VertexId, start: Uint8Array | undefined, end: Uint8Array): Generator<Cells> {
    for (let page = this.page(id, start, end); ; ) {
      yield page.cells
      if (!page.more) return
      page = this.page(id, after(lastColumn(page.cells)), end)
    }
  }

  /** The first page of a range of columns of a row. */
  page(id: VertexId, start: Uint8Array | undefined, end: Uint8Array): Page {
    if (isPartitionedId(id)) return this.#merged(id, start, end)
    return this.#slice(sliceOf("edgestore", rowKey(id, this.#partitionBits), start, end))
  }

  /** The first page of a range of columns of a partitioned vertex. */
  #merged(id: VertexId, start: Uint8Array | undefined, end: Uint8Array | undefined): Page {
    const keys = rowKeysOf(id, this.#partitionBits)
    return mergedPage(keys.map((key) => this.#slice(sliceOf("edgestore", key, start, end))))
  }

  /** All cells of a row, in pages. */
  *whole(id: VertexId): Generator<Cells> {
    if (isPartitionedId(id)) {
      for (let page = this.#merged(id, undefined, undefined); ; ) {
        yield page.cells
        if (!page.more) return
        page = this.#merged(id, after(lastColumn(page.cells)), undefined)
      }
    }
    const key = rowKey(id, this.#partitionBits)
    let page = this.#slice(sliceOf("edgestore", key))
    yield page.cells
    while (page.more) {
      page = this.#slice(sliceOf("edgestore", key, after(lastColumn(page.cells))))
      yield page.cells
    }
  }
}

/** A row from its first page. */
export const rowOfPage = (id: VertexId, { cells, more }: Page): VertexRow =>
  new VertexRow(id, cells, !more, more ? Uint8Array.from(lastColumn(cells)) : null)

/** A row without cells. */
export const emptyRow = (id: VertexId): VertexRow => new VertexRow(id, noCells, true, null)
