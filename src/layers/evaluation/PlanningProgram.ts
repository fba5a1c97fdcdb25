import type { Progress, ResultSink } from "../../process/machine/ResultSink.ts"
import type { TraversalRun } from "../../process/machine/TraversalRun.ts"
import type { Prepared } from "../../process/plan/Prepared.ts"
import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"

/** A traversal that runs, as other programs use it. */
export type TraversalProgram = Pick<TraversalRun, "advance" | "cancel" | "close" | "currentStep" | "heldBytes">

/** A long traversal. It is planned in slices, between which other requests run, and then it runs. */
export class PlanningProgram implements TraversalProgram {
  readonly #planning: Task<Prepared>
  readonly #start: (prepared: Prepared) => TraversalProgram
  #run: TraversalProgram | null = null
  readonly #slice: TimeSlice
  #cancelled: Error | undefined

  /** `slice`: the time slice that `planning` uses. `start` makes the run. */
  constructor(planning: Task<Prepared>, slice: TimeSlice, start: (prepared: Prepared) => TraversalProgram) {
    this.#planning = planning
    this.#slice = slice
    this.#start = start
  }

  get currentStep(): string {
    return this.#run === null ? "plan" : this.#run.currentStep
  }

  get heldBytes(): number {
    return this.#run?.heldBytes ?? 0
  }

  advance(until: number, sink: ResultSink): Progress {
    this.#slice.restart(until)
    while (this.#run === null) {
      if (this.#cancelled !== undefined) throw this.#cancelled
      if (performance.now() > until) return "slice"
      const { done, value } = this.#planning.next()
      if (done === true) this.#run = this.#start(value)
    }
    return performance.now() > until ? "slice" : this.#run.advance(until, sink)
  }

  cancel(error: Error): void {
    this.#cancelled = error
    this.#run?.cancel(error)
  }

  close(): void {
    this.#run?.close()
  }
}
