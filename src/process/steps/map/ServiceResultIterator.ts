import { Pending } from "../../../scheduling/Pending.ts"
import { TraversalError } from "../../language/Errors.ts"
import type { ServiceAnswer, ServiceResults } from "../../language/Service.ts"
import type { Run } from "../../plan/Run.ts"

/** The outcome of a pull: more results remain, none remain, or the run must wait for the service. */
type Pulled = "more" | "done" | "waits"

/**
 * An iterator over the results of one service call. A service may return an iterable, a ServiceResults, or a promise of either. The
 * end of the run closes an iterable that has more results, so that a generator reaches its `finally`.
 */
export class ServiceResultIterator {
  readonly #service: string
  readonly #run: Run
  #results: ServiceResults | undefined
  #iterator: Iterator<unknown> | undefined
  #promise: PromiseLike<Iterable<unknown> | ServiceResults> | undefined
  #isClosed = false

  /** Throws TraversalError if a service cannot return the answer. `service`: its name. */
  constructor(service: string, answer: ServiceAnswer, run: Run) {
    this.#service = service
    this.#run = run
    if (isPromise(answer)) this.#promise = answer
    else this.#take(answer)
  }

  #take(answer: Iterable<unknown> | ServiceResults): void {
    if (this.#isClosed) return
    if (isIterable(answer)) {
      this.#iterator = answer[Symbol.iterator]()
      if (this.#iterator.return !== undefined) openIn(this.#run).add(this)
    } else if (isChunked(answer)) this.#results = answer
    else throw unusable(this.#service, answer)
  }

  /** Appends results to `out` until it holds at least `most` results or none remain. */
  pull(out: Array<unknown>, most: number): Pulled {
    const run = this.#run
    if (this.#promise !== undefined) {
      run.waitFor(Pending.fromPromise(Promise.resolve(this.#promise).then((answer) => this.#take(answer))))
      this.#promise = undefined
      return "waits"
    }
    if (this.#results !== undefined) {
      const reads = this.#results.reads()
      if (reads !== null && !run.fetched(reads)) return "waits"
      return this.#results.next(out) ? "more" : "done"
    }
    const iterator = this.#iterator!
    let isOpen = false
    try {
      while (out.length < most) {
        const next = iterator.next()
        if (next.done === true) return "done"
        out.push(next.value ?? null)
      }
      isOpen = true
    } finally {
      // An iterator that has ended or failed has closed itself.
      if (!isOpen) this.#forget()
    }
    return "more"
  }

  /** Ends the call before its last result. Throws the error of the iterator. */
  close(): void {
    const isOpen = this.#forget()
    if (isOpen) this.#iterator?.return?.()
  }

  /** Returns false if it was closed before. */
  #forget(): boolean {
    if (this.#isClosed) return false
    this.#isClosed = true
    if (this.#iterator?.return !== undefined) openIn(this.#run).delete(this)
    return true
  }
}

/** The iterators of a run that must be closed at its end. */
const openIn = (run: Run): Set<ServiceResultIterator> =>
  run.sharedBy(ServiceResultIterator, () => {
    const open = new Set<ServiceResultIterator>()
    run.onClose(() => {
      for (const results of open) closeQuietly(results)
    })
    return open
  })

/** The request has its outcome already, as the statement after a loop that has thrown. */
const closeQuietly = (results: ServiceResultIterator): void => {
  try {
    results.close()
  } catch {}
}

const has = (value: unknown, name: PropertyKey): boolean =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, name) === "function"

const isPromise = (answer: ServiceAnswer): answer is PromiseLike<Iterable<unknown> | ServiceResults> =>
  has(answer, "then")

const isIterable = (answer: Iterable<unknown> | ServiceResults): answer is Iterable<unknown> =>
  has(answer, Symbol.iterator)

const isChunked = (answer: ServiceResults): boolean => has(answer, "reads") && has(answer, "next")

const unusable = (service: string, answer: unknown): TraversalError => {
  const what = has(answer, Symbol.asyncIterator) ? "an async iterable" : answer === null ? "null" : `a ${typeof answer}`
  return new TraversalError(
    `The service ${service} returned ${what}, which call() cannot read. A service returns an array, a generator or another ` +
      "iterable, or a promise of one: let an async service collect its results into an array."
  )
}
