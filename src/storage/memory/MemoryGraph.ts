import type {
  GraphFault,
  GraphFeatures,
  GraphManagement,
  GraphStore,
  GraphTransaction
} from "../../structure/graph/GraphStore.ts"
import { GraphData } from "./GraphData.ts"
import { MemoryManagement } from "./MemoryManagement.ts"
import { MemoryTransaction } from "./MemoryTransaction.ts"
import type { MemoryGraphOptions } from "./Options.ts"

/**
 * A graph in memory with snapshot transactions. The newest state is stored in place. The undo log keeps the states that commits
 * replaced, for transactions with an older snapshot. An open transaction keeps its part of the undo log in memory until it is
 * committed or rolled back.
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

  /** The failure that limits the graph; undefined while the graph works as configured. */
  get fault(): GraphFault | undefined {
    return this.#data.fault
  }

  /** The graph as Gremlin prints it, such as `tinkergraph[vertices:6 edges:6]`. */
  describe(): string {
    const { options, vertices, edges } = this.#data
    return `${options.title}[vertices:${vertices.total} edges:${edges.total}]`
  }

  /** Begins a transaction on a snapshot of the newest state. Throws if the graph is closed. */
  begin(options: { readonly readOnly?: boolean } = {}): GraphTransaction {
    this.#data.assertOpen()
    return new MemoryTransaction(this, this.#data, options.readOnly ?? false)
  }

  /** Estimated size of the committed graph in bytes, including its indexes and undo logs. */
  get usedBytes(): number {
    return this.#data.meter.used
  }

  /** Number of transactions that are neither committed nor rolled back. */
  get openTransactions(): number {
    return this.#data.snapshots.count
  }

  /** Number of records in the undo log. */
  get undoLogLength(): number {
    return this.#data.snapshots.logged
  }

  /** Waits for the running commit, then closes the graph. Open transactions cannot be used any more. */
  async close(): Promise<void> {
    await this.#data.commits.free()
    this.#data.close()
  }
}
