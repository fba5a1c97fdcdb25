import { type Deadline, Deadlines } from "./Deadlines.ts"
import { type RequestLimit, tooBusy, tooLate } from "./Failures.ts"
import { Permits } from "./Permits.ts"
import { neverOver, promiseOf, type Reader } from "./Reader.ts"

/** Starts a request, and calls one of the functions when it has ended. */
type Start<A> = (answered: (answer: A) => void, failed: (cause: unknown) => void) => void

/** Limits the requests to a cluster, and ends each of them within a timeout, whatever the driver does. */
export class Requests {
  readonly #location: string
  readonly #limit: () => RequestLimit
  readonly #timeout: number
  readonly #permits: Permits
  readonly #deadlines: Deadlines

  /**
   * `limit`: concurrent requests. `timeout`: milliseconds that a request waits in the queue at most, and then runs at most.
   */
  constructor(location: string, limit: () => RequestLimit, timeout: number) {
    this.#location = location
    this.#limit = limit
    this.#timeout = timeout
    this.#permits = new Permits(() => limit().count, timeout)
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
    return this.start(doing, (answered, failed) => void request().then(answered, failed))
  }

  /** As run(), for a request that calls back: the promise of the answer is then the only one. */
  start<A>(doing: "read" | "written", start: Start<A>): Promise<A> {
    return promiseOf((reader) => this.call(doing, start, reader), neverOver)
  }

  /** As start(), without a promise. An error of `answered` goes to `failed`. */
  call<A>(doing: "read" | "written", start: Start<A>, reader: Reader<A>): void {
    const go = (): void => {
      const deadline = this.#deadlines.add(() => {
        this.#permits.release()
        reader.failed(tooLate(this.#location, doing, this.#timeout))
      })
      const failed = (cause: unknown): void => {
        if (this.#end(deadline)) reader.failed(cause)
      }
      const answered = (answer: A): void => {
        if (!this.#end(deadline)) return
        try {
          reader.answered(answer)
        } catch (cause) {
          reader.failed(cause)
        }
      }
      try {
        start(answered, failed)
      } catch (cause) {
        failed(cause)
      }
    }
    this.#permits.take(go, () => reader.failed(tooBusy(this.#location, this.#limit())))
  }

  /** Returns false when the request has already ended. */
  #end(deadline: Deadline): boolean {
    if (!this.#deadlines.end(deadline)) return false
    this.#permits.release()
    return true
  }
}
