import * as Context from "effect/Context"
import type { User } from "./Authenticator.ts"
import type { EvaluationRequest } from "./Evaluator.ts"

/** What part of a request does to a graph; a request may do several. */
export type GraphAccess = "read" | "write" | "management"

/** Decides what a user may do. Absent from a server where everybody may do everything. */
export interface Authorization {
  /** Sees each request before it is evaluated: gives back the request, or another in its place. Throws Forbidden. */
  readonly admit: (user: User, request: EvaluationRequest) => EvaluationRequest
  /** Sees each traversal and graph operation of a request before it runs. Throws Forbidden. */
  readonly access: (user: User, graph: string, access: GraphAccess) => void
}

/** The authorization in force, or null: everything is allowed. */
export class Authorizer extends Context.Tag("engine-server/Authorizer")<Authorizer, Authorization | null>() {}
