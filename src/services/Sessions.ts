import * as Context from "effect/Context"
import type { ScriptVariables } from "../gremlin/Scope.ts"
import type { User } from "./Authenticator.ts"
import type { FiberStatus, PoolTask } from "./RequestPool.ts"
import type { Transactions } from "./Transactions.ts"

/** A session: the state that requests of a client leave for later ones. */
export interface Session {
  readonly id: string
  /** Bindings and assignments of earlier requests. */
  readonly variables: ScriptVariables
  readonly transactions: Transactions
  /** True from the client's begin of a transaction until its commit or rollback. Requests do not commit by themselves then. */
  readonly explicitTransaction: boolean
  /** The client begins a transaction. */
  readonly beginTransaction: () => void
  /** The transaction that the client began has ended, by its commit or rollback or for another reason. */
  readonly endTransaction: () => void
  /** The current request has failed: a transaction that it began counts as not begun. */
  readonly takeBackBegin: () => void
  /** Why the transaction was rolled back without a request; the next request is answered with it. Undefined for none. */
  readonly takeFailure: () => Error | undefined
  /** The client commits or rolls back: with `closeSessionPostGraphOp` the session ends with this request. */
  readonly afterGraphOperation: () => void
}

/** The connection that opened a session, compared by identity. */
export type SessionOwner = object

/** Keeps the sessions, and runs the requests of each in order. Each session has its own fiber. */
export class Sessions extends Context.Tag("engine-server/Sessions")<
  Sessions,
  {
    /**
     * The session of this name; opens one when there is none. Throws SessionNotBound when another connection or user opened
     * it, TooManySessions, and once the reason for which the server ended a session of this name, such as SessionEnded.
     */
    readonly open: (id: string, owner: SessionOwner, user: User) => Session
    /** The open session of this name. Throws SessionNotBound. */
    readonly find: (id: string, owner: SessionOwner, user: User) => Session | undefined
    /** False when too many requests of the session wait: the caller answers with the refusal. */
    readonly submit: (session: Session, task: PoolTask) => boolean
    /** Ends a session: waiting requests are refused, the running one is cancelled, and uncommitted changes are rolled back. */
    readonly end: (session: Session) => void
    /** Ends the sessions of a closed connection. */
    readonly release: (owner: SessionOwner) => void
    /** Open sessions. */
    readonly count: () => number
    /** One row for each session, the oldest first. */
    readonly dump: () => ReadonlyArray<FiberStatus>
  }
>() {}
