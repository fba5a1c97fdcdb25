/** Runs operations on the same name one after another, and operations on different names at the same time. */
export class SerialWork {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs an operation after all earlier ones on the name, whether they succeeded or not. */
  run<A>(name: string, work: () => Promise<A>): Promise<A> {
    const before = this.#last.get(name)
    const now = before === undefined ? work() : before.then(work, work)
    this.#last.set(name, now)
    const end = (): void => {
      if (this.#last.get(name) === now) this.#last.delete(name)
    }
    now.then(end, end)
    return now
  }

  /** Resolves when all operations have ended. */
  async ended(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values())
  }
}
