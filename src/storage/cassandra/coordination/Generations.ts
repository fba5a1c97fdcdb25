/** Counts the users of each version of a value that changes as a whole, such as a schema. */
export class Generations {
  #number = 1
  readonly #users = new Map<number, number>()
  #waiting: Array<{ readonly before: number; readonly resolve: () => void }> = []

  /** The newest version, from 1. */
  get number(): number {
    return this.#number
  }

  /** Registers a user of the newest version. The returned function ends the use; further calls of it do nothing. */
  use(): () => void {
    const number = this.#number
    this.#users.set(number, (this.#users.get(number) ?? 0) + 1)
    let isUsed = true
    return () => {
      if (!isUsed) return
      isUsed = false
      const left = this.#users.get(number)! - 1
      if (left > 0) this.#users.set(number, left)
      else {
        this.#users.delete(number)
        this.#settle()
      }
    }
  }

  /** Starts a new version. */
  advance(): void {
    this.#number++
  }

  /** Resolves when no version older than the current one is in use. */
  renewed(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ before: this.#number, resolve })
      this.#settle()
    })
  }

  #settle(): void {
    // Mostly nobody waits, and the end of each transaction may be that of the last user.
    if (this.#waiting.length === 0) return
    let oldest = Number.POSITIVE_INFINITY
    for (const number of this.#users.keys()) oldest = Math.min(oldest, number)
    const waiting = this.#waiting
    this.#waiting = waiting.filter(({ before }) => oldest < before)
    for (const { before, resolve } of waiting) if (oldest >= before) resolve()
  }
}
