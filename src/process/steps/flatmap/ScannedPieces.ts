import type { RefColumn, RefScan } from "../../../structure/graph/GraphReads.ts"
import type { Activation } from "../../plan/Activation.ts"

/** Rows of the first piece of a scan. The size doubles up to SCAN_MAX_ROWS, so that a limit near the source reads few rows. */
export const SCAN_FIRST_ROWS = 8
const SCAN_MAX_ROWS = 256

/** The number of elements in the next piece of a scan. */
export interface ScanPace {
  width: number
}

/** Elements that a scan has given together. */
export interface ScannedPiece {
  readonly out: { readonly refs: RefColumn; length: number }
  /** True if the scan has more elements. */
  readonly more: boolean
}

/** Reads the next piece of a scan. */
export const nextPieceOf = (scan: RefScan, pace: ScanPace, { transaction }: Activation): ScannedPiece => {
  const out = { refs: transaction.newRefs(pace.width), length: 0 }
  const more = scan.next(pace.width, out)
  if (pace.width < SCAN_MAX_ROWS) pace.width *= 2
  return { out, more }
}
