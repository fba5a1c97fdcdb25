/** What a primary process tells a worker at its start, in an environment variable. */
export interface WorkerRole {
  /** A name that all processes of the server share. */
  readonly server: string
  /** The number of the worker, from 1. */
  readonly number: number
  /** True in the first worker of a start. */
  readonly isFirst: boolean
  /** When the server started, ms since 1970. */
  readonly startedAt: number
  /** The primary process gives the settings. Otherwise the worker reads the configuration. */
  readonly asksForSettings: boolean
  /**
   * The version of the program that has read these settings from a configuration: another version reads it itself. Undefined if a
   * program that contains the server has made the settings.
   */
  readonly settingsVersion?: string
  /** The number of workers of the server. */
  readonly workers: number
}

/** The variable that makes a process a worker. Its value is a {@link WorkerRole} as JSON. */
const VARIABLE = "ENGINE_SERVER_WORKER"

/** The environment of a worker. */
export const workerEnvironment = (role: WorkerRole): Readonly<Record<string, string>> => ({
  [VARIABLE]: JSON.stringify(role)
})

/** The primary process of a worker ended before the worker had begun. */
export const ORPHAN = "orphan"

/**
 * The role of this process among workers; undefined for a process that no primary process has forked. A worker without a channel
 * is an orphan, which must not become a server of its own.
 */
export const workerRole = (
  environment: Readonly<Record<string, string | undefined>>,
  isConnected: boolean = process.connected === true
): WorkerRole | typeof ORPHAN | undefined => {
  const text = environment[VARIABLE]
  if (text === undefined) return undefined
  return isConnected ? (JSON.parse(text) as WorkerRole) : ORPHAN
}
