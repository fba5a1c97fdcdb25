import { StorageFailure } from "../../structure/errors/StoreErrors.ts"
import type {
  BeginOptions,
  GraphFault,
  GraphFeatures,
  GraphStore,
  GraphTransaction
} from "../../structure/graph/GraphStore.ts"
import type { CellStore } from "./cells/CellStore.ts"
import { type DocumentEvents, type DocumentLimits, Documents } from "./documents/Documents.ts"
import type { SearchEngine } from "./documents/SearchEngine.ts"
import { GraphCore } from "./GraphCore.ts"
import { IdAllocator } from "./ids/IdAllocator.ts"
import { StoreClaims } from "./ids/StoreClaims.ts"
import { isTaken } from "./ids/TakenIds.ts"
import { CellManagement } from "./management/CellManagement.ts"
import { commitLater } from "./management/IndexBuild.ts"
import { type IndexEvents, noEvents } from "./management/IndexJobs.ts"
import { refreshSchema } from "./management/SchemaChange.ts"
import { type CellGraphOptions, featuresOf } from "./Options.ts"
import {
  configurationQuery,
  readConfiguration,
  type StoredSettings,
  storedSettings,
  writeConfiguration
} from "./schema/Configuration.ts"
import { CellTransaction } from "./transaction/CellTransaction.ts"

/** A graph in JanusGraph's cell format, over a store of cells. */
export class CellGraph implements GraphStore {
  readonly name: string
  readonly features: GraphFeatures
  readonly management: CellManagement
  readonly core: GraphCore

  constructor(core: GraphCore, management: CellManagement) {
    this.core = core
    this.name = core.options.name
    this.features = featuresOf(core.options, core.cells.persistent)
    this.management = management
  }

  get fault(): GraphFault | undefined {
    return this.core.fault
  }

  describe(): string {
    return `standardjanusgraph[${this.core.cells.location}]`
  }

  get takesUserLogs(): boolean {
    return this.core.cells.transactionLogs !== undefined
  }

  begin(options: BeginOptions = {}): GraphTransaction {
    this.core.assertOpen()
    return new CellTransaction(this, this.core, options)
  }

  /**
   * Connects the mixed indexes that JanusGraph keeps in search engines, which are given by the name of their index backend.
   * `limits`: for tests, other limits.
   */
  connect(engines: ReadonlyMap<string, SearchEngine>, events: DocumentEvents, limits?: Partial<DocumentLimits>): void {
    this.core.documents = new Documents(
      this.core,
      engines,
      () => new CellTransaction(this, this.core, { readOnly: true, isNewest: true }),
      events,
      limits
    )
  }

  async close(): Promise<void> {
    await this.core.close()
    await this.core.documents?.close()
    await this.core.cells.close()
  }
}

/**
 * Opens the graph in a store. It is created when the store is empty. `instance` is the name of this process in claims
 * of ids. Fails with StorageFailure when this server cannot read the stored graph. Interrupted index builds continue in
 * the background.
 */
export const openCellGraph = async (
  cells: CellStore,
  options: CellGraphOptions,
  instance: string,
  events: IndexEvents = noEvents
): Promise<CellGraph> => {
  const settings = await settingsOf(cells, options)
  const known = { ...options, partitionBits: settings.partitionBits }
  const { partitionBits } = settings
  const source = cells.idSource ?? claimsOf(cells, known, instance)
  const ids = new IdAllocator(source, partitionBits)
  const core = new GraphCore(known, cells, ids, settings.keepsCounts)
  await refreshSchema(core)
  if ((cells.answersLater || cells.isShared) && !options.readOnly) await ids.prepare()
  const management = new CellManagement(core, events)
  management.resume()
  return new CellGraph(core, management)
}

/** Claims in commits of the store. While clients choose the ids of vertices, no vertex gets a claimed one. */
const claimsOf = (cells: CellStore, options: CellGraphOptions, instance: string): StoreClaims => {
  const { idBlockSize, partitionBits, userVertexIds } = options
  const isChecked = !userVertexIds && !cells.answersLater
  return new StoreClaims(cells, instance, partitionBits, idBlockSize, (kind, block) =>
    isChecked && kind === "vertex" ? isTaken(cells, block, partitionBits) : undefined
  )
}

const settingsOf = async (cells: CellStore, options: CellGraphOptions): Promise<StoredSettings> => {
  const snapshot = cells.snapshot()
  let stored: ReadonlyMap<string, unknown>
  try {
    const [page] = cells.answersLater
      ? // A replica that lacks the configuration would make the graph look new.
        await snapshot.fetch([configurationQuery], true)
      : [snapshot.slice(configurationQuery)]
    stored = readConfiguration(page!.cells)
  } finally {
    snapshot.close()
  }
  if (stored.size > 0) return storedSettings(stored, cells.location)
  if (options.readOnly) {
    throw new StorageFailure(`There is no graph in ${cells.location}, and storage.read-only=true forbids creating one.`)
  }
  if (options.partitionBits < 1) {
    throw new StorageFailure(
      `A new graph in ${cells.location} cannot have cluster.max-partitions=1: it must be a power of two from 2 to 65536. Only a graph ` +
        "that exists keeps the number with which it was made."
    )
  }
  const counts = cells.countsElements ?? true
  await commitLater({ cells }, (batch) => {
    // Another process may have created the graph since the read.
    if (batch.slice(configurationQuery).cells.isEmpty) writeConfiguration(batch, options, counts)
  })
  return { partitionBits: options.partitionBits, keepsCounts: counts }
}
