import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** The operation of a request, in metrics and logs. */
export type OperationName = "eval" | "bytecode" | "close" | "authentication" | "other"

/** The protocol of a connection. */
export type Transport = "websocket" | "http"

/** Why a request or a connection was refused. */
export type Refusal = "blocked" | "pool" | "session" | "origin" | "connections" | "stopping" | "arriving"

/** A value of a metric. */
export interface MetricSample {
  readonly value: number
  readonly labels: Readonly<Record<string, string | number>>
  /** Differs from the name of the metric for the parts of a histogram. */
  readonly metricName?: string
}

/**
 * How the values of several workers become one: their sum, or the largest, for what all workers have together, such as the size
 * of the pool.
 */
export type AcrossWorkers = "sum" | "max"

/** A metric with its values. */
export interface MetricFamily {
  readonly name: string
  readonly help: string
  readonly type: "counter" | "gauge" | "histogram"
  readonly across: AcrossWorkers
  readonly values: ReadonlyArray<MetricSample>
}

/** What a server or a worker did in an interval. */
export interface ActivityInterval {
  /** When it ended, ms since 1970: the same in all workers. */
  readonly at: number
  /** Answered requests, and their seconds from arrival to answer. Operations without a request are absent. */
  readonly operations: Readonly<Partial<Record<OperationName, { readonly count: number; readonly seconds: number }>>>
  /** Values at its end, by the name of their metric. */
  readonly gauges: Readonly<Record<string, number>>
}

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
    /** Registers a number that is read with the metrics. `across`: default sum. */
    readonly gauge: (name: string, help: string, read: () => number, across?: AcrossWorkers) => void
    /** Registers a number for each of several things, such as graphs, which its labels name. The server's is the largest. */
    readonly gaugeBy: (name: string, help: string, read: () => ReadonlyArray<MetricSample>) => void
    /** The last ten minutes of this process, in intervals, the oldest first. */
    readonly recent: () => ReadonlyArray<ActivityInterval>
    /** Prometheus text, format 0.0.4; in a worker that of the whole server. */
    readonly render: Effect.Effect<string>
  }
>() {}
