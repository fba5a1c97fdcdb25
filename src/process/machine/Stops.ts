import type { LoopFrame } from "../plan/Batch.ts"
import type { Step } from "../plan/Step.ts"

/** Steps in front of a limit, by index, and the origins that are stopped there. */
interface Region {
  readonly from: number
  readonly to: number
  /** By round: 1 for each origin that is stopped. */
  readonly byLoops: Map<LoopFrame | null, Uint8Array>
}

/**
 * Rows of one activation that are dropped because a limit behind them has passed all it may: by limit, round and origin.
 * A limit stops what is before it in its own traversal, branches and loops in there included.
 */
export class Stops {
  readonly #regions = new Map<Step, Region>()

  /** Stops an origin, of so many, in a round before a limit. */
  add(limit: Step, loops: LoopFrame | null, origin: number, origins: number): void {
    let region = this.#regions.get(limit)
    if (region === undefined) {
      this.#regions.set(limit, (region = { from: firstBefore(limit), to: limit.index, byLoops: new Map() }))
    }
    let stopped = region.byLoops.get(loops)
    if (stopped === undefined) region.byLoops.set(loops, (stopped = new Uint8Array(origins)))
    stopped[origin] = 1
  }

  /** The marks that concern rows of a round before the step with this index: 1 for each origin that is stopped. */
  before(index: number, loops: LoopFrame | null): readonly Uint8Array[] {
    const found: Array<Uint8Array> = []
    for (const { from, to, byLoops } of this.#regions.values()) {
      if (index < from || index >= to) continue
      // Rows in a loop before the limit are in a round of the loop, within the round that the limit counts by.
      for (let frame = loops; ; frame = frame.outer) {
        const stopped = byLoops.get(frame)
        if (stopped !== undefined) found.push(stopped)
        if (frame === null || stopped !== undefined) break
      }
    }
    return found
  }
}

/** Index of the first step whose rows a limit stops: rows that wait for a round of a loop are left. */
const firstBefore = (limit: Step): number =>
  limit.traversal.steps.find((step) => step.traits.role !== "loopEntry")!.index
