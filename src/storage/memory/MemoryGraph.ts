import type {
  GraphFault,
  GraphFeatures,
  GraphManagement,
  GraphStore,
  GraphTransaction
} from "../../structure/GraphStore.ts"
import { GraphData } from "./GraphData.ts"
import { MemoryManagement } from "./MemoryManagement.ts"
import { MemoryTransaction } from "./MemoryTransaction.ts"
import type { MemoryGraphOptions } from "./Options.ts"

/**
 * A graph in memory with snapshot transactions. The newest state is stored in place; the states that commits replaced are kept
 * in an undo log for older snapshots. A transaction holds its snapshot, and with it the undo log, until it is committed or
 * rolled back.
 */
export class MemoryGraph implements GraphStore {
  readonly name: string
  readonly features: GraphFeatures
  readonly management: GraphManagement
  readonly #data: GraphData

  constructor(options: MemoryGraphOptions) {
    this.name = options.name
    this.features = options.features
    this.#data = new GraphData(options)
    this.management = new MemoryManagement(this.#data)
  }

  get fault(): GraphFault | undefined {
    return this.#data.fault
  }

  describe(): string {
    const { options, vertices, edges } = this.#data
    return `${options.title}[vertices:${vertices.total} edges:${edges.total}]`
  }

  begin(options: { readonly readOnly?: boolean } = {}): GraphTransaction {
    this.#data.assertOpen()
    return new MemoryTransaction(this, this.#data, options.readOnly ?? false)
  }

  /** Estimated bytes of the committed graph, its indexes and undo logs included. */
  get usedBytes(): number {
    return this.#data.meter.used
  }

  /** Transactions that are neither committed nor rolled back. */
  get openTransactions(): number {
    return this.#data.snapshots.count
  }

  /** Number of records in the undo log. */
  get undoLogLength(): number {
    return this.#data.snapshots.logged
  }

  /** Closes the graph. Open transactions cannot be used any more. */
  async close(): Promise<void> {
    // A commit that is being made is completed first.
    await this.#data.commits.free()
    this.#data.close()
  }
}
