import * as Layer from "effect/Layer"
import type { Pending } from "../../../src/scheduling/Pending.ts"
import { GraphRegistry, type TraversalSource } from "../../../src/services/GraphRegistry.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerTransactionGraph } from "../../../src/storage/memory/Options.ts"
import { ForwardingTransaction } from "../../../src/structure/graph/ForwardingTransaction.ts"
import type { BeginOptions, GraphStore, GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { ForwardingGraph } from "../../storage/ForwardingGraph.ts"

/** The outcome of a held commit: applied (undefined), or failed before or after it is applied. */
export type Outcome = { readonly before?: Error; readonly after?: Error } | undefined

/** A commit that has begun, and waits for the test. */
export interface HeldCommit {
  readonly finish: (outcome?: Outcome) => void
}

/** A graph whose commits of changes wait while the test holds them. */
export class HeldGraph extends ForwardingGraph {
  /** Holds commits of changes from now on. */
  holds = true
  /** Number of commits of changes that have begun, held or not. */
  begun = 0
  /** The held commits, in the order of their start. */
  readonly waiting: Array<HeldCommit> = []
  closed = false

  override begin(options: BeginOptions = {}): GraphTransaction {
    return new HeldTransaction(this, this.inner.begin(options))
  }

  /** Completes all held commits, and stops holding. */
  release(outcome?: Outcome): void {
    this.holds = false
    for (const commit of this.waiting.splice(0)) commit.finish(outcome)
  }

  override async close(): Promise<void> {
    this.closed = true
    await super.close()
  }
}

class HeldTransaction extends ForwardingTransaction {
  readonly #store: HeldGraph
  #committing = false

  constructor(store: HeldGraph, inner: GraphTransaction) {
    super(inner)
    this.#store = store
  }

  override get store(): GraphStore {
    return this.#store
  }

  savepoint(): void {
    this.inner.savepoint?.()
  }

  rollbackToSavepoint(): Pending | undefined {
    return this.inner.rollbackToSavepoint?.()
  }

  override newIds(): Pending | undefined {
    return this.inner.newIds?.()
  }

  override commit(): Pending | undefined {
    if (!this.inner.dirty) return this.inner.commit()
    this.#store.begun++
    if (!this.#store.holds) return this.inner.commit()
    this.#committing = true
    return {
      onDone: (resume) => {
        this.#store.waiting.push({ finish: (outcome) => this.#finish(outcome, resume) })
      }
    }
  }

  /** As in the stores: without effect once the commit has begun. */
  override rollback(): void {
    if (!this.#committing) this.inner.rollback()
  }

  #finish(outcome: Outcome, resume: (error: Error | undefined) => void): void {
    this.#committing = false
    if (outcome?.before !== undefined) {
      this.inner.rollback()
      resume(outcome.before)
      return
    }
    let later: Pending | undefined
    try {
      later = this.inner.commit()
    } catch (error) {
      resume(error as Error)
      return
    }
    if (later === undefined) resume(outcome?.after)
    else later.onDone((error) => resume(error ?? outcome?.after))
  }
}

/** A graph in memory with explicit commits, which wait for the test. */
export const heldGraph = (name: string): HeldGraph => new HeldGraph(new MemoryGraph(tinkerTransactionGraph(name)))

/** The graphs of a server: the first one as `graph` and `g`, others under their names, with sources `g_<name>`. */
export const serving = (...graphs: ReadonlyArray<GraphStore>): Layer.Layer<GraphRegistry> => {
  const source = (name: string, store: GraphStore): TraversalSource => ({ name, store, settings: { instructions: [] } })
  const [first] = graphs
  return Layer.succeed(GraphRegistry, {
    graphs: new Map(graphs.map((graph) => [graph === first ? "graph" : graph.name, graph])),
    sources: new Map(
      graphs.map((graph) => {
        const name = graph === first ? "g" : `g_${graph.name}`
        return [name, source(name, graph)]
      })
    ),
    plain: (store) => source(store.name, store)
  })
}
