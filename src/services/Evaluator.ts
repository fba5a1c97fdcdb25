import * as Context from "effect/Context"
import type { Bytecode } from "../process/language/Bytecode.ts"
import type { ResultSink } from "../process/machine/ResultSink.ts"
import type { User } from "./Authenticator.ts"
import type { Transport } from "./Metrics.ts"
import type { PoolTask } from "./RequestPool.ts"
import type { Session } from "./Sessions.ts"

/** A request to evaluate something, as both transports make it. */
export interface EvaluationRequest {
  /** Canonical text of the UUID. */
  readonly requestId: string
  /** Script text, or a driver's bytecode. */
  readonly gremlin: string | Bytecode
  readonly bindings: ReadonlyMap<string, unknown> | null
  /** Names of the request's own for graphs and traversal sources, such as `g` for `g_other`; null when none is given. */
  readonly aliases: ReadonlyMap<string, unknown> | null
  readonly language: string | undefined
  /** ms, 0 = none; undefined = the server's. */
  readonly evaluationTimeout: number | undefined
  /** In a session: commit this request's changes when it succeeds, roll them back when it fails. */
  readonly manageTransaction: boolean
  readonly transport: Transport
  readonly user: User
  /** Bytes that its text and its bindings hold, about. */
  readonly heldBytes: number
}

/**
 * Where an evaluation's answer goes. The evaluator hands over results as they come, then calls `finish` while the
 * transaction is still open, commits, and calls `complete`; or it calls `fail`. One of the two last ends every answer.
 */
export interface ResponseSink extends ResultSink {
  /**
   * Sends what was accepted and not yet sent. `ready`: there is room for more; `slice`: `until` (`performance.now()` ms)
   * has passed; `full`: the client has to read first.
   */
  pump(until: number): "ready" | "slice" | "full"
  /** Calls back once when there is room again. */
  onRoom(resume: () => void): void
  /** The request writes: keep everything back until {@link complete}, as far as the transport can. */
  hold(): void
  /** The request succeeds, and its answer's status attribute `warnings` has this text. Called before {@link complete}. */
  warn(warning: string): void
  /** Options that the traversal itself carries, by `g.with(...)`; given before the first result. */
  configure(options: ReadonlyMap<string, unknown>): void
  /** True once anything is on its way to the client: the request cannot be run again. */
  readonly sent: boolean
  /** Forgets the results kept back: the request runs again. */
  restart(): void
  /**
   * There are no more results: encodes what is left, as handles live no longer than their transaction. Called again, after
   * `slice` in a later slice and after `full` when there is room, until it is `ready`.
   */
  finish(until: number): "ready" | "slice" | "full"
  complete(): void
  /** Bytes of results that are not yet on their way, about. */
  readonly heldBytes: number
  /** Results that were accepted. */
  readonly rows: number
  /**
   * The answer is an error; whatever was kept back is dropped. `kept`: what the request had committed before, such as
   * `the changes of the graph 'g'`.
   */
  fail(error: unknown, kept?: ReadonlyArray<string>): void
}

/** Where the time of a request went, ms. */
export interface EvaluationTimes {
  readonly total: number
  /** Before its first slice. */
  readonly queued: number
  /** Parsing and planning. */
  readonly prepare: number
  /** Working, or waiting for the next slice. */
  readonly evaluate: number
  readonly storage: number
  /** Waiting for the client to read. */
  readonly client: number
}

/** One request being evaluated; the pool or a session runs its effect. */
export interface Evaluation extends PoolTask {
  /** Counts what it holds while it waits for its turn: called once, when it was submitted. */
  weighWaiting(): void
  /** Ends it without an answer: its client is gone. */
  abandon(): void
  readonly request: EvaluationRequest
  /** From its arrival to its answer, ms; 0 before the answer. */
  readonly elapsed: number
  /** Results it gave. */
  readonly rows: number
  times(): EvaluationTimes
}

/** Turns requests into evaluations. */
export class Evaluator extends Context.Tag("engine-server/Evaluator")<
  Evaluator,
  {
    /** `session` is null outside of one. `onEnd` is called once, after the answer was given. */
    readonly evaluation: (
      request: EvaluationRequest,
      sink: ResponseSink,
      session: Session | null,
      onEnd: (evaluation: Evaluation) => void
    ) => Evaluation
  }
>() {}
