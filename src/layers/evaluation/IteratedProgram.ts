import type { Progress, ResultSink } from "../../process/machine/ResultSink.ts"
import type { TraversalProgram } from "./PlanningProgram.ts"
import type { Program } from "./Program.ts"

/** `iterate()`: runs a traversal to its end and returns no results. */
export class IteratedProgram implements Program {
  readonly #run: TraversalProgram

  constructor(run: TraversalProgram) {
    this.#run = run
  }

  get currentStep(): string {
    return this.#run.currentStep
  }

  get heldBytes(): number {
    return this.#run.heldBytes
  }

  advance(until: number): Progress {
    return this.#run.advance(until, discard)
  }

  cancel(error: Error): void {
    this.#run.cancel(error)
  }

  close(): void {
    this.#run.close()
  }
}

const discard: ResultSink = { accept: () => true }
