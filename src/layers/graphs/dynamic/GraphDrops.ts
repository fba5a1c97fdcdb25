import { DynamicGraphError } from "../../../services/DynamicGraphs.ts"
import type { OtherWorkers } from "./OtherWorkers.ts"

/** Longest time that a graph which another worker drops is not opened, ms: that worker may have died. */
const RELEASED_MS = 60_000

/** The drops of graphs by this worker and by the others. No worker may open a graph while its data is deleted. */
export class GraphDrops {
  readonly #others: OtherWorkers | undefined
  /** Graphs that other workers are dropping: until when they are not opened, by worker. */
  readonly #elsewhere = new Map<string, Map<number, number>>()
  /** Graphs that this worker is dropping. */
  readonly #own = new Set<string>()
  /** Called with the drops of others that end while this worker learns them. */
  #onEnd: ((name: string, worker: number) => void) | undefined

  /** @param others undefined in a server of one process */
  constructor(others: OtherWorkers | undefined) {
    this.#others = others
  }

  /** Throws DynamicGraphError for a graph that another worker is dropping. */
  assertKept(name: string): void {
    const limits = this.#elsewhere.get(name)?.values() ?? []
    if (Math.max(...limits) > performance.now()) throw beingDropped(name)
  }

  /** Runs a drop of this worker. Throws DynamicGraphError when another worker has begun before. */
  async run(name: string, drop: () => Promise<void>): Promise<void> {
    this.assertKept(name)
    this.#own.add(name)
    try {
      await drop()
    } finally {
      this.#own.delete(name)
    }
  }

  /** Lets the other workers close a graph before its data is deleted. Throws DynamicGraphError if one does not. */
  async release(name: string): Promise<void> {
    if (this.#others === undefined) return
    const open = await this.#others.release(name)
    if (open === undefined) throw beingDropped(name)
    if (open.length === 0) return
    const workers = open.length === 1 ? `Worker ${open[0]} has` : `The workers ${open.join(", ")} have`
    throw new DynamicGraphError(
      "failed",
      `The graph '${name}' is not dropped. ${workers} not closed it in time. Try again later.`
    )
  }

  /**
   * Another worker drops a graph: closes it, and does not open it until {@link ended}. Of two workers that drop one graph, that with the
   * lower number goes first, and is not kept waiting by the other one.
   */
  async begun(name: string, worker: number, close: () => Promise<unknown>): Promise<"closed" | "dropping"> {
    if (this.#own.has(name) && (this.#others?.own ?? 0) < worker) return "dropping"
    const droppers = this.#elsewhere.get(name) ?? new Map<number, number>()
    this.#elsewhere.set(name, droppers.set(worker, performance.now() + RELEASED_MS))
    await close()
    return "closed"
  }

  /** Learns what the other workers have been dropping since before this worker started. */
  async learn(): Promise<void> {
    const ended = new Set<string>()
    this.#onEnd = (name, worker) => ended.add(`${worker} ${name}`)
    for (const { name, worker } of (await this.#others?.drops()) ?? []) {
      // The end of a drop may arrive before the answer is read.
      if (!ended.has(`${worker} ${name}`)) await this.begun(name, worker, () => Promise.resolve())
    }
    this.#onEnd = undefined
  }

  /** The drop of another worker has ended. */
  ended(name: string, worker: number): void {
    this.#onEnd?.(name, worker)
    const droppers = this.#elsewhere.get(name)
    droppers?.delete(worker)
    if (droppers?.size === 0) this.#elsewhere.delete(name)
  }
}

const beingDropped = (name: string): DynamicGraphError =>
  new DynamicGraphError("missing", `The graph '${name}' is being dropped.`)
