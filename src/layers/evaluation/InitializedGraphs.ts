import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import { staticImportsOf } from "../../gremlin/Parser.ts"
import { errorOf } from "../../scheduling/Pending.ts"
import { CallServices } from "../../services/CallServices.ts"
import { Config } from "../../services/Config.ts"
import { GraphRegistry, InitScriptFailed } from "../../services/GraphRegistry.ts"
import { isFirstProcess, WorkerProcess, type WorkerProcessShape } from "../../services/WorkerProcess.ts"
import { keepsVertices } from "../graphs/Emptiness.ts"
import { graphOptions } from "./GraphOptions.ts"
import { runEnvironment } from "./RunEnvironments.ts"

/** The start of a server. */
interface Start {
  isInterrupted: boolean
}

/** Runs a script. An interruption ends it and waits for its end: its graphs close afterwards. */
const attempt = (file: string, start: Start, work: () => Promise<void>): Effect.Effect<void, InitScriptFailed> =>
  Effect.async((resume) => {
    const running = work()
    running.then(
      () => resume(Effect.void),
      (cause: unknown) => resume(new InitScriptFailed({ file, reason: errorOf(cause).message }))
    )
    return Effect.promise(() => {
      start.isInterrupted = true
      return running.catch(() => undefined)
    })
  })

/**
 * The graphs of a registry with the traversal sources, values and functions of the initialisation scripts. Runs the scripts and
 * then their hooks `onStartUp` before the server listens, and `onShutDown` before the graphs close. Of several workers, each runs
 * the scripts for their definitions. Only the first worker of a start commits what they change, fills graphs and runs
 * `onStartUp`, and only the last one to end runs `onShutDown`.
 */
export const layer: Layer.Layer<GraphRegistry, InitScriptFailed, CallServices | Config | GraphRegistry> = Layer.scoped(
  GraphRegistry,
  Effect.gen(function* () {
    const settings = yield* Config
    const registry = yield* GraphRegistry
    const { initialization } = settings
    if (initialization === undefined) return registry
    const services = yield* CallServices
    const worker = Option.getOrUndefined(yield* Effect.serviceOption(WorkerProcess))
    const isFirst = yield* isFirstProcess
    // The first worker logs what all say.
    let isQuiet = !isFirst
    const start: Start = { isInterrupted: false }
    const run = Runtime.runFork(yield* Effect.runtime<never>())
    const { Initialization } = yield* Effect.promise(() => import("./Initialization.ts"))
    const started = new Initialization({
      registry,
      environment: runEnvironment(settings, services),
      maxNestingDepth: settings.maxNestingDepth,
      imports: staticImportsOf(settings.methodImports),
      scriptLogLength: settings.scriptLogLength,
      optionsOf: graphOptions(settings, registry.dynamic),
      defaultSources: initialization.defaultSources,
      isFilled: keepsVertices,
      commits: isFirst,
      isInterrupted: () => start.isInterrupted,
      log: (level, text) => {
        if (isQuiet && level !== "error") return
        run({ info: Effect.logInfo, warn: Effect.logWarning, error: Effect.logError }[level](text))
      }
    })
    const [data, definitions] = [true, false].map((isData) =>
      initialization.scripts.filter((script) => (script.isData ?? false) === isData)
    )
    for (const script of definitions ?? []) yield* attempt(script.file, start, () => started.define(script))
    if (isFirst) {
      for (const script of data ?? []) yield* attempt(script.file, start, () => started.fill(script))
      for (const hook of started.hooks) yield* attempt(hook.file, start, () => started.hook(hook, "onStartUp"))
    }
    isQuiet = false
    const shutDown = Effect.forEach(started.hooks, (hook) =>
      Effect.tryPromise(() => started.hook(hook, "onShutDown")).pipe(
        Effect.catchAll(({ cause }) => {
          const reason = errorOf(cause).message
          return Effect.logError(new InitScriptFailed({ file: hook.file, reason }).message)
        })
      )
    )
    yield* Effect.addFinalizer(() => {
      if (worker === undefined || started.hooks.length === 0) return shutDown
      return Effect.flatMap(isLastOf(worker), (isLast) => (isLast ? shutDown : Effect.void))
    })
    return started.registry
  })
)

/** Whether the hooks `onShutDown` run in this worker. */
const isLastOf = (worker: WorkerProcessShape): Effect.Effect<boolean> =>
  Effect.tryPromise({ try: worker.isLast, catch: errorOf }).pipe(
    Effect.catchAll(({ message }) =>
      Effect.as(Effect.logError(`The hooks onShutDown did not run in this worker: ${message}`), false)
    )
  )
