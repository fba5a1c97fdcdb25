import type { AddressInfo } from "node:net"
import type { Figures } from "../../services/Diagnostics.ts"
import type { LogLevelName } from "../../services/LogControl.ts"
import type { MetricFamily } from "../../services/Metrics.ts"
import type { GraphDrop, PeerAnswer, PeerQuestions } from "../../services/Peers.ts"
import type { Note } from "../config/Report.ts"
import type { ReportedSettings } from "./HeldSettings.ts"

/** What a worker reports when it can take connections. */
export interface WorkerReady extends ReportedSettings {
  /** The setting `workers` of its configuration. */
  readonly workers: number | "auto"
  /** The notes about its configuration. A worker of an earlier version reports none. */
  readonly notes?: ReadonlyArray<Note>
  /** The text of its settings, if it has read the configuration. A worker of an earlier version reports none. */
  readonly settings?: string | undefined
}

// After a reload to another program, the primary process and its workers have different versions of these messages until a restart: members
// stay, and new ones may be missing.

/** The messages between the primary process and its workers that need no answer, with what they contain. */
export interface Notices {
  /** Worker to primary: it can take connections. */
  readonly ready: WorkerReady
  /** Worker to primary: it ends. It takes no more connections. */
  readonly leaving: null
  /** Worker to primary: connections that it took have closed; their number. */
  readonly closed: number
  /** Primary to worker: the primary listens at this address. */
  readonly listening: AddressInfo
  /** Primary to worker: a connection, which is attached to the message. */
  readonly connection: null
  /** Primary to worker: a connection of the control socket, which is attached, with the line that it sent. */
  readonly control: string
  /** Worker to primary: its counters. They are kept when the worker ends. */
  readonly counted: ReadonlyArray<MetricFamily>
  /** Primary to worker: end, as after SIGTERM. */
  readonly stop: null
  /** Primary to worker: another process takes its place. It takes no connections, serves those that it has, and ends. */
  readonly retire: null
}

/** A question to the other workers. */
export interface ForPeers {
  readonly name: keyof PeerQuestions
  readonly body: unknown
  /** Time that each worker has for its answer, ms. */
  readonly answerMs: number
}

/** The messages between the primary process and its workers that are answered: what is asked, and the answer. */
export interface Questions {
  /** Worker to primary: its start failed. The text is for the operator. */
  readonly failed: readonly [string, null]
  /** Primary to worker: whether its event loop runs. The answer also says whether it has opened a debugger. */
  readonly alive: readonly [null, "debugger" | null]
  /** Primary to worker: its status. */
  readonly status: readonly [null, Figures]
  /** Primary to worker: what it evaluates. */
  readonly dump: readonly ["text" | "json", string]
  /** Worker to primary: asks all other workers that serve. */
  readonly others: readonly [ForPeers, ReadonlyArray<PeerAnswer<unknown>>]
  /** Primary to worker: another worker, or the primary process itself, asks. */
  readonly peer: readonly [Omit<ForPeers, "answerMs">, unknown]
  /** Worker to primary: the dynamic graphs that other workers are dropping. */
  readonly graphDrops: readonly [null, ReadonlyArray<GraphDrop>]
  /** Worker to primary: the metrics of the whole server. */
  readonly metrics: readonly [null, ReadonlyArray<MetricFamily>]
  /** Worker to primary: changes the level of the log in all other processes; null: to the configured one. */
  readonly logLevel: readonly [LogLevelName | null, ReadonlyArray<PeerAnswer<unknown>>]
  /** Worker to primary: it ends, and its requests are answered. After the answer it gets no more connections. */
  readonly drained: readonly [null, null]
  /** Worker to primary: whether it is the last one of a server that ends. The answer waits for the end of the others. */
  readonly last: readonly [null, boolean]
}
