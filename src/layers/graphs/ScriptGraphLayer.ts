import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { DynamicGraphs } from "../../services/DynamicGraphs.ts"
import { lateModule, madeOnce } from "../../services/LateModules.ts"
import type { ScriptGraphs } from "../../services/ScriptGraphs.ts"
import type { ServerSettings } from "../../services/Settings.ts"
import { WorkerIdentity } from "../../services/WorkerIdentity.ts"
import type { ScriptGraphList } from "./dynamic/ScriptGraphList.ts"
import { allowsManagedGraphs, graphOpener } from "./GraphOpener.ts"

const levels = { info: Effect.logInfo, warning: Effect.logWarning, error: Effect.logError } as const

/** The graphs that scripts open by options, until the scope closes. The first call loads the code. */
export const scriptGraphs = (
  settings: ServerSettings,
  dynamic: DynamicGraphs | undefined
): Effect.Effect<ScriptGraphs, never, Scope.Scope> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    const worker = Option.getOrUndefined(yield* Effect.serviceOption(WorkerIdentity))
    // The scripts of all workers share the lock of a folder, but not with the graphs of the server: ConfiguredGraphFactory can
    // neither open nor drop a folder that a script has open, as in a server of one process.
    const ofScripts = worker === undefined ? undefined : { ...worker, server: `${worker.server} scripts` }
    const ending = new AbortController()
    const allowed = allowsManagedGraphs(settings)
    const load = async (): Promise<ScriptGraphList> => {
      const [{ ScriptGraphList }, { GraphRules }, { openInFolder }, { deleteData }] = await lateModule(
        Promise.all([
          import("./dynamic/ScriptGraphList.ts"),
          import("./dynamic/GraphRules.ts"),
          import("./dynamic/OpenedFolder.ts"),
          import("./dynamic/GraphData.ts")
        ])
      )
      const open = graphOpener(runtime, ending.signal, ofScripts)
      const files = new Map<string, string>()
      for (const [name, { file }] of settings.graphs) if (file !== undefined) files.set(name, file)
      return new ScriptGraphList({
        rules: new GraphRules(settings, settings.configurationGraph),
        allowed,
        files,
        dynamic,
        maxOpenGraphs: settings.dynamicGraphs.maxOpenGraphs,
        hasWorkers: worker !== undefined,
        openStore: (wanted) => openInFolder(wanted, open),
        deleteData,
        log: (level, text) => void Runtime.runFork(runtime)(levels[level](text))
      })
    }
    const loaded = madeOnce(load)
    yield* Effect.addFinalizer(() =>
      Effect.promise(async () => {
        ending.abort()
        // A list that was not loaded has nothing to close.
        await loaded
          .made()
          ?.then((open) => open.end())
          .catch(() => undefined)
      })
    )
    return {
      allowed,
      open: async (wanted) => (await loaded()).open(wanted),
      drop: async (store, begun) => (await loaded()).drop(store, begun)
    }
  })
