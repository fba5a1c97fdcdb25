import { cpus } from "node:os"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { ServerSettings } from "../../services/Config.ts"
import { availableProcessors } from "../../services/Processors.ts"
import { autoHasWorkers } from "../config/WorkerCount.ts"
import { utilizationMeter } from "./UtilizationMeter.ts"

/** Milliseconds between two checks. */
const CHECK_MS = 10_000
/** Number of checks in a row in which the process must be busy: a minute. */
const BUSY_CHECKS = 6
/** The process is busy while its event loop runs code for more than this share of the time. */
const BUSY_SHARE = 0.8
/** Processors that must be idle. */
const MIN_IDLE_PROCESSORS = 0.8

/** What {@link BusyProcess} measures. Each value is for the time since the last call. */
interface BusyParts {
  /** Share of the time in which the event loop ran code, 0 to 1. */
  readonly utilization: () => number
  /** Processors of the machine that were idle: 1.5 for one that was idle and one that was idle half of the time. */
  readonly idleProcessors: () => number
}

/** Finds out whether the only process of a server is busy while processors are idle. */
export class BusyProcess {
  readonly #parts: BusyParts
  #busyChecks = 0
  #idleProcessors = 0

  constructor(parts: BusyParts) {
    this.#parts = parts
  }

  /** Checks once; called every {@link CHECK_MS}. Returns true when the process has just been busy for a minute. */
  check(): boolean {
    const utilization = this.#parts.utilization()
    this.#idleProcessors = this.#parts.idleProcessors()
    const isBusy = utilization > BUSY_SHARE && this.#idleProcessors >= MIN_IDLE_PROCESSORS
    this.#busyChecks = isBusy ? this.#busyChecks + 1 : 0
    return this.#busyChecks === BUSY_CHECKS
  }

  /** The hint while the process has been busy for a minute; undefined otherwise. */
  get hint(): string | undefined {
    if (this.#busyChecks < BUSY_CHECKS) return undefined
    const idle = Math.round(this.#idleProcessors)
    return `this process has been busy for a minute while ${idle} ${idle === 1 ? "processor was" : "processors were"} idle`
  }
}

const ownParts = (): BusyParts => {
  const times = () => {
    let [idle, all] = [0, 0]
    for (const { times } of cpus()) {
      idle += times.idle
      all += times.idle + times.user + times.sys + times.nice + times.irq
    }
    return { idle, all }
  }
  let known = times()
  return {
    utilization: utilizationMeter(),
    idleProcessors: () => {
      const now = times()
      const share = (now.idle - known.idle) / Math.max(1, now.all - known.all)
      known = now
      return share * availableProcessors()
    }
  }
}

/** What an operator can do about a busy process. */
const adviceOf = (settings: ServerSettings): string =>
  autoHasWorkers(settings)
    ? "The setting 'workers: auto' uses more of them"
    : "A server with its graphs on disk or in Cassandra can use more of them: see the setting workers"

/**
 * Logs once, and reports in `status`, that the only process of a server is busy while other processors are idle. Returns the
 * line for `status`, which is empty while there is nothing to say.
 */
export const watchBusyProcess = (settings: ServerSettings): Effect.Effect<() => string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const busy = new BusyProcess(ownParts())
    const run = Runtime.runFork(yield* Effect.runtime<never>())
    const advice = adviceOf(settings)
    let isLogged = false
    const check = (): void => {
      if (!busy.check() || isLogged) return
      isLogged = true
      run(Effect.logWarning(`The server could do more: ${busy.hint}. ${advice}`))
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => setInterval(check, CHECK_MS).unref()),
      (timer) => Effect.sync(() => clearInterval(timer))
    )
    return () => (busy.hint === undefined ? "" : `hint: ${busy.hint}. ${advice}\n`)
  })
