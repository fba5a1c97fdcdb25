import * as Context from "effect/Context"
import type { ScriptVariables } from "../gremlin/Scope.ts"
import type { GraphStore } from "../structure/graph/GraphStore.ts"
import type { User } from "./Authenticator.ts"
import type { FiberStatus, PoolTask } from "./RequestPool.ts"
import type { Loss } from "./TransactionRecords.ts"
import type { Transactions } from "./Transactions.ts"

/** A session: the state that requests of a client keep for later requests. */
export interface Session {
  readonly id: string
  /** Bindings and assignments of earlier requests. */
  readonly variables: ScriptVariables
  readonly transactions: Transactions
  /** The client begins the transaction of a graph. Requests do not commit it automatically until it ends. */
  readonly beginTransaction: (store: GraphStore) => void
  /**
   * The current request has failed. A transaction that it began no longer counts as begun. `loss`: what it has lost of the transaction;
   * undefined if it has committed.
   */
  readonly requestFailed: (loss: Loss | undefined) => void
  /** The current request has its outcome, and is answered next. */
  readonly requestEnds: () => void
  /**
   * Returns the reason why the transaction was rolled back before the current request began, while its client did not know. The request
   * fails with it. `answer` gives what the request gets.
   */
  readonly takeFailure: (answer: () => LossAnswer) => Error | undefined
  /** A commit of changes begins next, whether the client or the end of its request asks for it. */
  readonly commitBegins: () => void
  /** The client commits or rolls back the transaction of a graph. With `closeSessionPostGraphOp`, the session ends with this request. */
  readonly afterGraphOperation: () => void
}

/**
 * What a request gets whose transaction is lost. `succeed`: it rolls back. `refuse once`: the client can begin again with the same
 * name. `refuse`: the client sends it as a part of the transaction, so it must not succeed when it is repeated.
 */
export type LossAnswer = "succeed" | "refuse once" | "refuse"

/** The connection that opened a session, compared by identity. */
export type SessionOwner = object

/** Keeps the sessions, and runs the requests of each in order. Each session has its own fiber. */
export class Sessions extends Context.Tag("engine-server/Sessions")<
  Sessions,
  {
    /**
     * The session of this name; opens one if there is none. Throws SessionNotBound if another connection or user opened it, and
     * TooManySessions. After the server has ended a session of this name, throws the reason once, such as SessionEnded. After a session of
     * this name ended with a transaction, throws TransactionLost as `answer` says.
     */
    readonly open: (id: string, owner: SessionOwner, user: User, answer: LossAnswer) => Session
    /** The open session of this name. Throws SessionNotBound. */
    readonly find: (id: string, owner: SessionOwner, user: User) => Session | undefined
    /** Returns false if too many requests of the session wait. The caller then refuses the request. */
    readonly submit: (session: Session, task: PoolTask) => boolean
    /** The client closes its session: waiting requests are refused, the running one is cancelled, and changes are rolled back. */
    readonly end: (session: Session) => void
    /** As {@link end}, but the client does not ask for it. */
    readonly drop: (session: Session) => void
    /** The client closes a session of this name, which has ended already: its next request needs no reason. */
    readonly forget: (id: string, owner: SessionOwner, user: User) => void
    /** Ends the sessions of a closed connection. */
    readonly release: (owner: SessionOwner) => void
    /** Whether a session of this connection has uncommitted changes, or a transaction that the client began. */
    readonly inTransaction: (owner: SessionOwner) => boolean
    /** Open sessions. */
    readonly count: () => number
    /** One row for each session, the oldest first. */
    readonly dump: () => ReadonlyArray<FiberStatus>
  }
>() {}
