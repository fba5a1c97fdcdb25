import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** What a request asked for, as metrics and logs name it. */
export type OperationName = "eval" | "bytecode" | "close" | "authentication" | "other"

export type Transport = "websocket" | "http"

/** Why a request or a connection was turned away. */
export type Refusal = "pool" | "session" | "origin" | "connections" | "stopping" | "arriving"

/** Counts what happens. Updates are plain increments: they are made for every request. */
export class Metrics extends Context.Tag("engine-server/Metrics")<
  Metrics,
  {
    /** A request got its final answer `seconds` after it came, with this status (of its own transport). */
    readonly answered: (transport: Transport, op: OperationName, status: number, seconds: number) => void
    readonly refused: (reason: Refusal) => void
    readonly connected: (transport: Transport, change: 1 | -1) => void
    /** A client said in its handshake, or with the first request of an HTTP connection, what it is. */
    readonly userAgent: (name: string) => void
    /** A number that is looked up when metrics are read. */
    readonly gauge: (name: string, help: string, read: () => number) => void
    /** The same for several things of one kind: `label` names the kind, and each number comes with the name of its thing. */
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
