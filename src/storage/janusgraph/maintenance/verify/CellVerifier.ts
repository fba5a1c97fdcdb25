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

  /** Verifies all rows. Yields after some of them, with the kind of the rows. */
  *work(): Generator<"vertices" | "entries"> {
    for (const table of ["edgestore", "graphindex", "engine_ranges"] as const) {
      for (const rows of this.#scan(table)) {
        this.verifyRows(table, rows)
        yield table === "edgestore" ? "vertices" : "entries"
      }
    }
    if (this.#shared.core.keepsCounts) for (const kind of ["vertex", "edge"] as const) this.#numbers.verifyCounts(kind)
    this.#numbers.verifyClaims()
  }

  /** Verifies rows of vertices or of indexes. */
  verifyRows(table: Table, rows: ReadonlyArray<RowPage>): void {
    this.#rows += rows.length
    for (const row of rows) {
      if (table === "edgestore") this.#vertexRows.verify(row)
      else this.#entries.verifyRow(table, row)
    }
  }

  *#scan(table: Table): Generator<ReadonlyArray<RowPage>> {
    const scan = this.#shared.snapshot.scan(table)
    for (let rows = scan.next(ROWS_PER_READ); rows.length > 0; rows = scan.next(ROWS_PER_READ)) {
      yield rows
    }
  }
}
