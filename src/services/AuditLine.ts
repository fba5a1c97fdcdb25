import * as Effect from "effect/Effect"
import * as LogLevel from "effect/LogLevel"
import type { ServerSettings } from "./Settings.ts"

/** A level that keeps its name, and that no log omits. */
const atEveryLevel = (level: LogLevel.LogLevel): LogLevel.LogLevel =>
  ({ ...level, ordinal: Number.POSITIVE_INFINITY }) as LogLevel.LogLevel

/** Whether a level is that of a line of the audit. */
export const isAuditLevel = ({ ordinal }: LogLevel.LogLevel): boolean => ordinal === Number.POSITIVE_INFINITY

/**
 * Writes a line of the audit. The log has it whatever `logging.level` is, also with `off`: a level that a user or a configuration
 * changes must not end the audit. `level` is the one that the line names.
 */
export const auditLine = (
  what: string,
  notes: Readonly<Record<string, unknown>>,
  level: LogLevel.LogLevel = LogLevel.Info
): Effect.Effect<void> => Effect.annotateLogs(Effect.logWithLevel(atEveryLevel(level), what), notes)

/** Writes a line of the log that is one of the audit, too, if `enableAuditLog` is on. */
export const loggedAndAudited = (
  { enableAuditLog }: Pick<ServerSettings, "enableAuditLog">,
  what: string,
  notes: Readonly<Record<string, unknown>>,
  level: LogLevel.LogLevel = LogLevel.Info
): Effect.Effect<void> =>
  enableAuditLog ? auditLine(what, notes, level) : Effect.annotateLogs(Effect.logWithLevel(level, what), notes)
