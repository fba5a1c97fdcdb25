import { existsSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { errorOf } from "../../scheduling/Pending.ts"
import type { ListenFailed } from "../../services/Channelizer.ts"
import { type ServerSettings, SettingRefused } from "../../services/Config.ts"
import type { IllegalStateException } from "../../services/RequestPool.ts"
import { refuseUnenforceable } from "../config/Enforcement.ts"
import { installation } from "../config/OwnPackage.ts"
import { countedWorkers, ownListener } from "../config/WorkerCount.ts"
import { optionsForWorkers, variableForWorkers } from "./NodeOptions.ts"
import { startWorkers, WorkersNotStarted } from "./Primary.ts"

/** A server with worker processes, which this process started. */
export interface RunningCluster {
  readonly address: AddressInfo
  readonly port: number
  /** The numbers and process ids of the workers that serve. */
  readonly workers: () => ReadonlyArray<{ readonly number: number; readonly pid: number }>
  /** Replaces all workers by new ones, which read the program again. Ends when the new ones serve. */
  readonly reload: Effect.Effect<void, WorkersNotStarted>
  /** Lets requests in flight end, then stops the workers. The end of the scope does the same. */
  readonly stop: Effect.Effect<void>
}

/** An error that stops the start of a cluster. Its message is for the operator. */
export type ClusterStartError = IllegalStateException | ListenFailed | SettingRefused | WorkersNotStarted

/** The server program of this package. */
const ownProgram = (): string => join(installation, "dist", "main.js")

/**
 * Starts worker processes, and listens in this process, which evaluates no request. The setting `workers` is their number;
 * with `auto` and with 1 there is at least one. The workers run the program of this package, never the embedding program, and
 * write their logs as the setting `logging` says.
 *
 * @param program for tests: another file of the server program
 */
export const startCluster = (
  settings: ServerSettings,
  program = ownProgram()
): Effect.Effect<RunningCluster, ClusterStartError, Scope.Scope> =>
  Effect.gen(function* () {
    const { count } = yield* countedWorkers(settings)
    if (ownListener(settings)) {
      return yield* new SettingRefused({
        setting: `channelizer: ${settings.channelizer.module}`,
        reason:
          "this process listens for the workers, and a channelizer of a module listens itself. Use EngineServer.start"
      })
    }
    yield* refuseUnenforceable(settings)
    if (!existsSync(program)) {
      return yield* new WorkersNotStarted({
        reason: `the server program ${program} is missing: build the package first`
      })
    }
    const own = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
    const command = {
      program,
      arguments: ["serve"],
      nodeOptions: optionsForWorkers(process.execArgv),
      nodeVariable: variableForWorkers(process.env.NODE_OPTIONS, optionsForWorkers),
      settings
    }
    const { address, workers } = yield* Scope.extend(startWorkers(settings, count, command), own)
    return {
      address,
      port: address.port,
      workers: () => workers.all.filter(({ state }) => state === "serving").map(({ number, pid }) => ({ number, pid })),
      reload: Effect.asVoid(
        Effect.tryPromise({
          try: () => workers.reload(),
          catch: (cause) => new WorkersNotStarted({ reason: errorOf(cause).message })
        })
      ),
      stop: Scope.close(own, Exit.void)
    }
  })
