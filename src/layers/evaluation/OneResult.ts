import type { Progress, ResultSink } from "../../process/machine/ResultSink.ts"
import type { Task } from "../../scheduling/Task.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { TraversalProgram } from "./PlanningProgram.ts"

/** A program with one result, which is made in slices: the explanation of a traversal. */
export class OneResult implements TraversalProgram {
  readonly currentStep: string
  readonly heldBytes = 0
  #making: Task<unknown> | null
  #cancelled: Error | null = null
  readonly #slice = new TimeSlice()

  /** `name`: the current step in listings. */
  constructor(name: string, make: (slice: TimeSlice) => Task<unknown>) {
    this.currentStep = name
    this.#making = make(this.#slice)
  }

  advance(until: number, sink: ResultSink): Progress {
    while (this.#making !== null) {
      if (this.#cancelled !== null) throw this.#cancelled
      this.#slice.restart(until)
      const { done, value } = this.#making.next()
      if (done === true) {
        this.#making = null
        sink.accept([value], 1, null)
      } else if (performance.now() > until) return "slice"
    }
    return "done"
  }

  cancel(error: Error): void {
    this.#cancelled ??= error
  }

  close(): void {
    this.#making = null
  }
}
