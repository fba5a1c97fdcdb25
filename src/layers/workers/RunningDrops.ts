import type { GraphDrop, PeerQuestions } from "../../services/Peers.ts"
import type { ForPeers } from "./Calls.ts"

/** Which worker. */
interface Dropper {
  readonly number: number
}

/**
 * The drops of dynamic graphs that run. The primary process learns them from the questions that it passes on, so a worker that starts
 * need not ask the others, which may be busy.
 */
export class RunningDrops {
  readonly #names = new Map<Dropper, Set<string>>()

  /** A worker asks the others. */
  follow(worker: Dropper, { body, name }: Pick<ForPeers, "body" | "name">): void {
    if (name === "releaseGraph") {
      const begun = body as PeerQuestions["releaseGraph"][0]
      this.#names.set(worker, (this.#names.get(worker) ?? new Set()).add(begun.name))
    } else if (name === "graphsChanged") {
      const { dropped } = body as PeerQuestions["graphsChanged"][0]
      if (dropped !== undefined) this.#names.get(worker)?.delete(dropped)
    }
  }

  /** The drops of all workers but one. */
  others(worker: Dropper): ReadonlyArray<GraphDrop> {
    return [...this.#names].flatMap(([dropper, names]) =>
      dropper === worker ? [] : Array.from(names, (name) => ({ worker: dropper.number, name }))
    )
  }

  /** The process of a worker has ended, and its drops with it. */
  ended(worker: Dropper): void {
    this.#names.delete(worker)
  }
}
