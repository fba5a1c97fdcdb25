/** Counts work that is under way, so that others can wait until there is none. It makes no promise for each piece of work. */
export class WorkUnderWay {
  #count = 0
  #waiters: Array<() => void> = []

  /** Registers a piece of work. Call {@link end} once for it. */
  begin(): void {
    this.#count++
  }

  /** Ends a piece of work. */
  end(): void {
    this.#count--
    if (this.#count > 0) return
    const waiters = this.#waiters
    this.#waiters = []
    for (const resume of waiters) resume()
  }

  /** Resolves when no work is under way. Work may begin again in the same turn. */
  async ended(): Promise<void> {
    while (this.#count > 0) await new Promise<void>((resume) => this.#waiters.push(resume))
  }
}
