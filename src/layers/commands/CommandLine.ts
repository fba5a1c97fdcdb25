import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { ServerSettings } from "../../services/Config.ts"
import { type LoadedConfig, loadConfig } from "../config/ConfigFile.ts"
import { refuseUnenforceable } from "../config/Enforcement.ts"
import { type Override, overrideFromArgument } from "../config/Overrides.ts"
import { installation, version } from "../config/OwnPackage.ts"
import { formatShown, showConfig } from "../config/ShowConfig.ts"
import * as Logging from "../observability/Logging.ts"
import { help, invocation, parse, type ToolName, tools, UsageError, type Values } from "./CommandOptions.ts"
import { type ControlCommand, request } from "./ControlClient.ts"
import * as Crashes from "./Crashes.ts"
import * as PidFile from "./PidFile.ts"
import * as Signals from "./Signals.ts"

/** An error that stops the start of the server. Its message is for the operator. */
export interface StartFailure {
  readonly _tag: string
  readonly message: string
}

/** The reports of a server about its start. */
export interface Announcement {
  /** The first lines that the command `status` prints. */
  readonly status: string
  /** Runs when the server accepts requests, before its control socket is created. */
  readonly ready: Effect.Effect<void>
}

/** Runs the server until its scope closes. */
export type Serve = (
  settings: ServerSettings,
  announcement: Announcement
) => Effect.Effect<never, StartFailure, Scope.Scope>

/** The environment of the program. Tests replace it. */
export interface Surroundings {
  readonly arguments: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly print: (text: string) => void
  /** Loads the server. Runs only when the server starts, so that other commands do not wait for it. */
  readonly serve: () => Promise<Serve>
  /** Asks for a password, or reads it from standard input. */
  readonly password: () => Promise<string>
}

const defaultFile = join("conf", "engine-server", "engine-server.yaml")

/** The settings of the command line. Their paths are relative to the working directory. */
const overridesOf = (values: Values, cwd: string): Effect.Effect<ReadonlyArray<Override>, UsageError> =>
  Effect.gen(function* () {
    const overrides: Array<Override> = []
    for (const text of values.set ?? []) {
      const override = overrideFromArgument(text)
      if (override === undefined) return yield* new UsageError({ reason: `--set ${text}: expected <setting>=<value>` })
      overrides.push(override)
    }
    const put = (name: keyof Values, path: ReadonlyArray<string>, value: (given: string) => string | null) => {
      const given = values[name]
      if (typeof given !== "string") return
      const origin = { kind: "argument", argument: `--${name} ${given}` } as const
      const read = value(given)
      overrides.push({ operation: read === null ? "delete" : "set", path, anyCase: false, value: read, origin })
    }
    put("host", ["host"], (given) => given)
    put("port", ["port"], (given) => given)
    put("control-socket", ["controlSocket"], (given) => resolve(cwd, given))
    put("log-file", ["logging", "file"], (given) => (given === "-" ? null : resolve(cwd, given)))
    return overrides
  })

/**
 * Adds variables with dots in their names. Some shells drop them, so bin/service-server.sh passes them in
 * SERVICE_DOTTED_ENVIRONMENT.
 */
const withDotted = (environment: Surroundings["environment"]): Surroundings["environment"] => {
  const lines = (environment.SERVICE_DOTTED_ENVIRONMENT ?? "").split("\n").filter((line) => line.includes("="))
  const dotted = lines.map((line) => {
    const equals = line.indexOf("=")
    return [line.slice(0, equals), line.slice(equals + 1).replaceAll("\u001e", "\n")] as const
  })
  return { ...Object.fromEntries(dotted), ...environment }
}

const load = (file: string | undefined, values: Values, { environment: given, cwd }: Surroundings) =>
  Effect.gen(function* () {
    const environment = withDotted(given)
    const own = join(cwd, defaultFile)
    const chosen = file === undefined ? (existsSync(own) ? own : join(installation, defaultFile)) : resolve(cwd, file)
    const library = environment.SERVICE_LIB ?? environment.JANUSGRAPH_LIB
    const configurations = environment.SERVICE_CONF ?? environment.JANUSGRAPH_CONF
    const places = {
      home: resolve(cwd, environment.SERVICE_HOME ?? environment.JANUSGRAPH_HOME ?? "."),
      cwd,
      configurations: configurations === undefined ? undefined : resolve(cwd, configurations),
      library: library === undefined ? undefined : resolve(cwd, library),
      installation
    }
    const overrides = yield* overridesOf(values, cwd)
    return yield* loadConfig({ file: chosen, places, environment, overrides })
  })

