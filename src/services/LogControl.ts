import * as Context from "effect/Context"
import type { LoggingSettings } from "./Settings.ts"

/** The least severe level that is logged. */
export type LogLevelName = LoggingSettings["level"]

/**
 * The level of the log while the server runs. Only the server program has it: a program that uses the library logs with its
 * own loggers.
 */
export class LogControl extends Context.Tag("engine-server/LogControl")<
  LogControl,
  {
    /** The setting `logging.level`. */
    readonly configured: LogLevelName
    readonly current: () => LogLevelName
    /** Applies to all lines after it, until the next change or the end of the server. */
    readonly change: (level: LogLevelName) => void
  }
>() {}
