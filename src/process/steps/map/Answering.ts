import { Pending } from "../../../scheduling/Pending.ts"
import type { ServiceAnswer, ServiceResults } from "../../language/Service.ts"
import type { Run } from "../../plan/Run.ts"

/** What became of taking results: there are more, there are no more, or the run waits for them. */
type Pulled = "more" | "done" | "waits"

/** Takes the results of one call, in whatever form the service gives them. */
export class Answering {
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

  /** Adds results to `out` until about `most` are in it. */
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
