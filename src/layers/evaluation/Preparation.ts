import type { Progress } from "../../process/machine/ResultSink.ts"

/** What runs in slices after its preparation. */
interface Runs<Sink> {
  readonly currentStep: string
  readonly heldBytes?: number | undefined
  advance(until: number, sink: Sink): Progress
  cancel(error: Error): void
  close(): void
}

/** Prepares a program or a traversal in slices, and then runs it. */
export abstract class Preparation<Sink, Run extends Runs<Sink>> {
  readonly #name: string
  #run: Run | null = null
  #cancelled: Error | null = null

  /** `name`: the current step during the preparation. */
  constructor(name: string) {
    this.#name = name
  }

  /** Prepares until about `until` (`performance.now()` ms). Returns what runs, or why it does not exist yet. */
  protected abstract prepare(until: number): Run | Exclude<Progress, "done">

  /** What runs; null during the preparation. */
  protected get run(): Run | null {
    return this.#run
  }

  get currentStep(): string {
    return this.#run === null ? this.#name : this.#run.currentStep
  }

  get heldBytes(): number {
    return this.#run?.heldBytes ?? 0
  }

  advance(until: number, sink: Sink): Progress {
    if (this.#run === null) {
      if (this.#cancelled !== null) throw this.#cancelled
      const prepared = this.prepare(until)
      if (typeof prepared === "string" || !("advance" in prepared)) return prepared
      this.#run = prepared
      // A short preparation may have taken the rest of the slice.
      if (performance.now() > until) return "slice"
    }
    return this.#run.advance(until, sink)
  }

  cancel(error: Error): void {
    this.#cancelled = error
    this.#run?.cancel(error)
  }

  close(): void {
    this.#run?.close()
  }
}
