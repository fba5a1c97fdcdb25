/** Deaths within this time count. */
const WINDOW_MS = 60_000
/** From this number of deaths within the window on, a new worker starts with a delay. */
const MANY_DEATHS = 5
const FIRST_DELAY_MS = 1_000
const LONGEST_DELAY_MS = 30_000

/** How long the primary process waits before it replaces a worker, so that it does not start workers all the time if each dies at once. */
export class RestartDelays {
  #deaths: Array<number> = []
  #delayMs = 0

  /**
   * Counts a death. Returns the delay of the replacement in ms: 0 for up to four deaths within a minute, then 1,000, twice as
   * long after each further death, at most 30,000.
   *
   * @param now ms of a clock that never goes back
   */
  died(now: number): number {
    this.#deaths = [...this.#deaths.filter((time) => now - time < WINDOW_MS), now]
    if (this.#deaths.length < MANY_DEATHS && this.#delayMs === 0) return 0
    // Growing delays make the deaths of a minute fewer, so they count until a minute has passed without any.
    if (this.#deaths.length === 1) {
      this.#delayMs = 0
      return 0
    }
    this.#delayMs = this.#delayMs === 0 ? FIRST_DELAY_MS : Math.min(LONGEST_DELAY_MS, this.#delayMs * 2)
    return this.#delayMs
  }

  /** Deaths within the last minute before the last one, including it. */
  get recent(): number {
    return this.#deaths.length
  }
}
