import { Ring } from "../../structure/Ring.ts"

/** A request that waits for its turn. */
interface Waiting {
  readonly go: () => void
  readonly refuse: () => void
  /** When it has waited long enough, as performance.now() counts. */
  readonly until: number
}

/** Milliseconds between two looks at those that wait. */
const LOOK = 100

/**
 * So many requests at a time; others wait in line, but not longer than they may. A counter and a queue: a promise for each
 * waiting request is made by whoever waits.
 */
export class Permits {
  readonly #limit: () => number
  readonly #longest: number
  #taken = 0
  readonly #queue = new Ring<Waiting>()
  #timer: NodeJS.Timeout | undefined

  /** `limit` is asked each time: nodes come and go. `longest`: milliseconds that one waits. */
  constructor(limit: () => number, longest: number) {
    this.#limit = limit
    this.#longest = longest
  }

  get taken(): number {
    return this.#taken
  }

  get waiting(): number {
    return this.#queue.length
  }

  /** Calls `go` at once or when its turn comes, or `refuse` when that took too long. Give each back that got its turn. */
  take(go: () => void, refuse: () => void): void {
    if (this.waiting === 0 && this.#taken < this.#limit()) {
      this.#taken++
      go()
      return
    }
    this.#queue.push({ go, refuse, until: performance.now() + this.#longest })
    this.#timer ??= setInterval(() => this.#look(), LOOK).unref()
  }

  giveBack(): void {
    this.#taken--
    this.#serve()
  }

  #serve(): void {
    while (this.waiting > 0 && this.#taken < this.#limit()) {
      const next = this.#shift()
      this.#taken++
      next.go()
    }
  }

  #shift(): Waiting {
    const next = this.#queue.shift()!
    if (this.waiting === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    return next
  }

  /** The first in line have waited longest. */
  #look(): void {
    const now = performance.now()
    for (let late = this.#queue.first; late !== undefined && late.until <= now; late = this.#queue.first) {
      this.#shift().refuse()
    }
    // Nodes that came back.
    this.#serve()
  }
}
