import type { AddressInfo, Socket } from "node:net"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RequestBlocked } from "./Errors.ts"
import type { EvaluationRequest } from "./Evaluator.ts"
import type { Peers } from "./Peers.ts"

/** One of several worker processes of a server. */
export interface WorkerProcessShape {
  /** The number of this worker, from 1. A worker that replaces another one may have its number. */
  readonly number: number
  /** True in the first worker of a start. Scripts that fill graphs, and start hooks, run only there. */
  readonly isFirst: boolean
  /** When the server started, which is before a worker that replaces another one. */
  readonly startedAt: Date
  /** The address that the primary process listens on. Before the primary listens, it is the configured one. */
  readonly address: AddressInfo
  /** Calls `take` with each connection that the primary process accepts for this worker. */
  readonly onConnection: (take: (socket: Socket) => void) => void
  /** A connection that this worker took is closed. The primary process balances connections by their number. */
  readonly connectionClosed: () => void
  /**
   * Called by a worker that ends when all requests are answered. Resolves when the primary process gives it no more connections; those
   * that it had sent have arrived. Never rejects.
   */
  readonly drained: () => Promise<void>
  /**
   * Asked by a worker that ends. Resolves to true for the last worker of a server that ends, when all others have ended, and to
   * false for any other.
   */
  readonly isLast: () => Promise<boolean>
  /** Why a request is refused because workers died while they evaluated it; undefined for any other request. */
  readonly refusal: (request: EvaluationRequest) => RequestBlocked | undefined
  /** The other workers of the server. */
  readonly peers: Peers
}

/** This process as one of several workers. Absent when the server is one process. */
export class WorkerProcess extends Context.Tag("engine-server/WorkerProcess")<WorkerProcess, WorkerProcessShape>() {}

/**
 * True in a server of one process, and in the first worker of a start. What is done once for a server, such as filling graphs
 * and notes about the configuration, is done there.
 */
export const isFirstProcess: Effect.Effect<boolean> = Effect.map(
  Effect.serviceOption(WorkerProcess),
  Option.match({ onNone: () => true, onSome: ({ isFirst }) => isFirst })
)
