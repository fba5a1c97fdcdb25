import type { Ref } from "../../../structure/elements/Element.ts"
import type { Journal } from "../../shared/Journal.ts"
import { compareColumns, sameBytes } from "../cells/Cells.ts"

/** Estimated bytes of an entry, without those of its column. */
const ENTRY_BYTES = 200

/** A longer block of entries is divided. */
const MAX_BLOCK_ENTRIES = 512

/** An entry that a changed element has, or had, in a row of an index. */
export interface OwnColumn {
  /** The column of the entry, which ends with the id of the element. */
  readonly column: Uint8Array
  readonly ref: Ref
}

/**
 * The entries of changed elements in a row of an index whose columns are sorted by values. A search finds with it the elements that the
 * transaction has put into a range, without a look at all that it has changed.
 */
export class OwnColumns {
  /** The number of entries of the {@link ChangeLog} that were entered. */
  entered = 0
  readonly #row: Uint8Array
  /** Blocks of sorted entries, in order. None is empty. */
  readonly #blocks: Array<Array<OwnColumn>> = []
  readonly #journal: Journal

  constructor(row: Uint8Array, journal: Journal) {
    this.#row = row
    this.#journal = journal
  }

  /** Adds an entry of an element, if it is in the row. */
  add({ column, key }: { readonly column: Uint8Array; readonly key: Uint8Array }, ref: Ref): void {
    if (!sameBytes(key, this.#row)) return
    const at = this.#blockOf(column)
    const block = this.#blocks[at]
    if (block === undefined) this.#blocks.push([{ column, ref }])
    else {
      const place = placeOf(block, column)
      if (place < block.length && sameBytes(block[place]!.column, column)) return
      block.splice(place, 0, { column, ref })
      if (block.length > MAX_BLOCK_ENTRIES) this.#blocks.splice(at + 1, 0, block.splice(MAX_BLOCK_ENTRIES / 2))
    }
    this.#journal.countLasting(ENTRY_BYTES + column.length)
  }

  /** The index of the block that has a column, or gets it. */
  #blockOf(column: Uint8Array): number {
    let [low, high] = [0, this.#blocks.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (compareColumns(this.#blocks[middle]![0]!.column, column) <= 0) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The first entries from `start`, in one block at least; empty at the end. The entries may be outside of a range that ends earlier. */
  page(start: Uint8Array | undefined): ReadonlyArray<OwnColumn> {
    if (this.#blocks.length === 0) return []
    if (start === undefined) return [...this.#blocks[0]!]
    const at = this.#blockOf(start)
    const place = placeOf(this.#blocks[at]!, start)
    const rest = this.#blocks[at]!.slice(place)
    return rest.length > 0 ? rest : [...(this.#blocks[at + 1] ?? [])]
  }

  /** Removes an entry that its element no longer has. */
  remove(column: Uint8Array): void {
    const at = this.#blockOf(column)
    const block = this.#blocks[at]
    if (block === undefined) return
    const place = placeOf(block, column)
    if (place >= block.length || !sameBytes(block[place]!.column, column)) return
    block.splice(place, 1)
    if (block.length === 0) this.#blocks.splice(at, 1)
    this.#journal.countLasting(-ENTRY_BYTES - column.length)
  }
}

/** The index of the first entry of a block that is not before a column. */
const placeOf = (block: ReadonlyArray<OwnColumn>, column: Uint8Array): number => {
  let [low, high] = [0, block.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareColumns(block[middle]!.column, column) < 0) low = middle + 1
    else high = middle
  }
  return low
}
