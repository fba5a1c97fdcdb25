import type { EvaluationRequest } from "../../services/Evaluator.ts"
import type { MemoryBudget } from "../../services/MemoryBudget.ts"
import type { RequestRecords } from "../../services/RequestRecords.ts"
import type { RunQueue } from "../../services/RunQueue.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import type { Programs } from "./Program.ts"

/** The services and limits that all evaluations share. */
export interface EvaluationContext {
  readonly programs: Programs
  readonly runQueue: typeof RunQueue.Service
  /** ms; 0 = no limit. */
  readonly evaluationTimeout: number
  /** How often a request is run again after a conflict. */
  readonly conflictRetries: number
  readonly memory: typeof MemoryBudget.Service
  /** Bytes that a request may hold; 0 = no limit. */
  readonly requestMemoryLimit: number
  /**
   * Throws if a request changed a graph that its aliases do not name. Null unless the setting strictTransactionManagement is on.
   */
  readonly strict: ((request: EvaluationRequest, changed: ReadonlyArray<GraphStore>) => void) | null
  /** Records which requests are evaluated; null in a server of one process. */
  readonly records: typeof RequestRecords.Service | null
  /** Logs an internal error; `what` names the work that failed. */
  readonly failed: (what: string, error: unknown) => void
}
