import { BigMap } from "../../../structure/containers/BigMap.ts"
import type { Ref } from "../../../structure/elements/Element.ts"
import type { Journal } from "../../shared/Journal.ts"
import { OwnColumns } from "./OwnColumns.ts"

/** Estimated bytes of an entry of {@link OwnRows}. */
const ROW_ENTRY_BYTES = 150

/** The elements of one kind that a transaction has changed, in the order of the changes. */
export class ChangeLog {
  /** An element is in the list again if it changed after the list was read. */
  readonly refs: Array<Ref> = []
  /** The changed elements by the rows of each composite index that was searched, by the id of the index. */
  readonly #rows = new Map<number, OwnRows>()
  /** The entries of changed elements in each row of an index with sorted columns that was searched, by the row. */
  readonly #columns = new Map<string, OwnColumns>()
  readonly #journal: Journal
  /** The last element if the list was not read since. */
  #last: Ref = -1

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /** Adds an element whose state is about to change, or has changed. Returns its place in the list. */
  add(ref: Ref): number {
    if (ref !== this.#last) {
      this.refs.push(ref)
      this.#last = ref
    }
    return this.refs.length - 1
  }

  /** Reads the length of the list: the next change of any element is a new entry. */
  mark(): number {
    this.#last = -1
    return this.refs.length
  }

  /** The elements by rows of an index. */
  rowsOf(index: number): OwnRows {
    let rows = this.#rows.get(index)
    if (rows === undefined) {
      rows = new OwnRows(this.#journal)
      this.#rows.set(index, rows)
    }
    return rows
  }

  /** The entries in a row of an index with sorted columns. */
  columnsOf(row: Uint8Array): OwnColumns {
    const name = nameOf(row)
    let columns = this.#columns.get(name)
    if (columns === undefined) {
      columns = new OwnColumns(row, this.#journal)
      this.#columns.set(name, columns)
    }
    return columns
  }

  /** Forgets the entries of indexes: values that a rollback brings back are in other ones. */
  forgetEntries(): void {
    this.#rows.clear()
    this.#columns.clear()
  }
}

/**
 * The changed elements by the rows of a composite index in which they have, or had, an entry. A search finds with it the elements that
 * the transaction has put into a row, without a look at all that it has changed.
 */
export class OwnRows {
  /** The number of entries of the {@link ChangeLog} that were entered. */
  entered = 0
  readonly #refs = new BigMap<string, Set<Ref>>()
  readonly #journal: Journal

  constructor(journal: Journal) {
    this.#journal = journal
  }

  add({ key }: { readonly key: Uint8Array }, ref: Ref): void {
    const name = nameOf(key)
    const refs = this.#refs.get(name)
    if (refs?.has(ref)) return
    if (refs === undefined) this.#refs.set(name, new Set([ref]))
    else refs.add(ref)
    this.#journal.countLasting(ROW_ENTRY_BYTES)
  }

  of(row: Uint8Array): Iterable<Ref> {
    return this.#refs.get(nameOf(row)) ?? []
  }

  /** Removes an element that no longer has an entry in the row. */
  remove(row: Uint8Array, ref: Ref): void {
    if (this.#refs.get(nameOf(row))?.delete(ref)) this.#journal.countLasting(-ROW_ENTRY_BYTES)
  }
}

const nameOf = (row: Uint8Array): string => Buffer.from(row.buffer, row.byteOffset, row.length).toString("latin1")
