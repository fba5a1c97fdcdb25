import * as Effect from "effect/Effect"
import { type ServerSettings, SettingRefused } from "../../services/Config.ts"
import type { GraphSettings } from "../../services/GraphSettings.ts"
import { availableProcessors } from "../../services/Processors.ts"

/** The most workers that `workers: auto` starts. */
const MAX_AUTO_WORKERS = 8
/** Free memory for each worker of `workers: auto`. */
const AUTO_WORKER_BYTES = 512 * 1_048_576

/** The processors and the memory of the machine. */
export interface Machine {
  readonly processors: number
  readonly freeBytes: number
}

/** In a container, both are what its limits leave. */
const thisMachine = (): Machine => ({ processors: availableProcessors(), freeBytes: process.availableMemory() })

/** True for a graph that exists only in the memory of one process. */
export const isInMemory = ({ factory }: GraphSettings): boolean =>
  factory.kind === "JanusGraphFactory" ? factory.storage.backend === "inmemory" : factory.kind !== "module"

/** Why a graph in memory cannot be served by several processes, and what to do. */
export const notShared = (name: string): string =>
  `the graph '${name}' is in the memory of one process, and workers cannot share it. Set workers to 1, or keep the graph ` +
  "on a memory disk: storage.backend=lmdb with storage.directory on a tmpfs and storage.lmdb.sync=none"

/** What only one process can have. */
interface Unshared {
  /** A clause, such as "the graph 'graph' is in memory". */
  readonly reason: string
  /** Why an explicit number of workers is refused, and what to do. */
  readonly refusal: string
}

/** The graphs that every process of the server opens. */
const openedGraphs = ({ authentication, configurationGraph, graphs }: ServerSettings): ReadonlyArray<GraphSettings> => {
  // No process opens the graph of the users while nobody is asked for a password.
  const users = authentication.authenticator === "AllowAllAuthenticator" ? undefined : authentication.credentialsDb
  return [...graphs.values(), users, configurationGraph].filter((graph) => graph !== undefined)
}

/**
 * True if the channelizer is a module. It accepts its connections itself, and cannot take those that the primary process of workers
 * accepts.
 */
export const ownListener = (
  settings: ServerSettings
): settings is ServerSettings & { readonly channelizer: { readonly module: string } } =>
  typeof settings.channelizer === "object"

/** What only one process can have of these settings. Undefined if workers can share all of them. */
const unshared = (settings: ServerSettings): Unshared | undefined => {
  if (ownListener(settings)) {
    const reason = `the channelizer ${settings.channelizer.module} listens itself`
    return { reason, refusal: `${reason}, and only one process can listen on the port. Set workers to 1` }
  }
  const inMemory = openedGraphs(settings).find(isInMemory)
  if (inMemory === undefined) return undefined
  return { reason: `the graph '${inMemory.name}' is in the memory of one process`, refusal: notShared(inMemory.name) }
}

/**
 * Why a number of workers that nobody has chosen must be one, although an explicit number is not refused: only the open graph of a
 * module says whether it is in memory.
 */
const doubtful = (settings: ServerSettings): string | undefined => {
  const ofModule = openedGraphs(settings).find(({ factory }) => factory.kind === "module")
  return ofModule === undefined
    ? undefined
    : `the graph '${ofModule.name}' is that of a module, which may keep it in the memory of one process`
}

/** Why one process serves these settings unless they name a number; undefined if workers can share everything. */
const reasonForOne = (settings: ServerSettings): string | undefined => unshared(settings)?.reason ?? doubtful(settings)

/** False if `workers: auto` is one process on every machine. */
export const autoHasWorkers = (settings: ServerSettings): boolean => reasonForOne(settings) === undefined

/**
 * Why worker processes that run cannot have these settings, such as a graph in memory. Undefined if they can.
 *
 * @param workers their number
 */
export const refusedByWorkers = (settings: ServerSettings, workers: number): SettingRefused | undefined => {
  if (workers === 1) return undefined
  // Only a start makes the server one process.
  const isOne = settings.workers === 1 || settings.workers === "auto"
  const one = isOne ? reasonForOne(settings) : undefined
  const reason =
    one === undefined
      ? unshared(settings)?.refusal
      : `${one}, but the server has ${workers} workers until a restart. Restart it`
  return reason === undefined ? undefined : new SettingRefused({ setting: `workers: ${settings.workers}`, reason })
}

/** The number of workers, and the reason for it where the setting is `auto`. */
interface WorkerCount {
  readonly count: number
  readonly reason: string | undefined
}

/**
 * The number of worker processes. Returns SettingRefused for an explicit number above one with a graph in memory, which
 * workers cannot share. That of a module is refused when it is open.
 *
 * @param measure called for `auto` only
 */
export const workerCount = (
  settings: ServerSettings,
  measure: () => Machine = thisMachine
): WorkerCount | SettingRefused => {
  const { workers } = settings
  if (workers === 1) return { count: 1, reason: undefined }
  if (workers === "auto") {
    const one = reasonForOne(settings)
    if (one !== undefined) return { count: 1, reason: `workers is auto: one worker, because ${one}` }
    const { freeBytes, processors } = measure()
    const count = Math.max(1, Math.min(processors, MAX_AUTO_WORKERS, Math.floor(freeBytes / AUTO_WORKER_BYTES)))
    const free = `${Math.round(freeBytes / 1_048_576)} MB of free memory`
    return { count, reason: `workers is auto: ${count} for ${processors} processors and ${free}` }
  }
  const refusal = unshared(settings)?.refusal
  if (refusal === undefined) return { count: workers, reason: undefined }
  return new SettingRefused({ setting: `workers: ${workers}`, reason: refusal })
}

/** As {@link workerCount}, as an effect. */
export const countedWorkers = (settings: ServerSettings): Effect.Effect<WorkerCount, SettingRefused> =>
  Effect.suspend(() => {
    const counted = workerCount(settings)
    return counted instanceof SettingRefused ? Effect.fail(counted) : Effect.succeed(counted)
  })
