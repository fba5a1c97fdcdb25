import type { CellSnapshot, RowPage, Table } from "../../cells/CellStore.ts"
import type { GraphCore } from "../../GraphCore.ts"
import { EntryVerifier } from "./EntryVerifier.ts"
import type { Finding } from "./Findings.ts"
import { NumberVerifier } from "./NumberVerifier.ts"
import { Verification } from "./Verification.ts"
import { VertexRowVerifier } from "./VertexRowVerifier.ts"

/** How many elements were looked at. */
export interface Verified {
  readonly rows: number
  readonly cells: number
  readonly vertices: number
  readonly edges: number
  readonly entries: number
}

/**
 * Looks at every cell of a graph, as of one moment: whether it can be read, both ends of each edge, every entry that an
 * index should have and every entry that it has, and the numbers of elements. Only for stores that answer at once.
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

  /** Looks at some rows at a time; done when it returns false. */
  *work(): Generator<"vertices" | "entries"> {
    for (const rows of this.#scan("edgestore")) {
      for (const row of rows) this.#vertexRows.verify(row)
      yield "vertices"
    }
    for (const table of ["graphindex", "engine_ranges"] as const) {
      for (const rows of this.#scan(table)) {
        for (const row of rows) this.#entries.verifyRow(table, row)
        yield "entries"
      }
    }
    if (this.#shared.core.keepsCounts) for (const kind of ["vertex", "edge"] as const) this.#numbers.verifyCounts(kind)
    this.#numbers.verifyClaims()
  }

  *#scan(table: Table): Generator<ReadonlyArray<RowPage>> {
    const scan = this.#shared.snapshot.scan(table)
    for (let rows = scan.next(64); rows.length > 0; rows = scan.next(64)) {
      this.#rows += rows.length
      yield rows
    }
  }
}
