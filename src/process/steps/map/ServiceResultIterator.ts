import { Pending } from "../../../scheduling/Pending.ts"
import type { ServiceAnswer, ServiceResults } from "../../language/Service.ts"
import type { Run } from "../../plan/Run.ts"

/** The outcome of a pull: more results remain, none remain, or the run must wait for the service. */
type Pulled = "more" | "done" | "waits"

/** An iterator over the results of one service call. A service may return an iterable, a ServiceResults, or a promise of either. */
export class ServiceResultIterator {
  #results: ServiceResults | undefined
  #iterator: Iterator<unknown> | undefined
  #promise: Promise<Iterable<unknown> | ServiceResults> | undefined

  constructor(answer: ServiceAnswer) {
    if (answer instanceof Promise) this.#promise = answer
    else this.#take(answer)
  }

  #take(answer: Iterable<unknown> | ServiceResults): void {
    if (Symbol.iterator in answer) this.#iterator = answer[Symbol.iterator]()
    else this.#results = answer
  }

  /** Appends results to `out` until it holds at least `most` results or none remain. */
  pull(out: Array<unknown>, most: number, run: Run): Pulled {
    if (this.#promise !== undefined) {
      run.waitFor(Pending.fromPromise(this.#promise.then((answer) => this.#take(answer))))
      this.#promise = undefined
      return "waits"
    }
    if (this.#results !== undefined) {
      const reads = this.#results.reads()
      if (reads !== null && !run.fetched(reads)) return "waits"
      return this.#results.next(out) ? "more" : "done"
    }
    const iterator = this.#iterator!
    while (out.length < most) {
      const next = iterator.next()
      if (next.done === true) return "done"
      out.push(next.value ?? null)
    }
    return "more"
  }
}
