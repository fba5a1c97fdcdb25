import type { ResultSink } from "../../process/machine/ResultSink.ts"
import type { TraversalRun } from "../../process/machine/TraversalRun.ts"
import type { Prepared } from "../../process/plan/Prepared.ts"
import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { Preparation } from "./Preparation.ts"

/** A traversal that runs, as other programs use it. */
export type TraversalProgram = Pick<TraversalRun, "advance" | "cancel" | "close" | "currentStep" | "heldBytes">

/** A long traversal. It is planned in slices, between which other requests run, and then it runs. */
export class PlanningProgram extends Preparation<ResultSink, TraversalProgram> implements TraversalProgram {
  readonly #planning: Task<Prepared>
  readonly #start: (prepared: Prepared) => TraversalProgram
  readonly #slice: TimeSlice

  /** `slice`: the time slice that `planning` uses. `start` makes the run. */
  constructor(planning: Task<Prepared>, slice: TimeSlice, start: (prepared: Prepared) => TraversalProgram) {
    super("plan")
    this.#planning = planning
    this.#slice = slice
    this.#start = start
  }

  protected override prepare(until: number): TraversalProgram | "slice" {
    this.#slice.restart(until)
    while (performance.now() <= until) {
      const { done, value } = this.#planning.next()
      if (done === true) return this.#start(value)
    }
    return "slice"
  }
}
