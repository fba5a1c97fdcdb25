import { StorageFailure } from "../../../structure/errors/StoreErrors.ts"
import type { IdSource } from "../../janusgraph/ids/IdSource.ts"
import type { ColumnStore } from "../ColumnStore.ts"
import { type Clock, systemClock } from "./Clock.ts"
import type { CoordinationOptions } from "./CoordinationOptions.ts"
import { Generations } from "./Generations.ts"
import {
  type GlobalOptions,
  type KeyspaceSettings,
  keyspaceSettings,
  type NewKeyspace,
  openGlobalOptions
} from "./GlobalConfiguration.ts"
import { IdAuthority } from "./IdAuthority.ts"
import { type Instance, Instances, instanceName, SETTLE_DELAY_MS } from "./Instances.ts"
import { Locks } from "./Locks.ts"
import { SchemaNews } from "./SchemaNews.ts"
import { SystemLog } from "./SystemLog.ts"
import { TransactionLogs } from "./TransactionLogs.ts"
import { isEndedSibling, isSiblingName, workerName } from "./WorkerInstances.ts"

/** Time in which other instances must acknowledge a change of the schema. The limit is JanusGraph's. */
const ACKNOWLEDGE_TIMEOUT_MS = 60_000

/** Events for the log. */
export interface CoordinationEvents {
  /** Other instances are registered when this process opens the graph. */
  readonly others: (instances: ReadonlyArray<Instance>) => void
  /** The keyspace has an option that this server does not support completely. */
  readonly notice: (text: string) => void
  /** The registration of this process was removed by something else, and was written again. */
  readonly reregistered: () => void
  /** Work in the background failed; it is retried. */
  readonly failed: (error: unknown) => void
  /** A log of transactions, which is named by its table, lacks a message about a transaction that has committed. */
  readonly unlogged: (log: string, error: unknown) => void
}

/** The coordination of the processes that share a keyspace, with the protocols of JanusGraph 1.1. */
export interface Coordination {
  readonly settings: KeyspaceSettings
  /** All options that the keyspace has. */
  readonly stored: GlobalOptions
  readonly clock: Clock
  readonly ids: IdSource
  readonly locks: Locks
  readonly instances: Instances
  readonly news: SchemaNews
  readonly logs: TransactionLogs
  /**
   * Users of the schema: transactions and commits of this process. A new version starts when another instance changes the
   * schema.
   */
  readonly schema: Generations
  /** Removes the registration of this instance. Fails with StorageFailure. */
  close(): Promise<void>
}

/** What {@link openCoordination} is given. */
interface CoordinationRequest {
  readonly columns: ColumnStore
  /** What a new keyspace is created with. */
  readonly wanted: NewKeyspace
  readonly options: CoordinationOptions
  readonly events: CoordinationEvents
  /** ms after which a statement that was sent no longer reaches the cluster */
  readonly writesLast: number
  /** Default: the clock of this machine. */
  readonly clock?: Clock
  /** A number from 0 to below 1, as Math.random, which is the default. */
  readonly random?: () => number
}

/**
 * Registers this process as an instance, and creates the configuration of the keyspace where there is none. Fails with
 * StorageFailure for a keyspace that this server cannot serve, and when the name of the instance is taken.
 */
export const openCoordination = async ({
  columns,
  wanted,
  options,
  events,
  writesLast,
  clock = systemClock(),
  random = Math.random
}: CoordinationRequest): Promise<Coordination> => {
  const { readOnly } = options
  const { hasEnded, instances, isSibling, name } = ownInstance(columns, clock, options, events)
  const locksWith = (wait: number, expiry: number, retries: number): Locks =>
    new Locks(columns, clock, { instance: name, siblings: { hasEnded, writesLast }, wait, expiry, retries })
  const initialLocks = locksWith(options.lockWait ?? 100, 300_000, options.lockRetries ?? 3)
  const stored = await openGlobalOptions(columns, clock, initialLocks, readOnly ? undefined : wanted)
  const settings = keyspaceSettings(stored, columns.location)
  for (const notice of settings.notices) events.notice(notice)

  const { idTagBits, idTagMode, lockExpiry, logBuckets, logTimeToLive, partitionBits } = settings
  if (options.idTag >= 2 ** idTagBits) {
    throw new StorageFailure(
      `ids.authority.conflict-avoidance-tag=${options.idTag} does not fit into the ${idTagBits} bits that ${columns.location} ` +
        `has for it; take a number from 0 to ${2 ** idTagBits - 1}.`
    )
  }
  const locks = locksWith(
    options.lockWait ?? settings.lockWait,
    lockExpiry,
    options.lockRetries ?? settings.lockRetries
  )
  const ids = new IdAuthority(
    columns,
    clock,
    {
      instance: name,
      partitionBits,
      blockSize: settings.idBlockSize,
      // Instances that claim in different rows do not compete. A process keeps its partition.
      partition: Math.floor(random() * 2 ** partitionBits),
      tagBits: idTagBits,
      tag: idTagMode === "random" ? "random" : options.idTag,
      wait: settings.idWait,
      timeout: options.idTimeout
    },
    random
  )
  const log = new SystemLog(columns, clock, { instance: name, buckets: logBuckets, timeToLive: logTimeToLive })
  const schema = new Generations()
  const newsEvents = { changed: () => schema.advance(), renewed: () => schema.renewed(), failed: events.failed }
  const newsOptions = { interval: options.newsInterval, acknowledgeTimeout: ACKNOWLEDGE_TIMEOUT_MS, answers: !readOnly }
  const news = new SchemaNews({ columns, clock, log, instances }, newsEvents, newsOptions)

  // What was announced before this registration waits for other instances, unless an earlier process had the same name.
  if (options.instance === undefined || options.worker !== undefined) await log.receive()
  const others = readOnly ? await instances.others() : await instances.register(options.replaceInstance)
  const close = async (): Promise<void> => {
    await news.close()
    await instances.deregister()
  }
  try {
    const foreign = others.filter((other) => !isSibling(other.name))
    if (foreign.length > 0 && options.others === "refuse") throw refused(foreign, columns.location)
    if (foreign.length > 0) events.others(foreign)
    // An instance that was alone a moment ago may still write without locks.
    if (others.length > 0 && !readOnly) await clock.sleep(SETTLE_DELAY_MS)
    await news.start()
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
  const logs = new TransactionLogs(columns, clock, { ...settings, instance: name }, events.unlogged)
  return { settings, stored, clock, ids, locks, logs, instances, news, schema, close }
}

/** The registration of this process, which other instances are workers of the same server, and which of these have ended. */
const ownInstance = (
  columns: ColumnStore,
  clock: Clock,
  { instance, worker }: CoordinationOptions,
  events: CoordinationEvents
) => {
  if (worker === undefined) {
    const name = instance ?? instanceName()
    const none = () => false
    return { name, instances: new Instances(columns, clock, name, events), isSibling: none, hasEnded: none }
  }
  const name = workerName(instance, worker)
  const isSibling = (other: string) => isSiblingName(name, other)
  const hasEnded = (other: string) => isEndedSibling(name, other)
  const siblings = { has: isSibling, hasEnded }
  return { name, instances: new Instances(columns, clock, name, events, siblings), isSibling, hasEnded }
}

const refused = (others: ReadonlyArray<Instance>, location: string): StorageFailure => {
  const names = others.map(({ name, started }) => `${name} (since ${started ?? "an unknown time"})`)
  return new StorageFailure(
    `The graph in ${location} is open in other instances: ${names.join(", ")}. Close them first. Remove one that ` +
      "crashed with forceCloseInstance."
  )
}
