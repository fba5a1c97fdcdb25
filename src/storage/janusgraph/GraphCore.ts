import type { GraphFault } from "../../structure/GraphStore.ts"
import {
  CommitOutcomeUnknown,
  closedReason,
  FailedAfterCommit,
  ReadOnlyTransaction,
  StorageFailure,
  StorageFull,
  StorageUnavailable
} from "../../structure/StoreErrors.ts"
import type { CellSnapshot, CellStore } from "./cells/CellStore.ts"
import type { IdAllocator } from "./ids/IdAllocator.ts"
import type { CellGraphOptions } from "./Options.ts"
import { RowCache } from "./rows/RowCache.ts"
import { emptySchema, type Schema } from "./schema/Schema.ts"
import { readSchema, readWhole } from "./schema/SchemaRead.ts"

/** What the transactions of a graph share. */
export class GraphCore {
  readonly options: CellGraphOptions
  readonly cells: CellStore
  readonly ids: IdAllocator
  readonly cache: RowCache
  /** False for rows that others write, who do not count. */
  readonly keepsCounts: boolean
  #schema: Schema = emptySchema
  #failure: StorageFailure | undefined
  #closed = false
  /** Commits that are being prepared. */
  #preparing = 0
  #whenPrepared: Array<() => void> = []

  constructor(options: CellGraphOptions, cells: CellStore, ids: IdAllocator, keepsCounts: boolean) {
    this.options = options
    this.cells = cells
    this.ids = ids
    this.keepsCounts = keepsCounts
    this.cache = new RowCache(options.cacheBytes)
  }

  /** The schema that a snapshot has. */
  schemaOf(snapshot: CellSnapshot): Schema {
    if (snapshot.schemaVersion === this.#schema.version) return this.#schema
    if (this.cells.answersLater) return this.#schema
    const schema = readSchema(
      snapshot.schemaVersion,
      readWhole((query) => snapshot.slice(query))
    )
    if (schema.version > this.#schema.version) this.#schema = schema
    return schema
  }

  /** The newest schema that is known. */
  get schema(): Schema {
    return this.#schema
  }

  /** A schema was read from a store that answers later. */
  setSchema(schema: Schema): void {
    if (schema.version > this.#schema.version) this.#schema = schema
  }

  /** Why the graph refuses requests: it is closed, or the store failed to write. */
  get fault(): GraphFault | undefined {
    const { name } = this.options
    if (this.#closed) return { isClosed: true, reason: closedReason(name) }
    return this.failure === undefined ? undefined : { isClosed: false, reason: stoppedReason(name, this.failure) }
  }

  assertOpen(): void {
    if (this.#closed) throw new StorageFailure(closedReason(this.options.name))
  }

  /** Throws when the graph cannot be written: by its settings, or since a write failed. */
  assertWritable(): void {
    this.assertOpen()
    this.assertTakesWrites()
  }

  /** The same of a graph that may be closing: what was to be committed before is. */
  assertTakesWrites(): void {
    if (this.options.readOnly) {
      throw new ReadOnlyTransaction(`The graph ${this.options.name} is read-only (storage.read-only=true).`)
    }
    if (this.failure !== undefined) throw new StorageFailure(stoppedReason(this.options.name, this.failure))
  }

  /**
   * A commit failed. When the store itself did, nothing is written any more: what is on disk may not be what is known.
   */
  failed(error: Error): void {
    if (error instanceof CommitOutcomeUnknown || error instanceof FailedAfterCommit) this.cache.forgetChanges()
    if (!(error instanceof StorageFailure)) return
    this.cache.forgetChanges()
    if (!(error instanceof StorageFull || error instanceof StorageUnavailable)) this.#failure ??= error
  }

  /** Why nothing is written any more. */
  get failure(): StorageFailure | undefined {
    return this.#failure ?? this.cells.failure
  }

  /** A commit is prepared over several turns; call what it gives at the end. */
  beginPreparing(): () => void {
    this.#preparing++
    return () => {
      if (--this.#preparing > 0) return
      for (const resume of this.#whenPrepared.splice(0)) resume()
    }
  }

  /** From now on nothing is begun; done when every commit that is being prepared was handed to the store. */
  close(): Promise<void> {
    this.#closed = true
    return this.#preparing === 0 ? Promise.resolve() : new Promise((resume) => this.#whenPrepared.push(resume))
  }
}

const stoppedReason = (graph: string, failure: StorageFailure): string =>
  `The graph ${graph} takes no more writes since one failed (${failure.message}); reads go on. Remove the cause and start ` +
  "the server again."
