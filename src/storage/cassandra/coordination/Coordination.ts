import { StorageFailure } from "../../../structure/StoreErrors.ts"
import type { IdSource } from "../../janusgraph/ids/IdSource.ts"
import type { ColumnStore } from "../ColumnStore.ts"
import { type Clock, systemClock } from "./Clock.ts"
import type { CoordinationOptions } from "./CoordinationOptions.ts"
import { Generations } from "./Generations.ts"
import { type KeyspaceSettings, keyspaceSettings, type NewKeyspace, openGlobalOptions } from "./GlobalConfiguration.ts"
import { IdAuthority } from "./IdAuthority.ts"
import { type Instance, Instances, instanceName } from "./Instances.ts"
import { Locks } from "./Locks.ts"
import { SchemaNews } from "./SchemaNews.ts"
import { SystemLog } from "./SystemLog.ts"

/** Milliseconds in which other instances acknowledge a change of the schema: JanusGraph's own limit for it. */
const PATIENCE = 60_000

/** Milliseconds in which others who found themselves alone make what they were about to write. */
const SETTLING = 1000

/** What a person may want to know of. */
export interface CoordinationEvents {
  /** Others are registered as this process opens the graph. */
  readonly others: (instances: ReadonlyArray<Instance>) => void
  /** The keyspace was made with an option that this server does not serve in full. */
  readonly notice: (text: string) => void
  /** Something removed the registration of this process, which goes on. */
  readonly reregistered: () => void
  /** Something that is done in the background failed, and is tried again. */
  readonly failed: (error: unknown) => void
}

/** All that processes which share a keyspace do for each other's sake: as JanusGraph 1.1 does it. */
export interface Coordination {
  readonly settings: KeyspaceSettings
  readonly clock: Clock
  readonly ids: IdSource
  readonly locks: Locks
  readonly instances: Instances
  readonly news: SchemaNews
  /** Users of the schema: transactions and commits of this process. Its number grows when another instance changed it. */
  readonly schema: Generations
  /** Takes the registration away. Fails with StorageFailure. */
  close(): Promise<void>
}

/** What {@link openCoordination} is given. */
interface CoordinationRequest {
  readonly columns: ColumnStore
  /** What a new keyspace is created with. */
  readonly wanted: NewKeyspace
  readonly options: CoordinationOptions
  readonly events: CoordinationEvents
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
  clock = systemClock(),
  random = Math.random
}: CoordinationRequest): Promise<Coordination> => {
  const { readOnly } = options
  const name = options.instance ?? instanceName()
  const instances = new Instances(columns, clock, name, events)
  const lockOptions = {
    instance: name,
    wait: options.lockWait ?? 100,
    expiry: 300_000,
    retries: options.lockRetries ?? 3
  }
  const first = new Locks(columns, clock, lockOptions)
  const stored = await openGlobalOptions(columns, clock, first, readOnly ? undefined : wanted)
  const settings = keyspaceSettings(stored, columns.place)
  for (const notice of settings.notices) events.notice(notice)

  const { idTagBits, idTagMode, lockExpiry, logBuckets, logTimeToLive, partitionBits } = settings
  if (options.idTag >= 2 ** idTagBits) {
    throw new StorageFailure(
      `ids.authority.conflict-avoidance-tag=${options.idTag} does not fit into the ${idTagBits} bits that ${columns.place} ` +
        `has for it; take a number from 0 to ${2 ** idTagBits - 1}.`
    )
  }
  const locks = new Locks(columns, clock, {
    instance: name,
    wait: options.lockWait ?? settings.lockWait,
    expiry: lockExpiry,
    retries: options.lockRetries ?? settings.lockRetries
  })
  const ids = new IdAuthority(
    columns,
    clock,
    {
      instance: name,
      partitionBits,
      blockSize: settings.idBlockSize,
      // Instances that claim in different rows do not meet. One process stays in one partition.
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
  const newsOptions = { interval: options.newsInterval, patience: PATIENCE, answers: !readOnly }
  const news = new SchemaNews({ columns, clock, log, instances }, newsEvents, newsOptions)

  const others = readOnly ? await instances.others() : await instances.register(options.replaceInstance)
  const close = async (): Promise<void> => {
    await news.close()
    await instances.deregister()
  }
  try {
    if (others.length > 0 && options.others === "refuse") throw refused(others, columns.place)
    if (others.length > 0) {
      events.others(others)
      // Who found itself alone a moment ago may be writing without locks.
      if (!readOnly) await clock.sleep(SETTLING)
    }
    await news.start()
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
  return { settings, clock, ids, locks, instances, news, schema, close }
}

const refused = (others: ReadonlyArray<Instance>, place: string): StorageFailure => {
  const names = others.map(({ name, started }) => `${name} (since ${started ?? "an unknown time"})`)
  return new StorageFailure(
    `The graph in ${place} is open in other instances: ${names.join(", ")}. Close them first; one that ended without a ` +
      "word is closed with forceCloseInstance."
  )
}
