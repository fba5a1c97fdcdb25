import type { Pending } from "../../scheduling/Pending.ts"
import type { SharedWrites } from "../../structure/graph/SharedWrites.ts"
import type { CellBatch, CellSnapshot, CellStore, LongWork } from "../janusgraph/cells/CellStore.ts"
import type { OpenInstances } from "../janusgraph/cells/OpenInstances.ts"
import type { IdSource } from "../janusgraph/ids/IdSource.ts"
import { LONGEST_NAME } from "./ColumnStore.ts"
import { Commits } from "./Commits.ts"
import { connect } from "./Connection.ts"
import { CqlColumns } from "./CqlColumns.ts"
import type { CqlOptions } from "./CqlOptions.ts"
import { CqlPages } from "./CqlPages.ts"
import { CqlSnapshot } from "./CqlSnapshot.ts"
import { type Coordination, type CoordinationEvents, openCoordination } from "./coordination/Coordination.ts"
import type { CoordinationOptions } from "./coordination/CoordinationOptions.ts"
import type { NewKeyspace } from "./coordination/GlobalConfiguration.ts"
import { Fetches } from "./Fetches.ts"
import { prepareKeyspace, removeKeyspace } from "./Keyspace.ts"
import { outlookOf } from "./Outlook.ts"
import { SiblingWrites } from "./SiblingWrites.ts"
import { SliceCache } from "./SliceCache.ts"
import type { Warned } from "./Warnings.ts"

/** A store of cells in the tables of a keyspace of Cassandra, or of a database that speaks its protocol. */
export class CqlStore implements CellStore {
  readonly location: string
  readonly answersLater = true
  readonly outlookOf = outlookOf
  readonly persistent = true
  readonly countsElements = false
  readonly cellsExpire = true
  readonly longestName = LONGEST_NAME
  readonly idSource: IdSource
  readonly instances: OpenInstances
  readonly transactionLogs: { readonly hasAll: boolean }
  readonly columns: CqlColumns
  readonly coordination: Coordination
  readonly #fetches: Fetches
  readonly #commits: Commits
  readonly #cache: SliceCache | undefined
  readonly #siblings: SiblingWrites | undefined

  /** @param writes the writes of all workers of a server of several processes */
  constructor(columns: CqlColumns, tables: ReadonlySet<string>, coordination: Coordination, writes?: SharedWrites) {
    this.columns = columns
    this.coordination = coordination
    this.idSource = coordination.ids
    this.instances = coordination.instances
    this.transactionLogs = coordination.logs
    this.location = columns.location
    this.#fetches = new Fetches(new CqlPages(columns, tables))
    const { cache, requestTimeout } = columns
    const renewSchema = (): void => coordination.schema.advance()
    this.#siblings =
      writes === undefined ? undefined : new SiblingWrites(writes, columns.location, requestTimeout, renewSchema)
    const elapsed = (): number => coordination.clock.elapsed()
    this.#cache = cache.bytes > 0 ? new SliceCache(cache, elapsed, this.#siblings) : undefined
    this.#commits = new Commits(this.#fetches, coordination, this.#siblings, this.#cache)
  }

  snapshot(): CellSnapshot {
    const { schema } = this.coordination
    this.#siblings?.learnSchema()
    this.#cache?.useSchema(schema.number)
    return new CqlSnapshot(this.#fetches, this.#cache, [this.#commits.version, schema.number], schema.use())
  }

  commit(work: (batch: CellBatch) => void): Pending {
    return this.#commits.commit((batch) => {
      work(batch)
      return undefined
    })
  }

  commitLong(work: LongWork): Pending {
    return this.#commits.commit(work)
  }

  commitNow(): never {
    throw new Error("This store answers later: use commit()")
  }

  readNews(): Promise<void> {
    return this.coordination.news.poll()
  }

  /**
   * Errors are ignored, so that a cluster that does not answer cannot keep the server from ending. A registration that
   * stays expires.
   */
  async close(): Promise<void> {
    await this.#commits.settled()
    await this.coordination.close().catch(() => undefined)
    await this.columns.close()
  }
}

/**
 * Opens a keyspace, or creates it as `wanted`. `events.warned` takes the warnings in answers of nodes. Fails with StorageFailure, whose
 * message says what to do.
 */
export const openCqlStore = async (
  options: CqlOptions,
  wanted: NewKeyspace,
  coordination: CoordinationOptions,
  events: CoordinationEvents & { readonly warned?: Warned }
): Promise<CqlStore> => {
  const client = await connect(options)
  const columns = new CqlColumns(client, options, events.warned)
  try {
    const tables = await prepareKeyspace(client, options)
    const writesLast = columns.requestTimeout
    const opened = await openCoordination({ columns, wanted, options: coordination, events, writesLast })
    return new CqlStore(columns, tables, opened, coordination.worker?.writes)
  } catch (cause) {
    await columns.close()
    throw cause
  }
}

/** Deletes a keyspace with all data. Fails with StorageFailure when the cluster cannot be reached or forbids it. */
export const dropKeyspace = async (options: CqlOptions): Promise<void> => {
  const client = await connect(options)
  try {
    await removeKeyspace(client, options)
  } finally {
    await client.shutdown()
  }
}
