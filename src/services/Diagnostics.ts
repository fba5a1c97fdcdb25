import * as Context from "effect/Context"

/** The state of a server, or of one of its workers, as numbers. */
export interface Figures {
  readonly uptimeMs: number
  readonly pool: {
    readonly running: number
    readonly size: number
    readonly lanes: number
    readonly queued: number
    readonly refused: number
  }
  readonly sessions: number
  readonly connections: number
  readonly residentBytes: number
  readonly heapBytes: number
  /** Why graphs refuse requests, one reason for each such graph. */
  readonly faults: ReadonlyArray<string>
}

/** The state of a running server, for the commands `status` and `dump` of the launcher. */
export interface DiagnosticsShape {
  /** A few lines for people: address, uptime, pool, sessions, memory. */
  readonly status: () => string
  /** The state as numbers. */
  readonly figures: () => Figures
  /**
   * Every lane of the request pool and every session, with name, state, request, elapsed time and current step. It
   * corresponds to a thread dump of a JVM.
   */
  readonly dump: (format: "text" | "json") => string
}

/** See {@link DiagnosticsShape}. */
export class Diagnostics extends Context.Tag("engine-server/Diagnostics")<Diagnostics, DiagnosticsShape>() {}
