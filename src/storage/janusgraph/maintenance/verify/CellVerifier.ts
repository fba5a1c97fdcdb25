import type { CellSnapshot, RowPage, Table } from "../../cells/CellStore.ts"
import type { GraphCore } from "../../GraphCore.ts"
import { EntryVerifier } from "./EntryVerifier.ts"
import type { Finding } from "./Findings.ts"
import { NumberVerifier } from "./NumberVerifier.ts"
import { Verification } from "./Verification.ts"
import { VertexRowVerifier } from "./VertexRowVerifier.ts"

/** The numbers of verified rows, cells and elements. */
export interface Verified {
  readonly rows: number
  readonly cells: number
  readonly vertices: number
  readonly edges: number
  readonly entries: number
}

/** Rows that are read from the store at once. */
const ROWS_PER_READ = 64

/**
 * Verifies a snapshot of a graph: that every cell can be decoded, that both vertices have each edge, that indexes have
 * exactly the entries that they should have, and the element counts. {@link work} is only for stores that answer at once.
 * LaterVerifier.ts verifies the others, part by part, through {@link verifyRows}.
 */
export class CellVerifier {
  readonly #shared: Verification
  readonly #entries: EntryVerifier
  readonly #numbers: NumberVerifier
  readonly #vertexRows: VertexRowVerifier
  #rows = 0

  constructor(core: GraphCore, snapshot: CellSnapshot, find: (finding: Finding) => void) {
    this.#shared = new Verification(core, snapshot, find)
    this.#entries = new EntryVerifier(this.#shared)
    this.#numbers = new NumberVerifier(this.#shared)
    this.#vertexRows = new VertexRowVerifier(this.#shared, this.#entries, this.#numbers)
  }

  get verified(): Verified {
    return {
      rows: this.#rows,
      cells: this.#shared.cells,
      vertices: this.#numbers.total("vertex"),
      edges: this.#numbers.total("edge"),
      entries: this.#entries.found
    }
  }

  /** Verifies all rows. Yields after some rows, and within long ones, with the kind of the rows. */
  *work(): Generator<"vertices" | "entries"> {
    for (const table of ["edgestore", "graphindex", "engine_ranges"] as const) {
      const kind = table === "edgestore" ? "vertices" : "entries"
      for (const rows of this.#scan(table)) {
        for (const _ of this.verifyRows(table, rows)) yield kind
        yield kind
      }
    }
    if (this.#shared.core.keepsCounts) for (const kind of ["vertex", "edge"] as const) this.#numbers.verifyCounts(kind)
    this.#numbers.verifyClaims()
  }

  /** Verifies rows of vertices or of indexes. Yields where others must run. */
  *verifyRows(table: Table, rows: ReadonlyArray<RowPage>): Generator<void> {
    this.#rows += rows.length
    for (const row of rows) {
      if (table === "edgestore") yield* this.#vertexRows.verify(row)
      else yield* this.#entries.verifyRow(table, row)
    }
  }

  *#scan(table: Table): Generator<ReadonlyArray<RowPage>> {
    const scan = this.#shared.snapshot.scan(table)
    for (let rows = scan.next(ROWS_PER_READ); rows.length > 0; rows = scan.next(ROWS_PER_READ)) {
      yield rows
    }
  }
}
