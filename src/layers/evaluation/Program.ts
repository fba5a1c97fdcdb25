import type { ScriptMemory } from "../../gremlin/script/budget/ScriptMemory.ts"
import type { Progress } from "../../process/machine/ResultSink.ts"
import type { EvaluationRequest, ResponseSink } from "../../services/Evaluator.ts"
import type { Session } from "../../services/Sessions.ts"
import type { CommitListener, Transactions } from "../../services/Transactions.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"

/** What an evaluation runs: a traversal (a TraversalRun is a program), a script, or an operation on a transaction. */
export interface Program {
  /** Works until about `until` (`performance.now()` ms), as TraversalRun.advance(). */
  advance(until: number, sink: ResponseSink): Progress
  /**
   * Ends the program. It starts nothing new, and advance() throws the error. If the program's own commit is running and is its last
   * operation, advance() still returns "done".
   */
  cancel(error: Error): void
  close(): void
  readonly currentStep: string
  /** Approximate number of bytes that the program holds. The call may be slow. Absent: too few to count. */
  readonly heldBytes?: number
  /** False after the program did something that a rollback does not undo. It is then not run again after a conflict. Absent: true. */
  readonly repeatable?: boolean
}

/** The evaluation, as its program uses it. */
export interface ProgramHost extends CommitListener {
  /** The text of the script names the time limit of the request, ms; 0 = no limit. */
  limited(timeout: number): void
  /** The request runs a script or a closure, whose memory it counts. */
  scripting(memory: ScriptMemory): void
  /**
   * A traversal is about to run. `options` are those of `g.with(...)`. `written`: the graph that it writes, undefined for none. Its
   * results are held back until the commit.
   */
  prepared(options: ReadonlyMap<string, unknown>, written: GraphStore | undefined): void
  /** The server loads a part of itself for the request. This time does not count for the `evaluationTimeout`. */
  loading(work: Promise<void>): Promise<void>
  /** Something other than a transaction is committed, such as `the schema of the graph 'g'`. It stays when the request fails. */
  keeps(what: string): void
}

/** Makes the programs of requests. Throws the errors of parsing and compiling. */
export interface Programs {
  readonly make: (
    request: EvaluationRequest,
    transactions: Transactions,
    session: Session | null,
    host: ProgramHost
  ) => Program
  /** The request as text for people, cut to scriptLogLength. */
  readonly describe: (request: EvaluationRequest) => string
}
