import * as Context from "effect/Context"

/** What a running server can tell about itself, for the launcher's `status` and `dump`. */
export interface DiagnosticsShape {
  /** A few lines for people: address, uptime, pool, sessions, memory. */
  readonly status: () => string
  /**
   * Every lane of the request pool and every session with its name, state, request, elapsed time and current step: what a
   * thread dump is to a JVM.
   */
  readonly dump: (format: "text" | "json") => string
}

/** See {@link DiagnosticsShape}. */
export class Diagnostics extends Context.Tag("engine-server/Diagnostics")<Diagnostics, DiagnosticsShape>() {}
