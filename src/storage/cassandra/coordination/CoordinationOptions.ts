import type { Worker } from "./WorkerInstances.ts"

/** The options of one instance. What all instances share is stored in the keyspace. Times are milliseconds. */
export interface CoordinationOptions {
  /** This worker process of a server of several processes; undefined when the server is one process. */
  readonly worker: Worker | undefined
  /** `graph.unique-instance-id`. Default: a name that no other process has. */
  readonly instance: string | undefined
  /** `graph.replace-instance-if-exists`: a registration under the same name is replaced, not refused. Default false. */
  readonly replaceInstance: boolean
  /** What to do when other instances are registered at the start: log them (`tell`, the default), or fail (`refuse`). */
  readonly others: "tell" | "refuse"
  readonly readOnly: boolean
  /** `ids.authority.conflict-avoidance-tag` */
  readonly idTag: number
  /** `ids.renew-timeout` */
  readonly idTimeout: number
  /** `storage.lock.wait-time` and `storage.lock.retries`. Default: the values of the keyspace. */
  readonly lockWait: number | undefined
  readonly lockRetries: number | undefined
  /** `log.janusgraph.read-interval` */
  readonly newsInterval: number
}

/** JanusGraph's defaults, except the interval of news: JanusGraph polls every 5 seconds, and also asks for unknown names. */
export const coordinationDefaults: CoordinationOptions = {
  worker: undefined,
  instance: undefined,
  replaceInstance: false,
  others: "tell",
  readOnly: false,
  idTag: 0,
  idTimeout: 120_000,
  lockWait: undefined,
  lockRetries: undefined,
  newsInterval: 1000
}
