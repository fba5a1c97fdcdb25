import { fstatSync } from "node:fs"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { isAuditLevel } from "../../services/AuditLine.ts"
import type { LoggingSettings } from "../../services/Config.ts"
import { LogControl } from "../../services/LogControl.ts"
import { FileLines } from "./FileLines.ts"
import { LogFile } from "./LogFile.ts"
import { LogStream } from "./LogStream.ts"

const STDOUT = 1

/** The log file cannot be opened for appending. */
class LogFileUnusable extends Data.TaggedError("LogFileUnusable")<{
  readonly file: string
  readonly cause: unknown
}> {
  override get message(): string {
    return `The log file ${this.file} cannot be opened: ${this.cause instanceof Error ? this.cause.message : this.cause}`
  }
}

const levels: Readonly<Record<LoggingSettings["level"], LogLevel.LogLevel>> = {
  trace: LogLevel.Trace,
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warn: LogLevel.Warning,
  error: LogLevel.Error,
  off: LogLevel.None
}

const plain = (value: unknown): string => {
  if (typeof value === "string") return value
  if (value instanceof Error) return value.message
  return (
    JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner)) ?? String(value)
  )
}

/**
 * Control and bidirectional characters. In the text of a client they could move the cursor, start a new log line, or
 * reorder letters.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches them on purpose
const HIDDEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

const visible = (text: string): string =>
  text.replace(/\r?\n/g, "\n  ").replace(HIDDEN, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)

const quoted = (value: unknown): string => {
  const text = plain(value)
  return /^[^\s"=]+$/.test(text) ? visible(text) : visible(JSON.stringify(text))
}

/** `2026-01-31T09:00:00.000Z INFO  message key=value`. */
const textLine = Logger.make<unknown, string>(({ annotations, cause, date, logLevel, message }) => {
  const parts = [date.toISOString(), logLevel.label.padEnd(5)]
  parts.push(visible([message].flat().map(plain).join(" ")))
  for (const [key, value] of HashMap.entries(annotations)) parts.push(`${key}=${quoted(value)}`)
  if (!Cause.isEmpty(cause)) parts.push(visible(`\n${Cause.pretty(cause, { renderErrorCause: true })}`))
  return parts.join(" ")
})

/** One object a line: time, level, message, the annotations, and error. */
const jsonLine = Logger.make<unknown, string>(({ annotations, cause, date, logLevel, message }) =>
  plain({
    time: date.toISOString(),
    level: logLevel.label,
    message: [message].flat().map(plain).join(" "),
    ...Object.fromEntries(HashMap.entries(annotations)),
    ...(Cause.isEmpty(cause) ? {} : { error: Cause.pretty(cause, { renderErrorCause: true }) })
  })
)

/** The line for lines that are missing, in the format of the log. `reason`: why they are, as the end of the sentence. */
const missingLines =
  (format: LoggingSettings["format"], reason: string) =>
  (missing: number): string => {
    const message = `Here ${missing} lines are missing, ${reason}`
    const time = new Date().toISOString()
    return format === "json" ? plain({ time, level: "WARN", message }) : `${time} WARN  ${message}`
  }

const notWritten = (format: LoggingSettings["format"]) => missingLines(format, "which could not be written")

const openFile = (file: string, format: LoggingSettings["format"]) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const log = new LogFile(file, notWritten(format))
        const reopen = () => log.reopen()
        process.on("SIGHUP", reopen)
        return {
          write: (line: string) => log.write(line),
          close: () => {
            process.off("SIGHUP", reopen)
            log.close()
          }
        }
      },
      catch: (cause) => new LogFileUnusable({ file, cause })
    }),
    (file) => Effect.sync(file.close)
  )

/** Ignores SIGHUP when the log is standard output and no terminal: service managers send it as "reload". */
const ignoreHangup = Effect.acquireRelease(
  Effect.sync(() => {
    const ignore = () => {}
    if (!process.stdout.isTTY) process.on("SIGHUP", ignore)
    return ignore
  }),
  (ignore) => Effect.sync(() => process.off("SIGHUP", ignore))
)

/** Whether standard output is a file: neither a terminal nor a pipe or socket, which another process reads. */
const isFile = (): boolean => {
  try {
    const stats = fstatSync(STDOUT)
    return !process.stdout.isTTY && (stats.isFile() || stats.isCharacterDevice())
  } catch {
    return false
  }
}

/** Node writes to a file synchronously, too, but does not say which lines a full disk has no room for. */
const fileLog = (format: LoggingSettings["format"]) => {
  const lines = new FileLines(notWritten(format))
  return { write: (line: string) => void lines.write(STDOUT, line), close: () => undefined }
}

const streamLog = (format: LoggingSettings["format"]) => {
  // A reader that closes the pipe (`| head`) must not end the server.
  if (process.stdout.listenerCount("error") === 0) process.stdout.on("error", () => {})
  const log = new LogStream(process.stdout, missingLines(format, "because standard output was not read"))
  return { write: (line: string, isAudit: boolean) => log.write(line, isAudit), close: () => log.close() }
}

const toStdout = (format: LoggingSettings["format"]) =>
  Effect.zipRight(
    ignoreHangup,
    Effect.acquireRelease(
      Effect.sync(() => (isFile() ? fileLog(format) : streamLog(format))),
      (log) => Effect.sync(log.close)
    )
  )

/**
 * Replaces Effect's default logger. A log file is opened again on SIGHUP, so that log rotation can move it. The logger itself
 * omits lines below the level, because fibers keep the minimum level with which they began.
 */
export const layer = (settings: LoggingSettings): Layer.Layer<LogControl, LogFileUnusable> =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const { write } = yield* settings.file === undefined
        ? toStdout(settings.format)
        : openFile(settings.file, settings.format)
      const format = settings.format === "json" ? jsonLine : textLine
      let current = settings.level
      const isLogged = (level: LogLevel.LogLevel): boolean => LogLevel.greaterThanEqual(level, levels[current])
      const logger = Logger.make<unknown, void>((line) => {
        if (isLogged(line.logLevel)) write(format.log(line), isAuditLevel(line.logLevel))
      })
      const control = Layer.succeed(LogControl, {
        configured: settings.level,
        current: () => current,
        change: (level) => {
          current = level
        }
      })
      return Layer.mergeAll(Logger.replace(Logger.defaultLogger, logger), Logger.minimumLogLevel(LogLevel.All), control)
    })
  )
