import { createHash } from "node:crypto"
import type { Cells } from "../Cells.ts"

/** A digest of the cells of a row, however they were cut into pieces: tells whether anything in it changed. */
export const digestOf = (pieces: Iterable<Cells>): string => {
  const hash = createHash("sha1")
  for (const { bytes, start, end } of pieces) hash.update(bytes.subarray(start, end))
  return hash.digest("base64")
}
