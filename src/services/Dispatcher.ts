import * as Context from "effect/Context"
import type { RequestMessage } from "../protocol/Messages.ts"
import type { User } from "./Authenticator.ts"
import type { Evaluation, ResponseSink } from "./Evaluator.ts"
import type { Transport } from "./Metrics.ts"

/** Whoever requests come from: a WebSocket, or the connection of HTTP requests. Owns its sessions by identity. */
export interface Client {
  readonly transport: Transport
  readonly remoteAddress: string
  /** What is being evaluated for it. */
  readonly active: Set<Evaluation>
}

/** A sink that knows what it answered, for the metrics. */
export interface AnsweringSink extends ResponseSink {
  /** The status of the final answer; 0 before it, and when the client was gone. */
  readonly status: number
}

/**
 * Where HTTP and WebSocket meet: decides what a message asks for and hands it to the pool or to its session. Whatever
 * happens, the sink is given exactly one final answer.
 */
export class Dispatcher extends Context.Tag("engine-server/Dispatcher")<
  Dispatcher,
  {
    readonly dispatch: (message: RequestMessage, user: User, client: Client, sink: AnsweringSink) => void
    /** Answers with an error, for a message that is not evaluated: `op` as far as it is known. */
    readonly refuse: (error: unknown, op: string, client: Client, sink: AnsweringSink) => void
    /** The client is gone: what runs for it ends without an answer, its sessions roll back. */
    readonly release: (client: Client) => void
    /** Refuses new requests from now on; `onIdle` is called once, when everything accepted has its answer. */
    readonly stop: (onIdle: () => void) => void
    readonly stopping: () => boolean
    /** Requests that have no answer yet. */
    readonly active: () => number
    /** What is being evaluated, and what waits, of every client. */
    readonly running: () => Iterable<Evaluation>
  }
>() {}
