import type { Ref } from "../../../structure/elements/Element.ts"

/** Maximum number of entries in one part of a row. */
const MAX_PART_ENTRIES = 512

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

/** Entries of a row of an index, sorted by columns. They are in parts, because an array moves many entries at an insertion. */
export class OwnRow {
  /** The bytes of the key as latin1. */
  readonly name: string
  /** No part is empty, except the only one. */
  readonly #parts: Array<Array<OwnEntry>> = [[]]

  constructor(name: string) {
    this.name = name
  }

  get isEmpty(): boolean {
    return this.#parts[0]!.length === 0
  }

  /** Adds an entry; false if the element has it already. */
  add(entry: OwnEntry): boolean {
    const { column, ref } = entry
    const at = this.#partOf(column, ref)
    const part = this.#parts[at]!
    const place = placeIn(part, column, ref)
    if (place < part.length && compared(part[place]!, column, ref) === 0) return false
    part.splice(place, 0, entry)
    if (part.length > MAX_PART_ENTRIES) this.#parts.splice(at + 1, 0, part.splice(MAX_PART_ENTRIES / 2))
    return true
  }

  /** Removes an entry that the row has. */
  remove({ column, ref }: OwnEntry): void {
    const at = this.#partOf(column, ref)
    const part = this.#parts[at]!
    part.splice(placeIn(part, column, ref), 1)
    if (part.length === 0 && this.#parts.length > 1) this.#parts.splice(at, 1)
  }

  /** Up to `max` entries in a range, after the entry `last` if it is given. */
  read({ start, end }: TextRange, last: OwnEntry | undefined, max: number): Array<OwnEntry> {
    // Refs are not negative.
    const [column, ref] = last === undefined ? [start ?? "", -1] : [last.column, last.ref + 1]
    const found: Array<OwnEntry> = []
    let at = this.#partOf(column, ref)
    let place = placeIn(this.#parts[at]!, column, ref)
    for (; found.length < max && at < this.#parts.length; at++, place = 0) {
      const part = this.#parts[at]!
      for (; found.length < max && place < part.length; place++) {
        const entry = part[place]!
        if (end !== undefined && entry.column >= end) return found
        found.push(entry)
      }
    }
    return found
  }

  /** The last part that does not begin after an entry of this column and element; otherwise the first part. */
  #partOf(column: string, ref: Ref): number {
    let low = 0
    for (let high = this.#parts.length - 1; low < high; ) {
      const middle = (low + high + 1) >>> 1
      if (compared(this.#parts[middle]![0]!, column, ref) <= 0) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** The place of the first entry that does not sort before an entry of this column and element. */
const placeIn = (part: ReadonlyArray<OwnEntry>, column: string, ref: Ref): number => {
  let low = 0
  for (let high = part.length; low < high; ) {
    const middle = (low + high) >>> 1
    if (compared(part[middle]!, column, ref) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Negative if an entry sorts before one of this column and element. */
const compared = (entry: OwnEntry, column: string, ref: Ref): number => {
  if (entry.column === column) return entry.ref - ref
  return entry.column < column ? -1 : 1
}