/** Logs the JVM options that the launcher could not translate. Secrets in them are masked. */
const logLauncherNotes = (environment: Surroundings["environment"]) => {
  // Options may contain secrets: -Djavax.net.ssl.keyStorePassword=...
  const untranslated = (environment.SERVICE_UNTRANSLATED_OPTIONS ?? "").replace(
    /([^\s,=]*(?:password|secret|token)[^\s,=]*=)[^,]*/gi,
    "$1****"
  )
  return untranslated === "" ? Effect.void : Effect.logInfo(`JVM options without effect on Node.js: ${untranslated}`)
}

/**
 * Reports the configuration in use. If the launcher replaced an unreadable file by the default configuration, a warning says
 * so. It is the last line of the start in the log, is also printed to standard error if the log is standard output, and stands
 * in `status`. Its log level is error, because the server may serve other data than intended.
 */
const announcementOf = ({ file, settings }: LoadedConfig, { environment }: Surroundings): Announcement => {
  const fallback = environment.SERVICE_CONFIGURATION_FALLBACK ?? ""
  if (fallback === "") return { status: `configuration: ${file}\n`, ready: Effect.void }
  const inForeground = settings.logging.file === undefined
  return {
    status: `configuration: ${file}\nWARNING: ${fallback}\n`,
    ready: Effect.zipRight(Effect.logError(fallback), inForeground ? printError(`WARNING: ${fallback}`) : Effect.void)
  }
}

/** The server did not start. The log has the reason. */
class StartFailed extends Data.TaggedError("StartFailed")<{ readonly failure: StartFailure }> {
  override get message(): string {
    return this.failure.message
  }
}

/** Logs why the server did not start or why it ended: the message of an expected failure, or the stack of any other error. */
const logEnd = (cause: Cause.Cause<StartFailure>) => {
  const failure = Cause.failureOption(cause)
  if (Option.isSome(failure)) return Effect.logError(failure.value.message)
  return Cause.isInterruptedOnly(cause)
    ? Effect.void
    : Effect.logError("The server ends because of an unexpected error. This is a defect of the server", cause)
}

const serve = (file: string | undefined, values: Values, surroundings: Surroundings) => {
  const pidFile = values["pid-file"] === undefined ? undefined : resolve(surroundings.cwd, values["pid-file"])
  return Effect.gen(function* () {
    const loaded = yield* load(file, values, surroundings)
    const { settings, notes } = loaded
    const start = yield* Effect.promise(surroundings.serve)
    const running = Effect.gen(function* () {
      const runtime = `engine-server ${version()} on Node.js ${process.versions.node}`
      yield* Effect.logInfo(`${runtime}, configured by ${loaded.file}`)
      yield* logLauncherNotes(surroundings.environment)
      for (const { level, text } of notes) yield* level === "warn" ? Effect.logWarning(text) : Effect.logInfo(text)
      yield* Crashes.logged
      yield* Signals.cutOnSecond(settings.shutdownTimeout)
      if (pidFile !== undefined) yield* PidFile.hold(pidFile)
      return yield* start(settings, announcementOf(loaded, surroundings))
    })
    return yield* running.pipe(
      Effect.scoped,
      Effect.tapErrorCause(logEnd),
      Effect.mapError((failure) => new StartFailed({ failure })),
      Effect.ensuring(Effect.logInfo("Server stopped")),
      Effect.provide(Logging.layer(settings.logging))
    )
  }).pipe(Effect.ensuring(Effect.sync(() => pidFile === undefined || PidFile.removeOwn(pidFile))))
}

const checkConfig = (file: string | undefined, values: Values, surroundings: Surroundings) =>
  Effect.gen(function* () {
    const loaded = yield* load(file, values, surroundings)
    yield* refuseUnenforceable(loaded.settings)
    if (values.quiet) return
    for (const { level, text } of loaded.notes)
      surroundings.print(`${level === "warn" ? "warning" : "note"}: ${text}\n`)
    surroundings.print(`${loaded.file}: no problems\n`)
  })

const printConfig = (file: string | undefined, values: Values, surroundings: Surroundings) =>
  Effect.gen(function* () {
    const loaded = yield* load(file, values, surroundings)
    const shown = showConfig(loaded)
    surroundings.print(`${values.format === "json" ? JSON.stringify(shown, null, 2) : formatShown(shown)}\n`)
  })

const ask = (command: ControlCommand, values: Values, { cwd, print }: Surroundings) => {
  const path = values["control-socket"]
  if (path === undefined) return new UsageError({ reason: "--control-socket is needed to find the server" })
  return Effect.map(request(resolve(cwd, path), command), print)
}

