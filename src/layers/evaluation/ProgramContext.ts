import type { RunEnvironment } from "../../process/plan/Run.ts"
import type { Authorization } from "../../services/Authorizer.ts"
import type { EvaluationRequest } from "../../services/Evaluator.ts"
import type { GraphRegistry } from "../../services/GraphRegistry.ts"
import type { Session } from "../../services/Sessions.ts"
import type { Transactions } from "../../services/Transactions.ts"
import type { ProgramHost } from "./Program.ts"

/** What all programs are made with. */
export interface ProgramContext {
  readonly registry: typeof GraphRegistry.Service
  readonly environment: RunEnvironment
  /** Null when authorization is off. */
  readonly authorization: Authorization | null
  /** Levels that a script may nest. */
  readonly maxNestingDepth: number
  /** Characters of a request in listings and logs. */
  readonly scriptLogLength: number
}

/** The request that a program belongs to, and where it runs. */
export interface ProgramPlace {
  readonly request: EvaluationRequest
  readonly transactions: Transactions
  readonly session: Session | null
  readonly host: ProgramHost
}
