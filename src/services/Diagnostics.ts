import * as Context from "effect/Context"

/** The state of a running server, for the commands `status` and `dump` of the launcher. */
export interface DiagnosticsShape {
  /** A few lines for people: address, uptime, pool, sessions, memory. */
  readonly status: () => string
  /**
   * Every lane of the request pool and every session, with name, state, request, elapsed time and current step. It
   * corresponds to a thread dump of a JVM.
   */
  readonly dump: (format: "text" | "json") => string
}

/** See {@link DiagnosticsShape}. */
export class Diagnostics extends Context.Tag("engine-server/Diagnostics")<Diagnostics, DiagnosticsShape>() {}
