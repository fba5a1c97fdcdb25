import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type { User } from "./Authenticator.ts"
import type { EvaluationRequest } from "./Evaluator.ts"

/**
 * What part of a request does to a graph; a request may do several. `write` is io() too, `call` a service of call(), which
 * may do anything, `management` the making of indexes.
 */
export type GraphAccess = "read" | "write" | "call" | "management"

/** Decides what a user may do. Absent from a server where everybody may do everything. */
export interface Authorization {
  /** Sees each request before it is evaluated: gives back the request, or another in its place. Throws Forbidden. */
  readonly admit: (user: User, request: EvaluationRequest) => EvaluationRequest
  /** Sees each traversal and graph operation of a request before it runs. Throws Forbidden. */
  readonly access: (user: User, graph: string, access: GraphAccess) => void
  /** Whether the user may see the requests of all users and cancel them. Absent: nobody but their own. */
  readonly operates?: (user: User) => boolean
}

/** The authorization in force, or null: everything is allowed. */
export class Authorizer extends Context.Tag("engine-server/Authorizer")<Authorizer, Authorization | null>() {}

/** The module that `authorization.authorizer` names cannot be used. */
export class AuthorizerUnusable extends Data.TaggedError("AuthorizerUnusable")<{
  readonly module: string
  readonly reason: string
}> {
  override get message(): string {
    return `The authorizer ${this.module} cannot be used: ${this.reason}`
  }
}
