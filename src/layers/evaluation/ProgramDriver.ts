import type { Progress } from "../../process/machine/ResultSink.ts"
import type { ResponseSink } from "../../services/Evaluator.ts"
import type { Program } from "./Program.ts"

/** Drives the program of one request: moves its results to the sink until both are done. */
export class ProgramDriver {
  readonly #sink: ResponseSink
  #program: Program | null = null
  /** True if the sink is full. It is then pumped before the program continues. */
  #isPumping = false
  /** The program gave its last result. */
  #isExhausted = false

  constructor(sink: ResponseSink) {
    this.#sink = sink
  }

  get hasProgram(): boolean {
    return this.#program !== null
  }

  /** Takes the program that {@link advance} drives. */
  begin(program: Program): void {
    this.#program = program
  }

  /**
   * Works until about `until` (`performance.now()` ms). `done`: the sink has all results; `slice`: there is more to do at
   * once; `full`: the client must read first; a Pending: the program waits for storage, or for its own commit.
   */
  advance(until: number): Progress {
    const program = this.#program!
    for (;;) {
      if (this.#isPumping) {
        const pumped = this.#sink.pump(until)
        if (pumped !== "ready") return pumped
        this.#isPumping = false
      }
      if (this.#isExhausted) return "done"
      const progress = program.advance(until, this.#sink)
      if (progress === "done") {
        this.#isExhausted = true
        this.#isPumping = true
      } else if (progress === "full") this.#isPumping = true
      else return progress
    }
  }

  /** Forgets the program: the request runs again. */
  restart(): void {
    this.#program = null
    this.#isPumping = false
    this.#isExhausted = false
    this.#sink.restart()
  }

  /** False once the program did something that a rollback does not undo. */
  get isRepeatable(): boolean {
    return this.#program?.repeatable !== false
  }

  /** Bytes that the program holds, about. */
  get heldBytes(): number {
    return this.#program?.heldBytes ?? 0
  }

  /** The step at work; empty before the first. */
  get currentStep(): string {
    return this.#program?.currentStep ?? ""
  }

  cancel(error: Error): void {
    this.#program?.cancel(error)
  }

  close(): void {
    this.#program?.close()
  }
}
