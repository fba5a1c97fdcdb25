/** Lines of one kind in a second: one client that gives up may end thousands of its requests at once. */
const MOST_LINES = 20

/** Lines of one kind in the log, of which clients may cause many: how many may be written, and how many were not. */
export class LineQuota {
  #second = 0
  #written = 0
  #left = 0

  /** The number of lines left out before this one; undefined when this one is to be left out. */
  take(): number | undefined {
    const second = Math.floor(performance.now() / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#written = 0
    }
    if (this.#written >= MOST_LINES) {
      this.#left++
      return undefined
    }
    this.#written++
    const left = this.#left
    this.#left = 0
    return left
  }
}
