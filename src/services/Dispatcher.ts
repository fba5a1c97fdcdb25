import * as Context from "effect/Context"
import type { RequestMessage } from "../protocol/Messages.ts"
import type { Linked, LinkedList } from "../structure/containers/LinkedList.ts"
import type { User } from "./Authenticator.ts"
import type { Evaluation, ResponseSink } from "./Evaluator.ts"
import type { Transport } from "./Metrics.ts"

/** The connection that requests come from: a WebSocket or an HTTP connection. It owns its sessions by identity. */
export interface Client extends Linked<Client> {
  readonly transport: Transport
  readonly remoteAddress: string
  /** Requests of the client that are being evaluated or wait. */
  readonly active: LinkedList<Evaluation>
  /** Messages that close a session, and wait for the requests before them. The dispatcher counts them. */
  closing: number
}

/** A sink that knows the status of its answer, for the metrics. */
export interface AnsweringSink extends ResponseSink {
  /** The status of the final answer; 0 before it, and when the client closed the connection first. */
  readonly status: number
}

/** A request that took long, after its answer. */
export interface SlowRequest {
  readonly requestId: string
  /** Empty without authentication. */
  readonly user: string
  /** Milliseconds since 1970. */
  readonly endedAt: number
  /** From its arrival to its answer, ms. */
  readonly elapsed: number
  /** The status of its answer; 0 when the client closed the connection first. */
  readonly status: number
  readonly rows: number
  /** At most 500 characters of its text. */
  readonly request: string
}

/**
 * Serves the requests of both transports: decides what a message asks for, and hands it to the request pool or to its
 * session. The sink gets exactly one final answer in all cases.
 */
export class Dispatcher extends Context.Tag("engine-server/Dispatcher")<
  Dispatcher,
  {
    readonly dispatch: (message: RequestMessage, user: User, client: Client, sink: AnsweringSink) => void
    /** Answers a message that is not evaluated with an error. `op`: the operation, as far as it is known. */
    readonly refuse: (error: unknown, op: string, client: Client, sink: AnsweringSink) => void
    /** The client closed its connection: its requests end without an answer, and its sessions roll back. */
    readonly release: (client: Client) => void
    /** Whether the client has uncommitted changes in a session, or has begun a transaction in one. */
    readonly inTransaction: (client: Client) => boolean
    /** Refuses new requests from now on. `onIdle` is called once, when all accepted requests are answered. */
    readonly stop: (onIdle: () => void) => void
    /** Whether `stop` was called. */
    readonly stopping: () => boolean
    /** Requests that are not yet answered. */
    readonly active: () => number
    /** The running and waiting requests of all clients. */
    readonly running: () => Iterable<Evaluation>
    /** The slow requests of the last ten minutes: at most a hundred, the oldest first. */
    readonly slow: () => ReadonlyArray<SlowRequest>
  }
>() {}
