/**
 * The intended maximum delay of other commits by one of many commits of a long work. The time that the commit itself waits
 * for another process or the disk does not count: smaller commits would wait as long, and more often.
 */
const MAX_COMMIT_MS = 10

/** How much of a long work goes into its next commit, because other commits wait for each: less after a commit that delayed them. */
export class CommitSize {
  readonly #least: number
  readonly #most: number
  #value: number

  /** Begins with the largest size, in a unit of the caller. */
  constructor(least: number, most: number) {
    this.#least = least
    this.#most = most
    this.#value = most
  }

  /** At least `least` and at most `most`. */
  get value(): number {
    return this.#value
  }

  /** A commit of this size has delayed others for so many milliseconds. */
  delayed(milliseconds: number): void {
    if (milliseconds > MAX_COMMIT_MS) this.#value = Math.max(this.#least, Math.floor(this.#value / 2))
    else if (milliseconds < MAX_COMMIT_MS / 4) this.#value = Math.min(this.#most, this.#value * 2)
  }
}
