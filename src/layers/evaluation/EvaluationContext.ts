import type { EvaluationRequest } from "../../services/Evaluator.ts"
import type { MemoryBudget } from "../../services/MemoryBudget.ts"
import type { RunQueue } from "../../services/RunQueue.ts"
import type { GraphStore } from "../../structure/GraphStore.ts"
import type { Programs } from "./Program.ts"

/** What all evaluations share. */
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
  /** With strictTransactionManagement: throws when a request changed a graph that its aliases do not name. Null without. */
  readonly strict: ((request: EvaluationRequest, changed: ReadonlyArray<GraphStore>) => void) | null
  /** Logs an internal error; `what` names the work that failed. */
  readonly failed: (what: string, error: unknown) => void
}
