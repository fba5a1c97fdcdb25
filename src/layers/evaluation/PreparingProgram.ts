import type { Progress } from "../../process/machine/ResultSink.ts"
import type { ResponseSink } from "../../services/Evaluator.ts"
import type { Program } from "./Program.ts"

/** A program that prepares another one in slices, and then runs it. */
export abstract class PreparingProgram implements Program {
  readonly #preparation: string
  #program: Program | null = null
  #cancelled: Error | null = null

  /** @param preparation the current step until the other program exists */
  constructor(preparation: string) {
    this.#preparation = preparation
  }

  /** Prepares until about `until` (`performance.now()` ms). Returns the program, or why it does not exist yet. */
  protected abstract prepare(until: number): Program | Exclude<Progress, "done">

  get currentStep(): string {
    return this.#program === null ? this.#preparation : this.#program.currentStep
  }

  get heldBytes(): number {
    return this.#program?.heldBytes ?? 0
  }

  get repeatable(): boolean {
    return this.#program?.repeatable !== false
  }

  advance(until: number, sink: ResponseSink): Progress {
    if (this.#program === null) {
      if (this.#cancelled !== null) throw this.#cancelled
      const prepared = this.prepare(until)
      if (!isProgram(prepared)) return prepared
      this.#program = prepared
      // A short preparation may have taken the rest of the slice.
      if (performance.now() > until) return "slice"
    }
    return this.#program.advance(until, sink)
  }

  cancel(error: Error): void {
    this.#cancelled = error
    this.#program?.cancel(error)
  }

  close(): void {
    this.#program?.close()
  }
}

const isProgram = (prepared: Program | Progress): prepared is Program =>
  typeof prepared === "object" && "advance" in prepared
