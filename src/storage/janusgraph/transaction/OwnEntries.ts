import { BigMap, BigSet } from "../../../structure/containers/BigMap.ts"
import type { Ref } from "../../../structure/elements/Element.ts"
import type { Journal } from "../../shared/Journal.ts"
import type { GraphIndex } from "../schema/Schema.ts"
import { type OwnEntry, OwnRow } from "./OwnRow.ts"

/** Estimated bytes of an entry, besides its column. */
const ENTRY_BYTES = 100
/** Estimated bytes of a row, besides its key. */
const ROW_BYTES = 250
/** Estimated bytes of the note that an element has entries, or that they are outdated. */
const NOTE_BYTES = 60

/** An entry of an index as its cell. */
interface Cell {
  readonly key: Uint8Array
  readonly column: Uint8Array
}

/**
 * The entries of the changed elements of a transaction in an index that it searches. A search finds in them what the transaction has put
 * into a range of a row, without a look at all that it has changed. An element that changes again is entered again by the next search.
 */
export class OwnEntries {
  readonly index: GraphIndex
  /** The only row whose entries are kept; undefined for all. */
  readonly row: string | undefined
  /** Rises when the entries of an element change. */
  version = 0
  readonly #journal: Journal
  /** The elements that the transaction had changed when it first searched the index; null after the last one. */
  #earlier: Iterator<Ref, void> | null
  /** Elements whose entries may be outdated, and a list of them, which may also have others. */
  readonly #outdated = new BigSet<Ref>()
  readonly #waiting: Array<Ref> = []
  readonly #entries = new BigMap<Ref, ReadonlyArray<OwnEntry>>()
  readonly #rows = new BigMap<string, OwnRow>()

  constructor(index: GraphIndex, row: string | undefined, earlier: Iterator<Ref, void>, journal: Journal) {
    this.index = index
    this.row = row
    this.#earlier = earlier
    this.#journal = journal
  }

  /** Notes that an element changes. `key`: the name of the only property that does. */
  note(ref: Ref, key?: string): void {
    if (key !== undefined && !this.index.fields.some(({ name }) => name === key)) return
    if (this.#outdated.has(ref)) return
    this.#outdated.add(ref)
    this.#waiting.push(ref)
    this.#journal.countLasting(NOTE_BYTES)
  }

  /** An element whose entries may be outdated, for {@link enter}; undefined if there is none. */
  nextOutdated(): Ref | undefined {
    const earlier = this.#earlier?.next()
    if (earlier?.done) this.#earlier = null
    else if (earlier !== undefined) this.note(earlier.value as Ref)
    while (this.#waiting.length > 0 && !this.#outdated.has(this.#waiting.at(-1)!)) this.#waiting.pop()
    return this.#waiting.at(-1)
  }

  /** True if the entries of a changed element may be outdated. */
  isOutdated(ref: Ref): boolean {
    return this.#outdated.has(ref)
  }

  /** Replaces the entries of an element. */
  enter(ref: Ref, cells: ReadonlyArray<Cell>): void {
    if (this.#outdated.delete(ref)) this.#journal.countLasting(-NOTE_BYTES)
    if (this.#outdated.size === 0) this.#waiting.length = 0
    this.version++
    const before = this.#entries.get(ref)
    if (before !== undefined) {
      for (const entry of before) this.#remove(entry)
      this.#entries.delete(ref)
      this.#journal.countLasting(-NOTE_BYTES)
    }
    const entries: Array<OwnEntry> = []
    for (const { key, column } of cells) {
      const name = textOf(key)
      const entry = this.row === undefined || this.row === name ? this.#added(name, textOf(column), ref) : undefined
      if (entry !== undefined) entries.push(entry)
    }
    if (entries.length === 0) return
    this.#entries.set(ref, entries)
    this.#journal.countLasting(NOTE_BYTES)
  }

  /** The entries of a changed element. */
  of(ref: Ref): ReadonlyArray<OwnEntry> {
    return this.#entries.get(ref) ?? []
  }

  /** The row with a name; undefined if no changed element has an entry there. */
  rowNamed(name: string): OwnRow | undefined {
    return this.#rows.get(name)
  }

  /** Adds an entry; undefined if the element has it already. */
  #added(name: string, column: string, ref: Ref): OwnEntry | undefined {
    let row = this.#rows.get(name)
    if (row === undefined) {
      row = new OwnRow(name)
      this.#rows.set(name, row)
      this.#journal.countLasting(ROW_BYTES + name.length)
    }
    const entry = { row, column, ref }
    if (!row.add(entry)) return undefined
    this.#journal.countLasting(ENTRY_BYTES + column.length)
    return entry
  }

  #remove(entry: OwnEntry): void {
    const { column, row } = entry
    row.remove(entry)
    this.#journal.countLasting(-ENTRY_BYTES - column.length)
    if (!row.isEmpty) return
    this.#rows.delete(row.name)
    this.#journal.countLasting(-ROW_BYTES - row.name.length)
  }
}

/** Bytes as latin1. Equal bytes have equal texts. */
export const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")
