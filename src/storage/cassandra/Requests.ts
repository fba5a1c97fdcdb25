import { tooBusy, tooLate } from "./Failures.ts"
import { Permits } from "./Permits.ts"

/** Milliseconds between two looks at requests that take too long. */
const LOOK = 100

interface Running {
  readonly until: number
  readonly late: () => void
}

/**
 * Requests to a cluster: so many at a time, each with an end, whatever the driver does. One timer looks after all of them,
 * because one for each costs as much as a tenth of the request.
 */
export class Requests {
  readonly #place: string
  readonly #limit: () => number
  readonly #timeout: number
  readonly #permits: Permits
  /** In the order in which their time ends. */
  readonly #running = new Set<Running>()
  #timer: NodeJS.Timeout | undefined

  /** `limit`: how many at a time; `timeout`: milliseconds that one waits, and then takes, at most. */
  constructor(place: string, limit: () => number, timeout: number) {
    this.#place = place
    this.#limit = limit
    this.#timeout = timeout
    this.#permits = new Permits(limit, timeout)
  }

  get inFlight(): number {
    return this.#permits.taken
  }

  get waiting(): number {
    return this.#permits.waiting
  }

  /** Fails with StorageUnavailable when it does not get its turn, or no answer, in time. */
  run<A>(doing: "read" | "written", request: () => Promise<A>): Promise<A> {
    return new Promise((resolve, reject) => {
      this.#permits.take(
        () => this.#start(doing, request, resolve, reject),
        () => reject(tooBusy(this.#place, this.#limit()))
      )
    })
  }

  #start<A>(
    doing: "read" | "written",
    request: () => Promise<A>,
    resolve: (answer: A) => void,
    reject: (cause: unknown) => void
  ): void {
    const running: Running = {
      until: performance.now() + this.#timeout,
      late: () => {
        this.#end(running)
        reject(tooLate(this.#place, doing, this.#timeout))
      }
    }
    this.#running.add(running)
    this.#timer ??= setInterval(() => this.#look(), LOOK).unref()
    request().then(
      (answer) => {
        if (this.#end(running)) resolve(answer)
      },
      (cause: unknown) => {
        if (this.#end(running)) reject(cause)
      }
    )
  }

  /** False for one that was ended before. */
  #end(running: Running): boolean {
    if (!this.#running.delete(running)) return false
    this.#permits.giveBack()
    return true
  }

  #look(): void {
    if (this.#running.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const now = performance.now()
    for (const running of this.#running) {
      if (running.until > now) return
      running.late()
    }
  }
}

/** Does something with each item, which is asked for then, so many at a time; the first failure is the answer, once nothing runs any more. */
export const inWindow = <A>(items: Iterable<A>, window: number, one: (item: A, at: number) => Promise<void>) =>
  new Promise<void>((resolve, reject) => {
    const iterator = items[Symbol.iterator]()
    let next = 0
    let running = 0
    let ended = false
    let failed = false
    let failure: unknown
    const more = (): void => {
      while (!failed && !ended && running < window) {
        const item = iterator.next()
        if (item.done) {
          ended = true
          break
        }
        running++
        one(item.value, next++).then(done, (cause: unknown) => {
          if (!failed) failure = cause
          failed = true
          done()
        })
      }
      if (running > 0) return
      if (failed) reject(failure)
      else resolve()
    }
    const done = (): void => {
      running--
      more()
    }
    more()
  })
