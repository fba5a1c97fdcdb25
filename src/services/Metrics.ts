import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** The operation of a request, in metrics and logs. */
export type OperationName = "eval" | "bytecode" | "close" | "authentication" | "other"

/** The protocol of a connection. */
export type Transport = "websocket" | "http"

/** Why a request or a connection was refused. */
export type Refusal = "pool" | "session" | "origin" | "connections" | "stopping" | "arriving"

/** The metrics of the server. Updates are plain increments, because they are made for every request. */
export class Metrics extends Context.Tag("engine-server/Metrics")<
  Metrics,
  {
    /** A request was answered `seconds` after its arrival. `status` is a code of its transport. */
    readonly answered: (transport: Transport, op: OperationName, status: number, seconds: number) => void
    readonly refused: (reason: Refusal) => void
    /** A connection was opened (1) or closed (-1). */
    readonly connected: (transport: Transport, change: 1 | -1) => void
    /** The User-Agent of a WebSocket handshake, or of the first request of an HTTP connection; empty without one. */
    readonly userAgent: (name: string) => void
    /** Registers a number that is read with the metrics. */
    readonly gauge: (name: string, help: string, read: () => number) => void
    /** Registers a number for each of several things, such as graphs. `label` names their kind. */
    readonly gaugeBy: (
      label: string,
      name: string,
      help: string,
      read: () => ReadonlyArray<readonly [thing: string, value: number]>
    ) => void
    /** Prometheus text, format 0.0.4. */
    readonly render: Effect.Effect<string>
  }
>() {}
