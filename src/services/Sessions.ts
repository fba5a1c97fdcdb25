import * as Context from "effect/Context"
import type { ScriptVariables } from "../gremlin/Scope.ts"
import type { User } from "./Authenticator.ts"
import type { FiberStatus, PoolTask } from "./RequestPool.ts"
import type { Transactions } from "./Transactions.ts"

/** A client's conversation: what its requests leave for the next one. */
export interface Session {
  readonly id: string
  /** Bindings and assignments of earlier requests. */
  readonly variables: ScriptVariables
  readonly transactions: Transactions
  /** True from the client's begin of a transaction until its commit or rollback: requests do not commit by themselves. */
  readonly explicitTransaction: boolean
  /** The client begins a transaction. */
  readonly beginTransaction: () => void
  /** The transaction that the client began has ended: by its commit or rollback, or for another reason. */
  readonly endTransaction: () => void
  /** The current request has failed: when it began a transaction, it is as if it had not. */
  readonly takeBackBegin: () => void
  /** Why the transaction was rolled back behind the client's back; the next request is answered with it. */
  readonly takeFailure: () => Error | undefined
  /** The client's commit or rollback is done; `closeSessionPostGraphOp` ends the session with it. */
  readonly afterGraphOperation: () => void
}

/** The connection that opened a session: by identity. */
export type SessionOwner = object

/** Keeps sessions, and runs their requests in order, each session on a fiber of its own. */
export class Sessions extends Context.Tag("engine-server/Sessions")<
  Sessions,
  {
    /**
     * The session of this name, opened when there is none. Throws SessionNotBound when another connection or user opened
     * it, TooManySessions, and once SessionEnded for a session that timed out.
     */
    readonly open: (id: string, owner: SessionOwner, user: User) => Session
    readonly find: (id: string, owner: SessionOwner, user: User) => Session | undefined
    /** False when the session has too many requests waiting: the caller answers with the refusal. */
    readonly submit: (session: Session, task: PoolTask) => boolean
    /** Ends a session: what waits in it is refused, what runs is cancelled, what is not committed is rolled back. */
    readonly end: (session: Session) => void
    /** Ends the sessions of a connection that is gone. */
    readonly release: (owner: SessionOwner) => void
    readonly count: () => number
    /** One row a session, by age. */
    readonly dump: () => ReadonlyArray<FiberStatus>
  }
>() {}
