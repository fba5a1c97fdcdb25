import type { CellSnapshot, Page, RowPage, SliceQuery, Table } from "../../cells/CellStore.ts"
import type { Cells } from "../../cells/Cells.ts"
import type { GraphCore } from "../../GraphCore.ts"
import type { Schema } from "../../schema/Schema.ts"
import { after, lastColumn } from "../../schema/SchemaRead.ts"
import type { CellState, Finding, FindingKind } from "./Findings.ts"

/** Verified cells and entries after which a verification lets others run: a few milliseconds of work. */
const CHECKS_PER_TURN = 256

/** The state that the parts of a verification share: the snapshot of the graph, and the receiver of findings. */
export class Verification {
  readonly core: GraphCore
  readonly snapshot: CellSnapshot
  readonly schema: Schema
  /** The number of bits of the partition in an id. */
  readonly bits: number
  /** The number of verified cells. */
  cells = 0
  #checks = 0
  readonly find: (finding: Finding) => void

  constructor(core: GraphCore, snapshot: CellSnapshot, find: (finding: Finding) => void) {
    this.core = core
    this.snapshot = snapshot
    this.schema = core.schemaOf(snapshot)
    this.bits = core.options.partitionBits
    this.find = find
  }

  /** Reports a finding. */
  tell(kind: FindingKind, where: string, seen: ReadonlyArray<CellState>, repair: ReadonlyArray<CellState>): void {
    this.find({ kind, where, seen, repair })
  }

  /**
   * Counts a check of a cell or an entry. True when others must run before the next check: a row may have very many cells, as the only
   * row of an ordered index.
   */
  isDue(): boolean {
    return ++this.#checks % CHECKS_PER_TURN === 0
  }

  /** All cells of a row, in pages. */
  *pages(table: Table, { cells, key, more }: RowPage): Generator<Cells> {
    yield cells
    const query: SliceQuery = { table, key }
    for (let page: Page = { cells, more }; page.more; ) {
      page = this.snapshot.slice({ ...query, start: after(lastColumn(page.cells)) })
      yield page.cells
    }
  }
}

/** The first bytes as hexadecimal text, for messages. */
export const hex = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes.subarray(0, 40)).toString("hex")
  return bytes.length > 40 ? `${text}...` : text
}
