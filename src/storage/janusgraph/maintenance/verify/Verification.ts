import type { CellSnapshot, Page, RowPage, SliceQuery, Table } from "../../cells/CellStore.ts"
import type { Cells } from "../../cells/Cells.ts"
import type { GraphCore } from "../../GraphCore.ts"
import type { Schema } from "../../schema/Schema.ts"
import { after, lastColumn } from "../../schema/SchemaRead.ts"
import type { CellState, Finding, FindingKind } from "./Findings.ts"

/** What the parts of a verification share: the graph as it was at one moment, and where findings go. */
export class Verification {
  readonly core: GraphCore
  readonly snapshot: CellSnapshot
  readonly schema: Schema
  /** Of partitions in ids. */
  readonly bits: number
  /** Cells that were looked at. */
  cells = 0
  readonly find: (finding: Finding) => void

  constructor(core: GraphCore, snapshot: CellSnapshot, find: (finding: Finding) => void) {
    this.core = core
    this.snapshot = snapshot
    this.schema = core.schemaOf(snapshot)
    this.bits = core.options.partitionBits
    this.find = find
  }

  /** `seen`: the cells that show it, as they are; `repair`: what they should be. */
  tell(kind: FindingKind, where: string, seen: ReadonlyArray<CellState>, repair: ReadonlyArray<CellState>): void {
    this.find({ kind, where, seen, repair })
  }

  /** All cells of a row, piece by piece. */
  *pieces(table: Table, { cells, key, more }: RowPage): Generator<Cells> {
    yield cells
    const query: SliceQuery = { table, key }
    for (let page: Page = { cells, more }; page.more; ) {
      page = this.snapshot.slice({ ...query, start: after(lastColumn(page.cells)) })
      yield page.cells
    }
  }
}

/** Bytes for a person, cut. */
export const hex = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes.subarray(0, 40)).toString("hex")
  return bytes.length > 40 ? `${text}...` : text
}
