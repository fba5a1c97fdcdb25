import { createHash } from "node:crypto"
import type { Cells } from "../cells/Cells.ts"

/** A digest of the cells of a row, however they were cut into pieces: tells whether anything in it changed. */
export class RowDigest {
  readonly #hash = createHash("sha1")

  add({ bytes, start, end }: Cells): void {
    this.#hash.update(bytes.subarray(start, end))
  }

  text(): string {
    return this.#hash.digest("base64")
  }
}
