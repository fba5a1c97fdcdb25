import type { StaticImports } from "../../gremlin/Parser.ts"
import type { Bytecode } from "../../process/language/Bytecode.ts"
import type { ClosureBinder } from "../../process/language/Closure.ts"
import type { RunEnvironment } from "../../process/plan/Run.ts"
import type { Authorization } from "../../services/Authorizer.ts"
import type { EvaluationRequest } from "../../services/Evaluator.ts"
import type { GraphRegistry, TraversalSource } from "../../services/GraphRegistry.ts"
import type { Session } from "../../services/Sessions.ts"
import type { Transactions } from "../../services/Transactions.ts"
import type { Starting } from "../management/GraphCalls.ts"
import type { ProgramHost } from "./Program.ts"

/** What all programs are made with. */
export interface ProgramContext {
  readonly registry: typeof GraphRegistry.Service
  readonly environment: RunEnvironment
  /** Null when authorization is off. */
  readonly authorization: Authorization | null
  /** Levels that a script may nest. */
  readonly maxNestingDepth: number
  /** Whether steps take closures. */
  readonly allowsClosures: boolean
  /** Static methods that scripts call without their class. */
  readonly imports: StaticImports
  /** Characters of a request in listings and logs. */
  readonly scriptLogLength: number
  /** Logs what a script printed; the text is escaped and bounded. */
  readonly printed: (requestId: string, user: string, text: string) => void
  /** The options of a graph of the configuration, without the values of secrets. */
  readonly optionsOf: (graph: string) => ReadonlyMap<string, string> | undefined
  /** Present while initialisation scripts run. */
  readonly starting?: Starting
}

/** The request that a program belongs to, with the transactions and the session in which it runs. */
export interface ProgramOwner {
  readonly request: EvaluationRequest
  readonly transactions: Transactions
  readonly session: Session | null
  readonly host: ProgramHost
  /** Binds the closures of a script's traversal; absent where a traversal has none. */
  readonly closures?: ClosureBinder
}

/** A traversal as its request has it. */
export interface Written {
  readonly bytecode: Bytecode
  readonly variables: ReadonlyMap<string, unknown> | null
  readonly source: TraversalSource
}
