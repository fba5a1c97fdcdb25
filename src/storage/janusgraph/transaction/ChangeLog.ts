import type { Ref } from "../../../structure/elements/Element.ts"
import type { Journal } from "../../shared/Journal.ts"
import type { GraphIndex } from "../schema/Schema.ts"
import { OwnEntries } from "./OwnEntries.ts"

/**
 * Orders the changes of a transaction to the elements of one kind, and its searches of indexes. Tells the indexes that it has searched
 * which elements change.
 */
export class ChangeLog {
  readonly #journal: Journal
  /** The number of searches so far. */
  #searches = 0
  readonly #searched: Array<OwnEntries> = []

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /**
   * Notes that the state of an element is about to change, or has changed. `key`: the name of the only property that changes. Returns
   * the time of the change.
   */
  add(ref: Ref, key?: string): number {
    for (const entries of this.#searched) entries.note(ref, key)
    return this.#searches
  }

  /** Begins a search. Returns a time: earlier changes have lower ones, later changes do not. */
  mark(): number {
    return ++this.#searches
  }

  /**
   * The entries of the changed elements in an index, or in one row of it. `earlier`: what the transaction has changed before it first
   * searches the index.
   */
  entriesOf(index: GraphIndex, row: string | undefined, earlier: () => Iterator<Ref, void>): OwnEntries {
    let entries = this.#searched.find((each) => each.index === index && each.row === row)
    if (entries === undefined) {
      entries = new OwnEntries(index, row, earlier(), this.#journal)
      this.#searched.push(entries)
    }
    return entries
  }
}
