import { existsSync } from "node:fs"
import { resolve } from "node:path"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { refuseImpossiblePool } from "../../services/PoolRequirements.ts"
import { refuseUnenforceable } from "../config/Enforcement.ts"
import { version } from "../config/OwnPackage.ts"
import { formatShown, showConfig } from "../config/ShowConfig.ts"
import { countedWorkers } from "../config/WorkerCount.ts"
import {
  help,
  type Invocation,
  invocation,
  parse,
  type ToolName,
  tools,
  UsageError,
  unknownWord,
  type Values
} from "./CommandOptions.ts"
import { type ControlCommand, request } from "./ControlClient.ts"
import { load } from "./LoadConfiguration.ts"
import { serve } from "./ServeCommand.ts"
import { CommandStopped, reportingStop } from "./Signals.ts"
import { printError } from "./StandardOutput.ts"
import type { Surroundings } from "./Surroundings.ts"

const checkConfig = (file: string | undefined, values: Values, surroundings: Surroundings) =>
  Effect.gen(function* () {
    const loaded = yield* load(file, values, surroundings)
    yield* refuseUnenforceable(loaded.settings)
    const { count } = yield* countedWorkers(loaded.settings)
    yield* refuseImpossiblePool(loaded.settings, count > 1)
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

/** No worker of the server takes connections. */
class NoWorkerServes extends Data.TaggedError("NoWorkerServes") {
  override get message(): string {
    return "No worker of the server serves: its log says why."
  }
}

/** Prints the status of the server. Fails if it cannot answer requests. */
const status = (values: Values, surroundings: Surroundings) =>
  Effect.gen(function* () {
    let shown = ""
    const print = (text: string): void => {
      shown += text
      surroundings.print(text)
    }
    yield* ask("status", values, { ...surroundings, print })
    if (/^workers: 0 serve/m.test(shown)) return yield* new NoWorkerServes()
  })

const reload = (values: Values, { cwd, print }: Surroundings) =>
  Effect.gen(function* () {
    const path = values["control-socket"]
    if (path === undefined) return yield* new UsageError({ reason: "--control-socket is needed to find the server" })
    const { reload: run } = yield* Effect.promise(() => import("./ReloadCommand.ts"))
    print(yield* run(resolve(cwd, path)))
  })

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

const tool = (
  name: ToolName,
  words: ReadonlyArray<string>,
  values: Values,
  surroundings: Surroundings,
  completed: (text: string) => void
) =>
  Effect.gen(function* () {
    const { cwd } = surroundings
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
      removeExpired: values["remove-expired"] ?? false,
      again: values.again ?? false,
      gzip: values.gzip ?? false,
      cwd,
      socket: socket === undefined ? undefined : resolve(cwd, socket),
      progress: process.stderr,
      completed,
      settings: Effect.map(load(values.config, values, surroundings), ({ settings }) => settings)
    })
    completed(text)
  })

/**
 * The exit status of a result: 0 for success and for a server that a signal ended, 2 for a wrong command line, 130 or 143 for
 * another command that a signal stopped before its work was complete, 4 for a server that does not serve, 1 for any other failure.
 */
export const exitStatus = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return 0
  for (const defect of Cause.defects(exit.cause)) if (defect instanceof CommandStopped) return defect.status
  const failure = Cause.failureOption(exit.cause)
  if (Option.isNone(failure)) return 1
  if (failure.value instanceof UsageError) return 2
  return failure.value instanceof NoWorkerServes ? 4 : 1
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
    // The launcher has a word that it does not know, and only asks for a suggestion.
    if (ofLauncher.length > 0) return yield* unknownWord(positionals[0] ?? "", ofLauncher)
    const { command, words } = yield* invocation(positionals, values, isFile)
    const work = (completed: (text: string) => void) => chosen(command, words, values, surroundings, completed)
    return yield* command === "serve" ? work(surroundings.print) : reportingStop(command, surroundings.print, work)
  })

/** The work of a command. `completed`: see {@link reportingStop}. */
const chosen = (
  command: Invocation["command"],
  words: ReadonlyArray<string>,
  values: Values,
  surroundings: Surroundings,
  completed: (text: string) => void
) =>
  Effect.gen(function* () {
    const named = tools.find((name) => name === command)
    if (named !== undefined) return yield* tool(named, words, values, surroundings, completed)
    if (command === "credentials") return yield* credentials(words, values, surroundings)
    if (command === "graphs") return yield* graphs(words, values, surroundings)
    const isAsking = command === "status" || command === "dump" || command === "reload" || command === "unblock"
    const [file, ...more] = isAsking ? [undefined, ...words] : words
    if (more.length > 0) return yield* new UsageError({ reason: `unexpected argument '${more.join(" ")}'` })
    if (values.format !== undefined && values.format !== "text" && values.format !== "json") {
      return yield* new UsageError({ reason: `--format must be text or json, not ${values.format}` })
    }
    if (command === "check-config") return yield* checkConfig(file, values, surroundings)
    if (command === "show-config") return yield* printConfig(file, values, surroundings)
    if (command === "status") return yield* status(values, surroundings)
    if (command === "unblock") return yield* ask("unblock", values, surroundings)
    if (command === "reload") return yield* reload(values, surroundings)
    if (command === "dump")
      return yield* ask(values.format === "json" ? "dump json" : "dump text", values, surroundings)
    return yield* serve(file, values, surroundings)
  })

/** Runs the program. Writes an error to standard error unless the server has already reported it. */
export const run = (surroundings: Surroundings) =>
  Effect.tapErrorCause(program(surroundings), (cause) => {
    const failure = Cause.failureOption(cause)
    if (Option.isNone(failure)) return Cause.isInterruptedOnly(cause) ? Effect.void : printError(Cause.pretty(cause))
    return failure.value._tag === "StartFailed" ? Effect.void : printError(failure.value.message)
  })
