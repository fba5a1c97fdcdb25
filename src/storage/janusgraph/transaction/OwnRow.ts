import { SortedPages } from "../../../structure/containers/SortedPages.ts"
import type { Ref } from "../../../structure/elements/Element.ts"

/** An entry of a changed element in a row of an index. */
export interface OwnEntry {
  readonly row: OwnRow
  /** The bytes of the column as latin1: such texts sort as the bytes do. */
  readonly column: string
  readonly ref: Ref
}

/** A range of columns, as latin1. `end` is excluded. Undefined: unbounded. */
export interface TextRange {
  readonly start: string | undefined
  readonly end: string | undefined
}

/** Entries of a row of an index, sorted by columns. */
export class OwnRow {
  /** The bytes of the key as latin1. */
  readonly name: string
  readonly #entries = new SortedPages<OwnEntry>(compared)

  constructor(name: string) {
    this.name = name
  }

  get isEmpty(): boolean {
    return this.#entries.first === undefined
  }

  /** Adds an entry; false if the element has it already. */
  add(entry: OwnEntry): boolean {
    if (this.#entries.has(entry)) return false
    this.#entries.add(entry)
    return true
  }

  /** Removes an entry that the row has. */
  remove(entry: OwnEntry): void {
    this.#entries.remove(entry)
  }

  /** Up to `max` entries in a range, after the entry `last` if it is given. */
  read({ start, end }: TextRange, last: OwnEntry | undefined, max: number): Array<OwnEntry> {
    // Refs are not negative.
    const from = last === undefined ? { row: this, column: start ?? "", ref: -1 } : { ...last, ref: last.ref + 1 }
    const found: Array<OwnEntry> = []
    for (const entry of this.#entries.from(from)) {
      if (found.length === max || (end !== undefined && entry.column >= end)) break
      found.push(entry)
    }
    return found
  }
}

/** Entries sort by their columns, and those of one column by the refs of their elements. */
const compared = (left: OwnEntry, right: OwnEntry): number => {
  if (left.column === right.column) return left.ref - right.ref
  return left.column < right.column ? -1 : 1
}
