import { setTimeout as sleep } from "node:timers/promises"
import { nextTurn } from "../../../../scheduling/NextTurn.ts"
import type { CellSnapshot, RowPage, Table } from "../../cells/CellStore.ts"
import type { GraphCore } from "../../GraphCore.ts"
import { CellVerifier, type Verified } from "./CellVerifier.ts"
import { FetchedSlices, PAGE_CELLS } from "./FetchedSlices.ts"
import { copyOf, type Finding } from "./Findings.ts"

/** Rows that are verified together: their reads share statements. */
const ROWS_PER_PIECE = 64
/** Passes over a piece. Each one fetches what the previous one has missed. */
const MAX_PASSES = 1000
/** Time after which a piece with findings is verified again. Most commits take less time to write their rows. */
const SECOND_LOOK_MS = 1000

/** What one verification of a piece has found. */
interface Look {
  readonly findings: ReadonlyArray<Finding>
  readonly verified: Verified
}

/**
 * Verifies a graph in a store that answers later, as CellVerifier does, without counts and claims of ids. Such a store has
 * no snapshots, so a commit may be visible in part: a finding counts only if a second verification some time later finds it again.
 */
export class LaterVerifier {
  readonly #core: GraphCore
  readonly #snapshot: CellSnapshot
  readonly #find: (finding: Finding) => void
  #verified: Verified = { rows: 0, cells: 0, vertices: 0, edges: 0, entries: 0 }

  /** `core` must know the schema of the snapshot. */
  constructor(core: GraphCore, snapshot: CellSnapshot, find: (finding: Finding) => void) {
    this.#core = core
    this.#snapshot = snapshot
    this.#find = find
  }

  get verified(): Verified {
    return this.#verified
  }

  /** Verifies all rows. Yields after some of them, with the kind of the rows. */
  async *work(): AsyncGenerator<"vertices" | "entries"> {
    for (const table of ["edgestore", "graphindex", "engine_ranges"] as const) {
      const scan = this.#snapshot.scan(table)
      for (;;) {
        const rows = await scan.fetch(ROWS_PER_PIECE)
        if (rows.length === 0) break
        await this.#verify(table, rows)
        yield table === "edgestore" ? "vertices" : "entries"
      }
    }
  }

  async #verify(table: Table, rows: ReadonlyArray<RowPage>): Promise<void> {
    const { findings, verified } = await this.#look(table, rows)
    const { cells, edges, entries, rows: count, vertices } = this.#verified
    this.#verified = {
      rows: count + rows.length,
      cells: cells + verified.cells,
      vertices: vertices + verified.vertices,
      edges: edges + verified.edges,
      entries: entries + verified.entries
    }
    if (findings.length === 0) return
    await sleep(SECOND_LOOK_MS)
    const keys = rows.map(({ key }) => copyOf(key))
    const pages = await this.#snapshot.fetch(
      keys.map((key) => ({ table, key, limit: PAGE_CELLS })),
      true
    )
    const again = keys.map((key, at): RowPage => ({ key, ...pages[at]! })).filter(({ cells }) => !cells.isEmpty)
    const second = await this.#look(table, again)
    const before = new Set(findings.map(({ kind, where }) => `${kind} ${where}`))
    for (const finding of second.findings) if (before.has(`${finding.kind} ${finding.where}`)) this.#find(finding)
  }

  /** Verifies rows again and again, until nothing that it reads is missing. */
  async #look(table: Table, rows: ReadonlyArray<RowPage>): Promise<Look> {
    const slices = new FetchedSlices(this.#snapshot)
    const { schemaVersion, version } = this.#snapshot
    const reading: Pick<CellSnapshot, "slice" | "schemaVersion" | "version"> = {
      slice: slices.slice,
      schemaVersion,
      version
    }
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const findings: Array<Finding> = []
      const verifier = new CellVerifier(this.#core, reading as CellSnapshot, (finding) => findings.push(finding))
      for (const _ of verifier.verifyRows(table, rows)) await nextTurn()
      if (!slices.isIncomplete) return { findings, verified: verifier.verified }
      await slices.fetch()
    }
    throw new Error(`The rows of ${table} changed during each of ${MAX_PASSES} passes of the verification`)
  }
}
