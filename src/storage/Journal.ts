/**
 * How the changes that a transaction made since its savepoint are taken back. Nothing is noted while there is none, so that
 * a transaction without one pays a compare for each change.
 */
export class Journal {
  #undo: Array<() => void> | null = null

  /** True when changes are to be noted. */
  get isOpen(): boolean {
    return this.#undo !== null
  }

  /** Notes what takes back a change that is being made. Taken back in the opposite order, so each finds what it left. */
  add(undo: () => void): void {
    this.#undo?.push(undo)
  }

  /** A new savepoint in place of the one before. */
  mark(): void {
    this.#undo = []
  }

  /** Takes back everything since the savepoint, which stays. */
  takeBack(): void {
    const undo = this.#undo
    if (undo === null) return
    this.#undo = null
    for (let at = undo.length - 1; at >= 0; at--) undo[at]!()
    this.#undo = []
  }
}
