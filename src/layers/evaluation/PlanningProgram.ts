import type { Prepared } from "../../process/compiler/Planner.ts"
import type { Pieces } from "../../process/machine/Pieces.ts"
import type { Progress, ResultSink, TraversalRun } from "../../process/machine/TraversalRun.ts"
import { takeSpent } from "../../structure/Effort.ts"

/** What is asked of the run of a traversal. */
export type TraversalProgram = Pick<TraversalRun, "advance" | "cancel" | "close" | "currentStep" | "heldBytes">

/** A long traversal: it is planned a piece at a time, so that others are served meanwhile, and then it runs. */
export class PlanningProgram implements TraversalProgram {
  readonly #planning: Pieces<Prepared>
  readonly #start: (prepared: Prepared) => TraversalRun
  #run: TraversalRun | null = null
  #cancelled: Error | undefined

  constructor(planning: Pieces<Prepared>, start: (prepared: Prepared) => TraversalRun) {
    this.#planning = planning
    this.#start = start
  }

  get currentStep(): string {
    return this.#run === null ? "plan" : this.#run.currentStep
  }

  get heldBytes(): number {
    return this.#run?.heldBytes ?? 0
  }

  advance(until: number, sink: ResultSink): Progress {
    while (this.#run === null) {
      if (this.#cancelled !== undefined) throw this.#cancelled
      if (performance.now() > until) return "slice"
      takeSpent()
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
