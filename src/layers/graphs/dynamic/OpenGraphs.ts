import type { TraversalSource } from "../../../services/GraphRegistry.ts"
import type { GraphSettings } from "../../../services/GraphSettings.ts"
import type { GraphStore } from "../../../structure/graph/GraphStore.ts"
import { sourceOf } from "./GraphNames.ts"

/** Time that a graph waits for its open transactions before it closes, ms. Then their requests fail. */
const MAX_TRANSACTIONS_WAIT_MS = 10_000

/** An open graph, and how it is used. */
interface OpenGraph {
  readonly store: GraphStore
  readonly settings: GraphSettings
  /** Transactions that have begun and not ended. */
  transactions: number
  /** `performance.now()` when a request last opened it, or began or ended a transaction. */
  usedAt: number
  /** Called when the last transaction ends. */
  onUnused: (() => void) | null
}

/** All sources share the plans of one settings object. */
const plain = { instructions: [] }

/** The open dynamic graphs, which requests find by their names. */
export class OpenGraphs {
  /** The graphs of the server by name. */
  readonly #served: Map<string, GraphStore>
  readonly #open = new Map<string, OpenGraph>()
  /** Changes with each name that is added or removed. */
  revision = 0

  /** The sources of open graphs by name. */
  readonly sources = new Map<string, TraversalSource>()

  /** @param served the graphs of the server by name, to which open graphs are added */
  constructor(served: Map<string, GraphStore>) {
    this.#served = served
  }

  get size(): number {
    return this.#open.size
  }

  get(name: string): OpenGraph | undefined {
    return this.#open.get(name)
  }

  /** The graph of a request that is going to use it: it does not count as idle from now on. */
  use(name: string): GraphStore | undefined {
    const open = this.#open.get(name)
    if (open !== undefined) open.usedAt = performance.now()
    return open?.store
  }

  entries(): Iterable<[string, OpenGraph]> {
    return this.#open
  }

  /** From now on requests find the graph. */
  add(name: string, store: GraphStore, settings: GraphSettings): void {
    const open: OpenGraph = { store, settings, transactions: 0, usedAt: performance.now(), onUnused: null }
    store.watch = {
      began: () => {
        open.transactions++
      },
      ended: () => {
        open.transactions--
        open.usedAt = performance.now()
        if (open.transactions === 0) open.onUnused?.()
      }
    }
    this.#open.set(name, open)
    this.#served.set(name, store)
    this.sources.set(sourceOf(name), { name: sourceOf(name), store, settings: plain })
    this.revision++
  }

  /**
   * Closes a graph. New requests do not find it, and those that use it have some time to end. Returns it; undefined if it was
   * not open.
   */
  async close(name: string): Promise<OpenGraph | undefined> {
    const open = this.remove(name)
    if (open === undefined) return undefined
    await this.unused(open)
    await open.store.close()
    return open
  }

  /** Removes the names of a graph, which stays open. */
  remove(name: string): OpenGraph | undefined {
    const open = this.#open.get(name)
    if (open === undefined) return undefined
    this.#open.delete(name)
    this.#served.delete(name)
    this.sources.delete(sourceOf(name))
    this.revision++
    return open
  }

  /** Waits until no transaction uses the graph, or the time is over. */
  unused(open: OpenGraph): Promise<void> {
    if (open.transactions === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, MAX_TRANSACTIONS_WAIT_MS)
      open.onUnused = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** The graph that was not used for the longest time, and that can be opened again as it is; undefined for none. */
  leastUsed(): string | undefined {
    let found: string | undefined
    let usedAt = Number.POSITIVE_INFINITY
    for (const [name, open] of this.#open) {
      if (!isIdle(open) || open.usedAt >= usedAt) continue
      found = name
      usedAt = open.usedAt
    }
    return found
  }

  /** Graphs that no request has used for a time in ms. */
  idleFor(time: number): ReadonlyArray<string> {
    const before = performance.now() - time
    return Array.from(this.#open)
      .filter(([, open]) => isIdle(open) && open.usedAt < before)
      .map(([name]) => name)
  }
}

/** Whether a graph can be closed and opened again without loss: nothing uses it, and its data is not in memory. */
const isIdle = ({ store, transactions }: OpenGraph): boolean =>
  transactions === 0 && store.features.persistent && (store.management.building ?? []).length === 0
