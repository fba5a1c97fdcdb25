import { Ring } from "../../structure/containers/Ring.ts"

/** A waiting request. */
interface Waiting {
  readonly go: () => void
  readonly refuse: () => void
  /** Deadline, by performance.now(). */
  readonly until: number
}

/** Time between two checks for expired requests. */
const CHECK_INTERVAL_MS = 100

/**
 * Limits the number of concurrent requests. Others wait in a queue, up to a timeout. It consists of a
 * counter and a ring of callbacks, and creates no promises.
 */
export class Permits {
  readonly #limit: () => number
  readonly #timeoutMs: number
  #taken = 0
  #isServing = false
  readonly #queue = new Ring<Waiting>()
  #timer: NodeJS.Timeout | undefined

  /** `limit` is called each time, because the number of nodes changes. `timeoutMs`: longest wait. */
  constructor(limit: () => number, timeoutMs: number) {
    this.#limit = limit
    this.#timeoutMs = timeoutMs
  }

  /** Permits that are taken. */
  get taken(): number {
    return this.#taken
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#queue.length
  }

  /** Calls `go` at once or when a permit is free, or `refuse` after the timeout. Every permit must be returned. */
  take(go: () => void, refuse: () => void): void {
    if (this.waiting === 0 && this.#taken < this.#limit()) {
      this.#taken++
      go()
      return
    }
    this.#queue.push({ go, refuse, until: performance.now() + this.#timeoutMs })
    this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL_MS).unref()
  }

  /** Returns a permit; the next waiting request gets it. */
  release(): void {
    this.#taken--
    this.#serve()
  }

  /** A request that ends in its go() returns its permit inside this loop, which then goes on: the calls are not nested. */
  #serve(): void {
    if (this.#isServing) return
    this.#isServing = true
    try {
      while (this.waiting > 0 && this.#taken < this.#limit()) {
        const next = this.#shift()
        this.#taken++
        next.go()
      }
    } finally {
      this.#isServing = false
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

  /** Refuses expired requests: the queue is in order of their deadlines. */
  #check(): void {
    const now = performance.now()
    for (let late = this.#queue.first; late !== undefined && late.until <= now; late = this.#queue.first) {
      this.#shift().refuse()
    }
    // The limit may have grown because nodes came back.
    this.#serve()
  }
}
