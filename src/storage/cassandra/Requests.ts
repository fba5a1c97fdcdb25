import { type Deadline, Deadlines } from "./Deadlines.ts"
import { tooBusy, tooLate } from "./Failures.ts"
import { Permits } from "./Permits.ts"

/** Limits the requests to a cluster, and ends each of them within a timeout, whatever the driver does. */
export class Requests {
  readonly #place: string
  readonly #limit: () => number
  readonly #timeout: number
  readonly #permits: Permits
  readonly #deadlines: Deadlines

  /**
   * `limit`: concurrent requests. `timeout`: milliseconds that a request waits in the queue at most, and then runs at most.
   */
  constructor(place: string, limit: () => number, timeout: number) {
    this.#place = place
    this.#limit = limit
    this.#timeout = timeout
    this.#permits = new Permits(limit, timeout)
    this.#deadlines = new Deadlines(timeout)
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
    const deadline = this.#deadlines.add(() => {
      this.#permits.release()
      reject(tooLate(this.#place, doing, this.#timeout))
    })
    request().then(
      (answer) => {
        if (this.#end(deadline)) resolve(answer)
      },
      (cause: unknown) => {
        if (this.#end(deadline)) reject(cause)
      }
    )
  }

  /** Returns false when the request has already ended. */
  #end(deadline: Deadline): boolean {
    if (!this.#deadlines.end(deadline)) return false
    this.#permits.release()
    return true
  }
}
