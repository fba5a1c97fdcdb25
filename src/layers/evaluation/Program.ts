import type { Progress } from "../../process/machine/ResultSink.ts"
import type { EvaluationRequest, ResponseSink } from "../../services/Evaluator.ts"
import type { Session } from "../../services/Sessions.ts"
import type { CommitListener, Transactions } from "../../services/Transactions.ts"

/** What an evaluation runs: one traversal (a TraversalRun is a program), a script, or an operation on a transaction. */
export interface Program {
  /** As TraversalRun.advance. */
  advance(until: number, sink: ResponseSink): Progress
  /**
   * Ends the program: it begins nothing more, and advance() throws the error. One whose commit is under way is told that,
   * too: when nothing follows the commit, advance() is "done" all the same.
   */
  cancel(error: Error): void
  close(): void
  readonly currentStep: string
  /** Bytes it holds, about; it may be slow to say. Absent: none worth counting. */
  readonly heldBytes?: number
  /** False once it did what a rollback does not undo: it is not run again after a conflict. Absent: always true. */
  readonly repeatable?: boolean
}

/** What a program tells its evaluation. */
export interface ProgramHost extends CommitListener {
  /**
   * A traversal is about to run. `options` are those of `g.with(...)`; the results of a traversal that writes are kept back
   * until the commit.
   */
  prepared(options: ReadonlyMap<string, unknown>, writes: boolean): void
  /** Something beside a transaction is committed, such as `the schema of the graph 'g'`: it stays when the request fails. */
  keeps(what: string): void
}

/** Makes programs of requests. Throws what parsing and compiling throw. */
export interface Programs {
  readonly make: (
    request: EvaluationRequest,
    transactions: Transactions,
    session: Session | null,
    host: ProgramHost
  ) => Program
  /** The request as text for people, cut. */
  readonly describe: (request: EvaluationRequest) => string
}
