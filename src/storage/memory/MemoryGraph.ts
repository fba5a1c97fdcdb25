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
 * A graph in memory with snapshot transactions. The newest state is kept in place; what each commit replaced is kept
 * in an undo log for the snapshots that are older. A transaction that is neither committed nor rolled back holds its
 * snapshot, and with it the undo log, until it is.
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

  /** Commits that the undo log is kept of. */
  get undoLogLength(): number {
    return this.#data.snapshots.logged
  }

  /** Open transactions can no longer be used after it. */
  async close(): Promise<void> {
    // A commit that is being made in pieces is made whole.
    await this.#data.commits.free()
    this.#data.close()
  }
}
