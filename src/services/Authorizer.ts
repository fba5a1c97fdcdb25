import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type { User } from "./Authenticator.ts"
import type { EvaluationRequest } from "./Evaluator.ts"

/**
 * A kind of access to a graph; a request may have several. `write` includes io(). `call` is a service of call(), which may
 * do anything. `management` changes the schema and indexes, or creates, changes, closes or drops the graph.
 */
export type GraphAccess = "read" | "write" | "call" | "management"

/** Decides what a user may do. */
export interface Authorization {
  /** Is called before each request is evaluated. Returns the request, or another one that replaces it. Throws Forbidden. */
  readonly admit: (user: User, request: EvaluationRequest) => EvaluationRequest
  /** Is called before each traversal and graph operation of a request runs. Throws Forbidden. */
  readonly access: (user: User, graph: string, access: GraphAccess) => void
  /**
   * Whether the user may list and cancel the requests of all users, and manage graphs. Absent: each user may only list and cancel their
   * own requests, and nobody manages graphs.
   */
  readonly operates?: (user: User) => boolean
}

/** The authorization; null when everything is allowed. */
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
