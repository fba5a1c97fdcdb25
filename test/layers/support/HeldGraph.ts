import * as Layer from "effect/Layer"
import type { Pending } from "../../../src/scheduling/Pending.ts"
import { GraphRegistry, type TraversalSource } from "../../../src/services/GraphRegistry.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerTransactionGraph } from "../../../src/storage/memory/Options.ts"
import { ForwardingTransaction } from "../../../src/structure/ForwardingTransaction.ts"
import type { GraphFeatures, GraphManagement, GraphStore, GraphTransaction } from "../../../src/structure/GraphStore.ts"

/** What a held commit is to come to: it is applied (undefined), or fails before it is applied, or after it. */
export type Outcome = { readonly before?: Error; readonly after?: Error } | undefined

/** A commit that has begun and waits for the test. */
export interface HeldCommit {
  readonly finish: (outcome?: Outcome) => void
}

/** A graph whose commits of changes wait for the test, while it holds them. */
export class HeldGraph implements GraphStore {
  readonly inner: GraphStore
  /** Commits of changes wait from now on. */
  holds = true
  /** Commits of changes that have begun, those that do not wait included. */
  begun = 0
  /** Those that wait, in the order of their beginnings. */
  readonly waiting: Array<HeldCommit> = []
  closed = false

  constructor(inner: GraphStore) {
    this.inner = inner
  }

  get name(): string {
    return this.inner.name
  }

  get features(): GraphFeatures {
    return this.inner.features
  }

  get management(): GraphManagement {
    return this.inner.management
  }

  describe(): string {
    return this.inner.describe()
  }

  begin(options: { readonly readOnly?: boolean } = {}): GraphTransaction {
    return new HeldTransaction(this, this.inner.begin(options))
  }

  /** Lets all commits go on, now and from now on. */
  release(outcome?: Outcome): void {
    this.holds = false
    for (const commit of this.waiting.splice(0)) commit.finish(outcome)
  }

  async close(): Promise<void> {
    this.closed = true
    await this.inner.close()
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

  /** As the stores have it: of no effect once the transaction is being committed. */
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

/** A graph in memory with explicit commits, whose commits wait for the test. */
export const heldGraph = (name: string): HeldGraph => new HeldGraph(new MemoryGraph(tinkerTransactionGraph(name)))

/** The graphs of a server: the first one as `graph` and `g`, each other under its name, with the source `g_` and its name. */
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
