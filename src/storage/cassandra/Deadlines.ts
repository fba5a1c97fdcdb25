import { type Linked, LinkedList } from "../../structure/containers/LinkedList.ts"

/** Time between two checks. */
const CHECK_INTERVAL_MS = 100

/** Something that has a deadline. */
export class Deadline implements Linked<Deadline> {
  /** By performance.now(). */
  readonly until: number
  readonly late: () => void
  previous: Deadline | undefined = undefined
  next: Deadline | undefined = undefined

  /** `late` is called after the time `until`. */
  constructor(until: number, late: () => void) {
    this.until = until
    this.late = late
  }
}

/** Deadlines with the same timeout. One timer serves all, because a timer for each costs a tenth of a request. */
export class Deadlines {
  readonly #timeoutMs: number
  /** In the order of their times. */
  readonly #open = new LinkedList<Deadline>()
  #timer: NodeJS.Timeout | undefined

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** Calls `late` after the timeout, or up to a tenth of a second later, unless end() is called before. */
  add(late: () => void): Deadline {
    const deadline = new Deadline(performance.now() + this.#timeoutMs, late)
    this.#open.add(deadline)
    this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL_MS).unref()
    return deadline
  }

  /** Returns false when the deadline has passed or ended before. */
  end(deadline: Deadline): boolean {
    return this.#open.delete(deadline)
  }

  #check(): void {
    if (this.#open.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const now = performance.now()
    for (let { first } = this.#open; first !== undefined && first.until <= now; first = this.#open.first) {
      this.#open.delete(first)
      first.late()
    }
  }
}
