import type { VertexId } from "../format/Ids.ts"
import type { EdgeTable } from "../rows/EdgeTable.ts"
import type { VertexRefs } from "../rows/Refs.ts"
import type { Group, VertexRow } from "../rows/Row.ts"
import type { RowSource } from "../rows/RowSource.ts"
import type { Schema } from "../schema/Schema.ts"
import type { EdgeSource } from "./Expander.ts"
import type { Overlay } from "./Overlay.ts"
import type { TransactionView } from "./TransactionView.ts"

/** What a transaction reads, with some rows that stay while a scan reads their edges, however many rows other scans read meanwhile. */
export class PinnedRows implements EdgeSource {
  readonly held = new Map<VertexId, VertexRow>()
  readonly rows: RowSource
  readonly #reading: TransactionView

  constructor(reading: TransactionView) {
    const { rows } = reading
    this.#reading = reading
    this.rows = {
      row: (id) => this.held.get(id) ?? rows.row(id),
      group: (row, header) => rows.group(row, header),
      page: (id, start, end) => rows.page(id, start, end),
      offer: (row) => rows.offer(row),
      heldBytes: 0,
      cellBytes: 0,
      release: () => undefined
    }
  }

  get schema(): Schema {
    return this.#reading.schema
  }

  get vertexRefs(): VertexRefs {
    return this.#reading.vertexRefs
  }

  get edges(): EdgeTable {
    return this.#reading.edges
  }

  get own(): Overlay | null {
    return this.#reading.own
  }

  hasEdgeExpired(group: Group, at: number): boolean {
    return this.#reading.hasEdgeExpired(group, at)
  }
}
