import * as Context from "effect/Context"
import type { Bytecode } from "../process/language/Bytecode.ts"
import type { ResultSink } from "../process/machine/ResultSink.ts"
import type { Linked } from "../structure/containers/LinkedList.ts"
import type { User } from "./Authenticator.ts"
import type { Transport } from "./Metrics.ts"
import type { PoolTask } from "./RequestPool.ts"
import type { Session } from "./Sessions.ts"

/** A request for an evaluation, for both transports. */
export interface EvaluationRequest {
  /** The canonical text of a UUID. */
  readonly requestId: string
  /** Script text, or a driver's bytecode. */
  readonly gremlin: string | Bytecode
  readonly bindings: ReadonlyMap<string, unknown> | null
  /** Names of graphs and traversal sources by the names that the request uses, such as `g_other` by `g`. Null for none. */
  readonly aliases: ReadonlyMap<string, unknown> | null
  readonly language: string | undefined
  /** ms; 0 = no limit, undefined = the limit of the server. */
  readonly evaluationTimeout: number | undefined
  /** In a session: the request commits its changes when it succeeds, and rolls them back when it fails. */
  readonly manageTransaction: boolean
  readonly transport: Transport
  readonly user: User
  /** What the answer has instead of the results: how the traversal would run, or how it ran. Null for the results. */
  readonly report?: "explain" | "profile" | null
  /** Approximate size of its text and its bindings, in bytes. */
  readonly heldBytes: number
}

/**
 * The answer of an evaluation. The evaluator passes results as they come. At the end it calls `finish` while the transaction
 * is still open, commits, and calls `complete`. When the request fails, it calls `fail` instead.
 */
export interface ResponseSink extends ResultSink {
  /**
   * Sends accepted results. `ready`: there is room for more; `slice`: `until` (`performance.now()` ms) has passed; `full`: the
   * client must read first.
   */
  pump(until: number): "ready" | "slice" | "full"
  /** Calls back once when there is room again. */
  onRoom(resume: () => void): void
  /** The request writes: the answer is held back until {@link complete}, as far as the transport can. */
  hold(): void
  /** Adds a text to the status attribute `warnings` of a successful answer. Call it before {@link complete}. */
  warn(warning: string): void
  /** Applies the options of `g.with(...)` in the traversal. Call it before the first result. */
  configure(options: ReadonlyMap<string, unknown>): void
  /** True once a part of the answer is sent: the request cannot be run again. */
  readonly sent: boolean
  /** Drops the results that are held back: the request runs again. */
  restart(): void
  /**
   * Encodes the remaining results, because elements can be read only while their transaction is open. Call it until it
   * returns `ready`: after `slice` in a later slice, and after `full` when there is room.
   */
  finish(until: number): "ready" | "slice" | "full"
  /** Ends a successful answer. */
  complete(): void
  /** Approximate size of the results that are not yet sent, in bytes. */
  readonly heldBytes: number
  /** Accepted results. */
  readonly rows: number
  /**
   * Ends the answer with an error. Results that are held back are dropped. `kept`: what the request had committed before,
   * such as `the changes of the graph 'g'`.
   */
  fail(error: unknown, kept?: ReadonlyArray<string>): void
}

/** The phases of a request, ms. */
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

/** The evaluation of one request. The request pool or a session runs it. */
export interface Evaluation extends PoolTask, Linked<Evaluation> {
  /** Call it once, after the request was submitted. If the request waits, its memory and the time until its first slice count. */
  submitted(): void
  /** Ends the evaluation: its client has closed the connection. */
  abandon(): void
  readonly request: EvaluationRequest
  /** Time from its arrival to its answer, ms; 0 before the answer. */
  readonly elapsed: number
  /** Results so far. */
  readonly rows: number
  times(): EvaluationTimes
}

/** Makes the evaluations of requests. */
export class Evaluator extends Context.Tag("engine-server/Evaluator")<
  Evaluator,
  {
    /** `session` is null outside a session. `onEnd` is called once, after the answer. */
    readonly evaluation: (
      request: EvaluationRequest,
      sink: ResponseSink,
      session: Session | null,
      onEnd: (evaluation: Evaluation) => void
    ) => Evaluation
  }
>() {}