const credentials = (words: ReadonlyArray<string>, values: Values, surroundings: Surroundings) =>
  Effect.gen(function* () {
    const { cwd, password, print } = surroundings
    const { credentials: run } = yield* Effect.promise(() => import("./CredentialsCommand.ts"))
    const socket = values["control-socket"]
    const text = yield* run({
      words,
      role: values.role,
      graph: values.graph,
      socket: socket === undefined ? undefined : resolve(cwd, socket),
      password,
      settings: Effect.map(load(values.config, values, surroundings), ({ settings }) => settings)
    })
    print(text)
  })

const graphs = (words: ReadonlyArray<string>, values: Values, { cwd, print }: Surroundings) =>
  Effect.gen(function* () {
    const { graphs: run } = yield* Effect.promise(() => import("./GraphsCommand.ts"))
    const socket = values["control-socket"]
    print(yield* run(words, socket === undefined ? undefined : resolve(cwd, socket)))
  })

const tool = (name: ToolName, words: ReadonlyArray<string>, values: Values, surroundings: Surroundings) =>
  Effect.gen(function* () {
    const { cwd, print } = surroundings
    const { runTool } = yield* Effect.promise(() => import("./ToolsCommand.ts"))
    const socket = values["control-socket"]
    const text = yield* runTool({
      tool: name,
      words,
      graph: values.graph,
      format: values.format,
      label: values.label,
      vertexLabel: values["vertex-label"],
      edgeLabel: values["edge-label"],
      delimiter: values.delimiter,
      map: values.map ?? [],
      idProperty: values["id-property"],
      upsert: values.upsert ?? false,
      repair: values.repair ?? false,
      again: values.again ?? false,
      gzip: values.gzip ?? false,
      cwd,
      socket: socket === undefined ? undefined : resolve(cwd, socket),
      progress: process.stderr,
      settings: Effect.map(load(values.config, values, surroundings), ({ settings }) => settings)
    })
    print(text)
  })

/** The exit status of a result: 0 for success, 2 for a wrong command line, 1 for any other failure. */
export const exitStatus = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return 0
  const failure = Cause.failureOption(exit.cause)
  return Option.isSome(failure) && failure.value instanceof UsageError ? 2 : 1
}

/** Parses the arguments and runs the command. */
const program = (surroundings: Surroundings) =>
  Effect.gen(function* () {
    const { values, positionals } = yield* parse(surroundings.arguments)
    if (values.help) return surroundings.print(help)
    if (values.version) return surroundings.print(`engine-server ${version()}\n`)
    const { cwd, environment } = surroundings
    const isFile = (word: string): boolean => existsSync(resolve(cwd, word))
    const ofLauncher = (environment.SERVICE_LAUNCHER_COMMANDS ?? "").split(" ").filter((word) => word !== "")
    const { command, words } = yield* invocation(positionals, values, isFile, ofLauncher)
    const named = tools.find((name) => name === command)
    if (named !== undefined) return yield* tool(named, words, values, surroundings)
    if (command === "credentials") return yield* credentials(words, values, surroundings)
    if (command === "graphs") return yield* graphs(words, values, surroundings)
    const isAsking = command === "status" || command === "dump"
    const [file, ...more] = isAsking ? [undefined, ...words] : words
    if (more.length > 0) return yield* new UsageError({ reason: `unexpected argument '${more.join(" ")}'` })
    if (values.format !== undefined && values.format !== "text" && values.format !== "json") {
      return yield* new UsageError({ reason: `--format must be text or json, not ${values.format}` })
    }
    if (command === "check-config") return yield* checkConfig(file, values, surroundings)
    if (command === "show-config") return yield* printConfig(file, values, surroundings)
    if (command === "status") return yield* ask("status", values, surroundings)
    if (command === "dump")
      return yield* ask(values.format === "json" ? "dump json" : "dump text", values, surroundings)
    return yield* serve(file, values, surroundings)
  })

/** Runs the program. Writes an error to standard error unless the error is already in the log. */
export const run = (surroundings: Surroundings) =>
  Effect.tapErrorCause(program(surroundings), (cause) => {
    const failure = Cause.failureOption(cause)
    if (Option.isNone(failure)) return Cause.isInterruptedOnly(cause) ? Effect.void : printError(Cause.pretty(cause))
    return failure.value._tag === "StartFailed" ? Effect.void : printError(failure.value.message)
  })

const printError = (text: string) => Effect.sync(() => void process.stderr.write(`${text}\n`))
