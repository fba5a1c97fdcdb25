import { resolve } from "node:path"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { LogControl } from "../../services/LogControl.ts"
import type { LoadedConfig } from "../config/ConfigFile.ts"
import { version } from "../config/OwnPackage.ts"
import { countedWorkers } from "../config/WorkerCount.ts"
import * as Logging from "../observability/Logging.ts"
import type { Values } from "./CommandOptions.ts"
import * as Crashes from "./Crashes.ts"
import { load } from "./LoadConfiguration.ts"
import * as PidFile from "./PidFile.ts"
import * as Signals from "./Signals.ts"
import { printError } from "./StandardOutput.ts"
import type { Announcement, StartFailure, Surroundings } from "./Surroundings.ts"
import { ORPHAN, type WorkerRole, workerRole } from "./WorkerRole.ts"
import { settingsOfPrimary } from "./WorkerSettings.ts"

/** Logs the JVM options that the launcher could not translate, and its other notes. Secrets in options are masked. */
const logLauncherNotes = (environment: Surroundings["environment"]) => {
  // Options may contain secrets: -Djavax.net.ssl.keyStorePassword=...
  const untranslated = (environment.SERVICE_UNTRANSLATED_OPTIONS ?? "").replace(
    /([^\s,=]*(?:password|secret|token)[^\s,=]*=)[^,]*/gi,
    "$1****"
  )
  const options = untranslated === "" ? [] : [`JVM options without effect on Node.js: ${untranslated}`]
  const notes = (environment.SERVICE_LAUNCHER_NOTES ?? "").split("\n").filter((note) => note !== "")
  return Effect.forEach([...options, ...notes], (note) => Effect.logInfo(note), { discard: true })
}

/**
 * Reports the configuration in use. If the launcher replaced an unreadable file by the default configuration, a warning says
 * so. It is the last line of the start in the log, is also printed to standard error if the log is standard output, and `status`
 * shows it. Its log level is error, because the server may serve other data than intended.
 */
const announcementOf = ({ file, notes, settings }: LoadedConfig, { environment }: Surroundings): Announcement => {
  const fallback = environment.SERVICE_CONFIGURATION_FALLBACK ?? ""
  if (fallback === "") return { status: `configuration: ${file}\n`, ready: Effect.void, notes }
  const inForeground = settings.logging.file === undefined
  return {
    notes,
    status: `configuration: ${file}\nWARNING: ${fallback}\n`,
    ready: Effect.zipRight(Effect.logError(fallback), inForeground ? printError(`WARNING: ${fallback}`) : Effect.void)
  }
}

/** The server did not start. {@link logEnd} has said why. */
class StartFailed extends Data.TaggedError("StartFailed")<{ readonly failure: StartFailure }> {
  override get message(): string {
    return this.failure.message
  }
}

/** A worker without its primary process does not start: no other process would end it. */
class PrimaryEnded extends Data.TaggedError("PrimaryEnded") {
  override get message(): string {
    return "This worker process does not start, because its primary process has ended."
  }
}

const UNEXPECTED_END = "The server ends because of an unexpected error. This is a defect of the server"

/**
 * Logs why the server did not start or why it ended: the message of an expected failure, or the stack of any other error. If the
 * level of the log hides errors, it is printed to standard error: nothing else would say it.
 */
const logEnd = (cause: Cause.Cause<StartFailure>) =>
  Effect.gen(function* () {
    if (Cause.isInterruptedOnly(cause)) return
    const failure = Cause.failureOption(cause)
    const level = Option.map(yield* Effect.serviceOption(LogControl), (log) => log.current())
    if (Option.contains(level, "off")) {
      yield* printError(Option.isSome(failure) ? failure.value.message : `${UNEXPECTED_END}: ${Cause.pretty(cause)}`)
    }
    yield* Option.isSome(failure) ? Effect.logError(failure.value.message) : Effect.logError(UNEXPECTED_END, cause)
  })

/**
 * Runs a worker. The primary process has the PID file, logs the notes about the configuration, and reports a start that
 * fails. After a reload the configuration may have other notes: the worker reports them.
 */
const serveAsWorker = (
  { notes, settings }: Pick<LoadedConfig, "notes" | "settings">,
  role: WorkerRole,
  surroundings: Surroundings
) =>
  Effect.gen(function* () {
    const start = yield* Effect.promise(() => surroundings.serve(role))
    yield* Crashes.logged
    yield* Signals.cutOnSecond(settings.shutdownTimeout)
    return yield* start(settings, { status: "", ready: Effect.void, notes })
  }).pipe(
    Effect.scoped,
    Effect.mapError((failure) => new StartFailed({ failure })),
    Effect.tapDefect((cause) => logEnd(cause)),
    Effect.annotateLogs({ worker: role.number }),
    Effect.provide(Logging.layer(settings.logging))
  )

/** Runs the server, or the primary process of its workers. */
const serveAlone = (loaded: LoadedConfig, pidFile: string | undefined, surroundings: Surroundings) =>
  Effect.gen(function* () {
    const { file, notes, settings } = loaded
    yield* Effect.logInfo(`engine-server ${version()} on Node.js ${process.versions.node}, configured by ${file}`)
    yield* logLauncherNotes(surroundings.environment)
    for (const { level, text } of notes) yield* level === "warn" ? Effect.logWarning(text) : Effect.logInfo(text)
    const { count, reason } = yield* countedWorkers(settings)
    if (reason !== undefined) yield* Effect.logInfo(reason)
    const start = yield* Effect.promise(() => surroundings.serve(count === 1 ? "alone" : { workers: count }))
    yield* Crashes.logged
    yield* Signals.cutOnSecond(settings.shutdownTimeout)
    if (pidFile !== undefined) yield* PidFile.hold(pidFile)
    return yield* start(settings, announcementOf(loaded, surroundings))
  }).pipe(
    Effect.scoped,
    Effect.tapErrorCause(logEnd),
    Effect.mapError((failure) => new StartFailed({ failure })),
    Effect.ensuring(Effect.logInfo("Server stopped")),
    Effect.provide(Logging.layer(loaded.settings.logging))
  )

/**
 * Runs the server, or one of its workers, until it ends. The reason for a start that fails is in the log, or on standard error if
 * `logging.level` is `off`, except for a configuration or a log file that cannot be used.
 */
export const serve = (
  file: string | undefined,
  values: Values,
  surroundings: Surroundings
): Effect.Effect<never, StartFailure> => {
  const pidFile = values["pid-file"] === undefined ? undefined : resolve(surroundings.cwd, values["pid-file"])
  return Effect.gen(function* () {
    const role = workerRole(surroundings.environment)
    if (role === ORPHAN) return yield* new PrimaryEnded()
    if (role?.asksForSettings === true && (role.settingsVersion ?? version()) === version()) {
      const settings = yield* Effect.tryPromise({ try: settingsOfPrimary, catch: () => new PrimaryEnded() })
      return yield* serveAsWorker({ settings, notes: [] }, role, surroundings)
    }
    const loaded = yield* load(file, values, surroundings)
    if (role !== undefined) return yield* serveAsWorker(loaded, role, surroundings)
    return yield* serveAlone(loaded, pidFile, surroundings)
  }).pipe(Effect.ensuring(Effect.sync(() => pidFile === undefined || PidFile.removeOwn(pidFile))))
}
