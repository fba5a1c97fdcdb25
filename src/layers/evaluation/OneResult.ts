import type { Progress, ResultSink } from "../../process/TraversalRun.ts"
import type { Program } from "./Evaluation.ts"

/** A program that gives one value, made at once: the explanation of a traversal. */
export class OneResult implements Program {
  readonly currentStep: string
  readonly #value: () => unknown
  #given = false
  #cancelled: Error | null = null

  constructor(name: string, value: () => unknown) {
    this.currentStep = name
    this.#value = value
  }

  advance(_until: number, sink: ResultSink): Progress {
    if (this.#cancelled !== null) throw this.#cancelled
    if (!this.#given) {
      this.#given = true
      sink.accept([this.#value()], 1, null)
    }
    return "done"
  }

  cancel(error: Error): void {
    this.#cancelled ??= error
  }

  close(): void {
    // It holds nothing.
  }
}
