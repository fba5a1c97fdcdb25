import type { LoopFrame } from "../plan/Batch.ts"
import { ByRound } from "../plan/ByRound.ts"
import type { Step } from "../plan/Step.ts"

/** The range of steps before a limit, by index, and the origins that are stopped in it. */
interface Region {
  readonly from: number
  readonly to: number
  /** For each round: 1 for each stopped origin. */
  readonly byRound: ByRound<Uint8Array>
}

/** The stops of a round with a single origin, for all rounds. */
const ONLY_ORIGIN = new Uint8Array([1])

/**
 * The rows of one activation that are dropped because a later limit is reached, by limit, round and origin. A limit stops the
 * steps before it in its traversal, including their branches and loops.
 */
export class Stops {
  readonly #regions = new Map<Step, Region>()

  /** Stops one of `origins` origins in one round before a limit. */
  add(limit: Step, loops: LoopFrame | null, origin: number, origins: number): void {
    let region = this.#regions.get(limit)
    if (region === undefined) {
      this.#regions.set(limit, (region = { from: firstBefore(limit), to: limit.index, byRound: new ByRound() }))
    }
    if (origins === 1) {
      region.byRound.set(loops, ONLY_ORIGIN)
      return
    }
    let stopped = region.byRound.get(loops)
    if (stopped === undefined) region.byRound.set(loops, (stopped = new Uint8Array(origins)))
    stopped[origin] = 1
  }

  /** The stops that apply to rows of a round before the step with this index: 1 for each stopped origin. */
  before(index: number, loops: LoopFrame | null): readonly Uint8Array[] {
    const found: Array<Uint8Array> = []
    for (const { byRound, from, to } of this.#regions.values()) {
      if (index < from || index >= to) continue
      // The rows may be in inner loops, whose rounds are inside the round of the limit.
      for (let frame = loops; ; frame = frame.outer) {
        const stopped = byRound.get(frame)
        if (stopped !== undefined) found.push(stopped)
        if (frame === null || stopped !== undefined) break
      }
    }
    return found
  }
}

/** Index of the first step whose rows a limit stops. Rows that wait for a round of the loop are not stopped. */
const firstBefore = (limit: Step): number =>
  limit.traversal.steps.find((step) => step.traits.role !== "loopEntry")!.index
