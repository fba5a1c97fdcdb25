import type { CellSnapshot, Page, SliceQuery } from "../cells/CellStore.ts"
import { type Cells, noCells } from "../cells/Cells.ts"
import type { Slab } from "../cells/Slab.ts"
import type { VertexId } from "../format/Ids.ts"
import { rowKey } from "../format/RowKeys.ts"
import { after, lastColumn } from "../schema/SchemaRead.ts"
import type { Header } from "./Headers.ts"
import { type Group, VertexRow } from "./Row.ts"

/** Reads rows of vertices from something that answers at once: a snapshot, or a commit's newest state. */
export class RowLoader {
  readonly #slice: (query: SliceQuery, slab?: Slab) => Page
  readonly #partitionBits: number

  constructor(slice: (query: SliceQuery, slab?: Slab) => Page, partitionBits: number) {
    this.#slice = slice
    this.#partitionBits = partitionBits
  }

  /** The row, or as much of it as comes in one piece; `slab`: see {@link CellSnapshot.slice}. */
  row(id: VertexId, slab?: Slab): VertexRow {
    return rowOfPage(id, this.#slice({ table: "edgestore", key: rowKey(id, this.#partitionBits) }, slab))
  }

  /** All cells with a header; undefined when there are none. */
  group(row: VertexRow, header: Header): Group | undefined {
    if (!row.knows(header)) row.addGroup(header, [...this.pieces(row.id, header)])
    return row.find(header.key)
  }

  /** All cells with a header, piece by piece. */
  *pieces(id: VertexId, { bytes, end }: Header): Generator<Cells> {
    for (let from: Uint8Array | undefined = bytes; from !== undefined; ) {
      const page = this.piece(id, from, end)
      yield page.cells
      from = page.more ? after(lastColumn(page.cells)) : undefined
    }
  }

  /** Some cells of a row, in a piece that the store finds natural. */
  piece(id: VertexId, start: Uint8Array, end: Uint8Array): Page {
    return this.#slice({ table: "edgestore", key: rowKey(id, this.#partitionBits), start, end })
  }

  /** Every cell of a row, piece by piece. */
  *whole(id: VertexId): Generator<Cells> {
    const query: SliceQuery = { table: "edgestore", key: rowKey(id, this.#partitionBits) }
    let page = this.#slice(query)
    yield page.cells
    while (page.more) {
      page = this.#slice({ ...query, start: after(lastColumn(page.cells)) })
      yield page.cells
    }
  }
}

export const rowOfPage = (id: VertexId, { cells, more }: Page): VertexRow =>
  new VertexRow(id, cells, !more, more ? Uint8Array.from(lastColumn(cells)) : null)

/** A row without cells. */
export const emptyRow = (id: VertexId): VertexRow => rowOfPage(id, { cells: noCells, more: false })
