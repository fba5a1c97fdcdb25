/** The number of syncs that are remembered. */
const REMEMBERED = 16
/** With fewer syncs, nothing is known. */
const ENOUGH = 8

/**
 * The times of the last syncs. A process on a busy machine often waits for a processor when its sync has ended, so the sync seems to be
 * many times as long as the disk needs. A slow disk is slow in each sync. The second shortest one has few of these waits, and does not
 * depend on a single sync in which the process was busy.
 */
export class SyncTimes {
  readonly #last: Array<number> = []
  #next = 0
  #least = 0

  /** The time of a sync with the least waits for a processor, in milliseconds; 0 while it is unknown. */
  get least(): number {
    return this.#least
  }

  /** Adds the time of a sync. */
  add(milliseconds: number): void {
    this.#last[this.#next] = milliseconds
    this.#next = (this.#next + 1) % REMEMBERED
    if (this.#last.length >= ENOUGH) this.#least = this.#last.toSorted((a, b) => a - b)[1]!
  }
}
