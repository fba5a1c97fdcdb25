/**
 * Who still uses something that changes as a whole, such as a schema: a number of its state, and for each state how many
 * use it.
 */
export class Generations {
  #number = 1
  readonly #users = new Map<number, number>()
  #waiting: Array<{ readonly before: number; readonly resolve: () => void }> = []

  get number(): number {
    return this.#number
  }

  /** Begins to use the newest state; the function ends it, and may be called again in vain. */
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

  /** There is a new state. */
  advance(): void {
    this.#number++
  }

  /** Done when nobody uses a state before the newest of now. */
  renewed(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ before: this.#number, resolve })
      this.#settle()
    })
  }

  #settle(): void {
    let oldest = Number.POSITIVE_INFINITY
    for (const number of this.#users.keys()) oldest = Math.min(oldest, number)
    const waiting = this.#waiting
    this.#waiting = waiting.filter(({ before }) => oldest < before)
    for (const { before, resolve } of waiting) if (oldest >= before) resolve()
  }
}
