import type * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type { Authenticator, User } from "../../../services/Authenticator.ts"
import type { Authorization } from "../../../services/Authorizer.ts"
import type { Dispatcher } from "../../../services/Dispatcher.ts"
import type { GraphRegistry } from "../../../services/GraphRegistry.ts"
import type { Health } from "../../../services/Health.ts"
import type { LogControl } from "../../../services/LogControl.ts"
import type { MemoryBudget } from "../../../services/MemoryBudget.ts"
import type { Metrics } from "../../../services/Metrics.ts"
import type { Peers } from "../../../services/Peers.ts"
import type { RunQueue } from "../../../services/RunQueue.ts"
import type { ServerSettings } from "../../../services/Settings.ts"
import type { SharedState } from "../../../services/SharedState.ts"
import type { SharedNames } from "../../../services/TakenNames.ts"
import type { ArrivingBytes } from "./ArrivingBytes.ts"
import type { ConnectionPermits } from "./ConnectionPermits.ts"
import type { Connections } from "./Connections.ts"
import type { Formats } from "./Formats.ts"
import type { ReadingShare } from "./ReadingShare.ts"

/** The services, settings and shared state of a channelizer. */
export interface TransportContext {
  readonly settings: ServerSettings
  readonly formats: Formats
  readonly authenticator: typeof Authenticator.Service
  readonly authorization: Authorization | null
  readonly dispatcher: typeof Dispatcher.Service
  readonly health: typeof Health.Service
  readonly registry: typeof GraphRegistry.Service
  /** Files that `/loader` loads or has loaded, by the id of the load. */
  readonly loads: Map<string, Load>
  /** The files that other workers import; undefined in a server of one process. */
  readonly imports: SharedNames | undefined
  /** The level of the log; undefined if the program that contains the server has its own log. */
  readonly log: typeof LogControl.Service | undefined
  /** The other workers of the server; undefined in a server of one process. */
  readonly peers: Peers | undefined
  /** The number of this worker; undefined in a server of one process. */
  readonly worker: number | undefined
  /** When the server began to listen. */
  readonly startedAt: Date
  readonly metrics: typeof Metrics.Service
  readonly connections: Connections
  readonly permits: ConnectionPermits
  readonly arriving: ArrivingBytes
  /** What the workers of the server count of their answers in files; undefined in a server of one process. */
  readonly answers: Pick<typeof SharedState.Service, "answers" | "workers"> | undefined
  readonly reading: ReadingShare
  readonly memory: typeof MemoryBudget.Service
  readonly runQueue: typeof RunQueue.Service
  /** Logs an internal error. `what` names the work that failed. */
  readonly failed: (what: string, error: unknown) => void
  /** Runs the rare part of a request that is an Effect. When the effect dies, the log has the defect with `what`. */
  readonly runFork: <A, E>(what: string, effect: Effect.Effect<A, E>, onExit: (exit: Exit.Exit<A, E>) => void) => void
}

/** A load of a file by `/loader`. */
export interface Load {
  readonly uri: string
  readonly user: User
  readonly startedAt: Date
  readonly controller: AbortController
  /** Ends with the load, and never rejects; undefined before it begins. */
  work: Promise<void> | undefined
  status: "LOAD_IN_PROGRESS" | "LOAD_COMPLETED" | "LOAD_FAILED" | "LOAD_CANCELLED_BY_USER"
  /** The progress, the summary at the end, or why the load failed. */
  message: string
  /** Undefined while it runs. */
  endedAt: Date | undefined
}
