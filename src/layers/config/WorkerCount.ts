import { availableParallelism } from "node:os"
import * as Effect from "effect/Effect"
import { type ServerSettings, SettingRefused } from "../../services/Config.ts"
import type { GraphSettings } from "../../services/GraphSettings.ts"

/** The most workers that `workers: auto` starts. */
const MAX_AUTO_WORKERS = 8
/** Free memory for each worker of `workers: auto`. */
const AUTO_WORKER_BYTES = 512 * 1_048_576

/** The processors and the memory of the machine. */
export interface Machine {
  readonly processors: number
  readonly freeBytes: number
}

/** In a container, the memory is what its limit leaves. */
const thisMachine = (): Machine => ({ processors: availableParallelism(), freeBytes: process.availableMemory() })

/** True for a graph that exists only in the memory of one process. */
export const isInMemory = ({ factory }: GraphSettings): boolean =>
  factory.kind === "JanusGraphFactory" ? factory.storage.backend === "inmemory" : factory.kind !== "module"

/** Why a graph in memory cannot be served by several processes, and what to do. */
export const notShared = (name: string): string =>
  `the graph '${name}' is in the memory of one process, and workers cannot share it. Set workers to 1, or keep the graph ` +
  "on a memory disk: storage.backend=lmdb with storage.directory on a tmpfs and storage.lmdb.sync=none"

/** The name of a graph that only one process can have; undefined when all graphs can be shared. */
const unshared = (settings: ServerSettings): string | undefined => {
  const { authentication, configurationGraph, graphs } = settings
  // No process opens the graph of the users while nobody is asked for a password.
  const users = authentication.authenticator === "AllowAllAuthenticator" ? undefined : authentication.credentialsDb
  const kept = [...graphs.values(), users, configurationGraph]
  return kept.find((graph) => graph !== undefined && isInMemory(graph))?.name
}

/**
 * Why worker processes that run cannot have these settings: a graph in memory. Undefined if they can.
 *
 * @param workers their number
 */
export const refusedByWorkers = (settings: ServerSettings, workers: number): SettingRefused | undefined => {
  const name = workers === 1 ? undefined : unshared(settings)
  if (name === undefined) return undefined
  // Only a start makes the server one process.
  const isOne = settings.workers === 1 || settings.workers === "auto"
  const reason = isOne
    ? `the graph '${name}' is in the memory of one process, but the server has ${workers} workers until a restart. Restart it`
    : notShared(name)
  return new SettingRefused({ setting: `workers: ${settings.workers}`, reason })
}

/** The number of workers, and the reason for it where the setting is `auto`. */
interface WorkerCount {
  readonly count: number
  readonly reason: string | undefined
}

/**
 * The number of worker processes. Returns SettingRefused for an explicit number above one with a graph in memory, which
 * workers cannot share.
 *
 * @param measure called for `auto` only
 */
export const workerCount = (
  settings: ServerSettings,
  measure: () => Machine = thisMachine
): WorkerCount | SettingRefused => {
  const { workers } = settings
  if (workers === 1) return { count: 1, reason: undefined }
  const name = unshared(settings)
  if (workers === "auto") {
    if (name !== undefined)
      return { count: 1, reason: `workers is auto: one worker, because the graph '${name}' is in memory` }
    const { freeBytes, processors } = measure()
    const count = Math.max(1, Math.min(processors, MAX_AUTO_WORKERS, Math.floor(freeBytes / AUTO_WORKER_BYTES)))
    const free = `${Math.round(freeBytes / 1_048_576)} MB of free memory`
    return { count, reason: `workers is auto: ${count} for ${processors} processors and ${free}` }
  }
  if (name === undefined) return { count: workers, reason: undefined }
  return new SettingRefused({
    setting: `workers: ${workers}`,
    reason: notShared(name)
  })
}

/** As {@link workerCount}, as an effect. */
export const countedWorkers = (settings: ServerSettings): Effect.Effect<WorkerCount, SettingRefused> =>
  Effect.suspend(() => {
    const counted = workerCount(settings)
    return counted instanceof SettingRefused ? Effect.fail(counted) : Effect.succeed(counted)
  })
