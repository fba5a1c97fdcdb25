import { createHash } from "node:crypto"
import type { Cells } from "../cells/Cells.ts"

/**
 * A digest of the cells of a row, which detects any change. It does not depend on how the cells were split into pages.
 */
export class RowDigest {
  readonly #hash = createHash("sha1")

  /** Adds a page of cells, in order. */
  add({ bytes, start, end }: Cells): void {
    this.#hash.update(bytes.subarray(start, end))
  }

  /** The digest as text. Nothing can be added afterwards. */
  text(): string {
    return this.#hash.digest("base64")
  }
}
