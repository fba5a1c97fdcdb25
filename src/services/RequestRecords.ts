import * as Context from "effect/Context"
import type { EvaluationRequest } from "./Evaluator.ts"

/**
 * What makes two requests the same: user, text and bindings. A long text is shortened, and a hash stands for all of it. If a part of the
 * request is in neither, the end of `bindings` says so.
 */
export interface RequestIdentity {
  readonly user: string
  readonly kind: "script" | "bytecode"
  /** The script, or the steps of the bytecode as text. At most 360 characters. */
  readonly text: string
  /** Characters of the script, or instructions of the bytecode. */
  readonly length: number
  /** At most 120 characters. */
  readonly bindings: string
}

/**
 * Records which requests this worker evaluates and which one has the event loop, so that the primary process knows
 * which request a worker was evaluating when it died. Absent in a server of one process.
 */
export class RequestRecords extends Context.Tag("engine-server/RequestRecords")<
  RequestRecords,
  {
    /** The number of the record whose request has the event loop; 0 = none. */
    readonly current: () => number
    /**
     * The request has the event loop from now on.
     *
     * @param record what the last call for this request returned; 0 before
     * @returns the number of its record; 0 when all records are in use, and the request is only recorded until {@link leave}
     */
    readonly enter: (request: EvaluationRequest, record: number) => number
    /** The request gives the event loop back to the one that had it before; 0 = to none. */
    readonly leave: (outer: number) => void
    /** The request is answered. */
    readonly end: (record: number) => void
  }
>() {}
