import * as Context from "effect/Context"
import type { Evaluation } from "./Evaluator.ts"

/** What is written down about single requests. */
export class RequestLog extends Context.Tag("engine-server/RequestLog")<
  RequestLog,
  {
    /** A request of the audit was not allowed: by the authorizer, or for what it does to a graph. */
    readonly refused: (evaluation: Evaluation, remoteAddress: string) => void
    /** The request took at least `slowQueryThreshold`. Called when it has its answer, with the answer's status. */
    readonly slow: (evaluation: Evaluation, status: number) => void
    /** Somebody sent a request that is going to be evaluated (`enableAuditLog`). Bindings are not written. */
    readonly audit: (evaluation: Evaluation, remoteAddress: string) => void
    /**
     * An internal error (`isInternal`): a line at error level with its cause. `what` names the work that failed. Many errors
     * of one kind within a second are counted after the first ones.
     */
    readonly failed: (what: string, error: unknown) => void
  }
>() {}
