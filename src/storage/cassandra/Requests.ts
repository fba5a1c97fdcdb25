import { tooBusy, tooLate } from "./Failures.ts"
import { Permits } from "./Permits.ts"

/** Time between two checks for requests that have timed out. */
const CHECK_INTERVAL_MS = 100

interface Running {
  readonly until: number
  readonly late: () => void
}

/**
 * Limits the requests to a cluster, and ends each of them within a timeout, whatever the driver does. One timer serves all
 * requests: a timer for each costs a tenth of a request.
 */
export class Requests {
  readonly #place: string
  readonly #limit: () => number
  readonly #timeout: number
  readonly #permits: Permits
  /** In the order of their deadlines. */
  readonly #running = new Set<Running>()
  #timer: NodeJS.Timeout | undefined

  /**
   * `limit`: concurrent requests. `timeout`: milliseconds that a request waits in the queue at most, and then runs at most.
   */
  constructor(place: string, limit: () => number, timeout: number) {
    this.#place = place
    this.#limit = limit
    this.#timeout = timeout
    this.#permits = new Permits(limit, timeout)
  }

  /** Requests that run. */
  get inFlight(): number {
    return this.#permits.taken
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#permits.waiting
  }

  /** Runs a request. Fails with StorageUnavailable when it is not started, or not answered, in time. */
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
    this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL_MS).unref()
    request().then(
      (answer) => {
        if (this.#end(running)) resolve(answer)
      },
      (cause: unknown) => {
        if (this.#end(running)) reject(cause)
      }
    )
  }

  /** Returns false when the request has already ended. */
  #end(running: Running): boolean {
    if (!this.#running.delete(running)) return false
    this.#permits.giveBack()
    return true
  }

  #check(): void {
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
