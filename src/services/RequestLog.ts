import * as Context from "effect/Context"
import type { Evaluation } from "./Evaluator.ts"

/** The log of single requests. */
export class RequestLog extends Context.Tag("engine-server/RequestLog")<
  RequestLog,
  {
    /** Audit: the authorizer refused a request. */
    readonly refused: (evaluation: Evaluation, remoteAddress: string) => void
    /** The request took at least `slowQueryThreshold`. Called after its answer, with the status of the answer. */
    readonly slow: (evaluation: Evaluation, status: number) => void
    /** Audit (`enableAuditLog`): a request is going to be evaluated. Bindings are not logged. */
    readonly audit: (evaluation: Evaluation, remoteAddress: string) => void
    /** A script printed text, which is escaped and bounded. At most a few lines a second are logged. */
    readonly printed: (requestId: string, user: string, text: string) => void
    /**
     * Logs an internal error (`isInternal`) at error level, with its cause. `what` names the work that failed. Of many equal
     * errors within a second only the first ones are logged, and the others are counted.
     */
    readonly failed: (what: string, error: unknown) => void
  }
>() {}
