import {
  CommitOutcomeUnknown,
  closedReason,
  FailedAfterCommit,
  ReadOnlyTransaction,
  StorageFailure,
  StorageFull,
  StorageUnavailable
} from "../../structure/errors/StoreErrors.ts"
import type { GraphFault } from "../../structure/graph/GraphStore.ts"
import { WorkUnderWay } from "../shared/WorkUnderWay.ts"
import type { CellSnapshot, CellStore } from "./cells/CellStore.ts"
import type { ServedIndexes } from "./documents/ServedIndexes.ts"
import { canonicalId } from "./format/Ids.ts"
import { idOfRowKey } from "./format/RowKeys.ts"
import type { IdAllocator } from "./ids/IdAllocator.ts"
import type { CellGraphOptions } from "./Options.ts"
import { RowCache } from "./rows/RowCache.ts"
import { emptySchema, type Schema } from "./schema/Schema.ts"
import { readSchema, readWhole } from "./schema/SchemaRead.ts"

/** The state that all transactions of a graph share. */
export class GraphCore {
  readonly options: CellGraphOptions
  readonly cells: CellStore
  readonly ids: IdAllocator
  readonly cache: RowCache
  /** False when other programs, which do not update element counts, write the same tables. */
  readonly keepsCounts: boolean
  /** The mixed indexes in search engines; undefined without search engines. */
  documents: ServedIndexes | undefined
  /** Called when the newest known schema has changed. */
  onNewSchema: (() => void) | undefined
  /** Called when a long job repeats a commit or a read. `error`: why the first attempt failed. */
  onRepetition: ((error: unknown) => void) | undefined
  #schema: Schema = emptySchema
  #failure: StorageFailure | undefined
  #closed = false
  /** Commits that are prepared in time slices. */
  readonly #preparing = new WorkUnderWay()

  constructor(options: CellGraphOptions, cells: CellStore, ids: IdAllocator, keepsCounts: boolean) {
    this.options = options
    this.cells = cells
    this.ids = ids
    this.keepsCounts = keepsCounts
    // Transactions over a store that answers later do not read the cache.
    this.cache = new RowCache(cells.answersLater ? 0 : options.cacheBytes, cells.isShared)
  }

  /** Whether a start continues builds and removals of indexes. It does not in tables that JanusGraph writes, too: they may be its own. */
  get resumesJobs(): boolean {
    return this.keepsCounts && !this.options.readOnly
  }

  /** Advances the cache of rows to the version of a new snapshot. */
  advanceCache(snapshot: CellSnapshot): void {
    if (!this.cells.isShared) {
      this.cache.advance(snapshot.version)
      return
    }
    const { partitionBits } = this.options
    this.cache.advance(snapshot.version, (version) =>
      snapshot.changedRows?.(version)?.map((key) => canonicalId(idOfRowKey(key, partitionBits), partitionBits))
    )
  }

  /** The schema of a snapshot. In a store that answers later: the newest known schema. */
  schemaOf(snapshot: CellSnapshot): Schema {
    if (snapshot.schemaVersion === this.#schema.version) return this.#schema
    if (this.cells.answersLater) return this.#schema
    const schema = readSchema(
      snapshot.schemaVersion,
      readWhole((query) => snapshot.slice(query))
    )
    this.setSchema(schema)
    return schema
  }

  /** The newest schema. In a store that answers later: the newest known schema. */
  newestSchema(): Schema {
    if (this.cells.answersLater) return this.#schema
    const snapshot = this.cells.snapshot()
    try {
      return this.schemaOf(snapshot)
    } finally {
      snapshot.close()
    }
  }

  /** The newest known schema. */
  get schema(): Schema {
    return this.#schema
  }

  /** Sets the newest known schema, unless a newer one is known. */
  setSchema(schema: Schema): void {
    if (schema.version <= this.#schema.version) return
    this.#schema = schema
    this.onNewSchema?.()
  }

  /** Why the graph refuses requests: it is closed, or the store failed to write. */
  get fault(): GraphFault | undefined {
    const { name } = this.options
    if (this.#closed) return { isClosed: true, reason: closedReason(name) }
    return this.failure === undefined ? undefined : { isClosed: false, reason: stoppedReason(name, this.failure) }
  }

  /** Throws StorageFailure when the graph is closed. */
  assertOpen(): void {
    if (this.#closed) throw new StorageFailure(closedReason(this.options.name))
  }

  /** Throws when the graph is closed or read-only, or accepts no writes after a failure. */
  assertWritable(): void {
    this.assertOpen()
    this.assertTakesWrites()
  }

  /** Throws when the graph accepts no writes. A closed graph passes, because commits that began before the close are completed. */
  assertTakesWrites(): void {
    if (this.options.readOnly) {
      throw new ReadOnlyTransaction(`The graph ${this.options.name} is read-only (storage.read-only=true).`)
    }
    if (this.failure !== undefined) throw new StorageFailure(stoppedReason(this.options.name, this.failure))
  }

  /**
   * Records the failure of a commit. After a failure of the store the graph accepts no more writes, because the state
   * on disk is unknown.
   */
  failed(error: Error): void {
    if (error instanceof CommitOutcomeUnknown || error instanceof FailedAfterCommit) this.cache.forgetChanges()
    if (!(error instanceof StorageFailure)) return
    this.cache.forgetChanges()
    if (!(error instanceof StorageFull || error instanceof StorageUnavailable)) this.#failure ??= error
  }

  /** The failure after which the graph accepts no more writes; undefined while it accepts them. */
  get failure(): StorageFailure | undefined {
    return this.#failure ?? this.cells.failure
  }

  /** Registers a commit that is prepared in time slices. The caller calls the returned function at the end. */
  beginPreparing(): () => void {
    this.#preparing.begin()
    return () => this.#preparing.end()
  }

  /** Closes the graph to new transactions. Completes when every commit in preparation was handed to the store. */
  close(): Promise<void> {
    this.#closed = true
    return this.#preparing.ended()
  }
}

const stoppedReason = (graph: string, failure: StorageFailure): string =>
  `The graph ${graph} takes no more writes since one failed (${failure.message}); reads still work. Remove the cause and start ` +
  "the server again."
