import type { ScriptMemory } from "../../gremlin/script/budget/ScriptMemory.ts"
import type { Progress } from "../../process/machine/ResultSink.ts"
import { integral } from "../../protocol/HttpRequest.ts"
import type { ResponseSink } from "../../services/Evaluator.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import type { EvaluationClock } from "./EvaluationClock.ts"
import type { HeldMemory } from "./HeldMemory.ts"
import type { Program, ProgramHost, Programs } from "./Program.ts"
import type { RequestTransactions } from "./RequestTransactions.ts"

/** Makes the program of one request, and drives it: moves its results to the sink until both are done. */
export class ProgramDriver implements ProgramHost {
  readonly #programs: Programs
  readonly #sink: ResponseSink
  readonly #clock: EvaluationClock
  readonly #transactions: RequestTransactions
  #program: Program | null = null
  /** What the scripts of the request hold; null without a script. */
  #scripts: ScriptMemory | null = null
  /** True if the sink is full. It is then pumped before the program continues. */
  #isPumping = false
  /** The text of the script has the time limit of the request, so its traversals do not change it. */
  #isLimited = false
  /** The program gave its last result. */
  #isExhausted = false

  constructor(programs: Programs, sink: ResponseSink, clock: EvaluationClock, transactions: RequestTransactions) {
    this.#programs = programs
    this.#sink = sink
    this.#clock = clock
    this.#transactions = transactions
  }

  get hasProgram(): boolean {
    return this.#program !== null
  }

  /** Makes the program that {@link advance} drives. */
  prepare(): void {
    this.#transactions.begin()
    const { open, request, session } = this.#transactions
    this.#program = this.#programs.make(request, open, session, this)
    this.#clock.plan()
  }

  prepared(options: ReadonlyMap<string, unknown>, written: GraphStore | undefined): void {
    if (options.size > 0) {
      this.#sink.configure(options)
      const timeout = integral(options.get("evaluationTimeout") ?? options.get("scriptEvaluationTimeout"))
      if (timeout !== undefined && !this.#isLimited) this.#clock.limit(timeout)
    }
    if (written !== undefined && this.#transactions.commitsWithRequest(written)) this.#sink.hold()
  }

  limited(timeout: number): void {
    this.#isLimited = true
    this.#clock.limit(timeout)
  }

  scripting(memory: ScriptMemory): void {
    this.#scripts = memory
  }

  async loading(work: Promise<void>): Promise<void> {
    this.#clock.excuse()
    try {
      await work
    } finally {
      this.#clock.count()
    }
  }

  committed(store: GraphStore): void {
    this.#transactions.committed(store)
  }

  keeps(what: string): void {
    this.#transactions.keeps(what)
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

  /** False in a session, and once the program did something that a rollback does not undo. */
  get isRepeatable(): boolean {
    const { hasKept, isOfSession } = this.#transactions
    return !isOfSession && !hasKept && !this.#sink.sent && this.#program?.repeatable !== false
  }

  /** Counts what the request holds after a slice. Throws LimitExceeded. */
  weigh(memory: HeldMemory): void {
    const { open, request } = this.#transactions
    const scripts = this.#scripts
    const held = request.heldBytes + (this.#program?.heldBytes ?? 0) + this.#sink.heldBytes
    memory.weigh(held + open.heldBytes + (scripts?.heldBytes ?? 0), held + (scripts?.madeBytes ?? 0))
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
