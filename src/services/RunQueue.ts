import * as Context from "effect/Context"

/** Work that is done in slices. */
export interface Sliced {
  /**
   * Works until about `until` (`performance.now()` ms). Returns true if more work can continue at once. Returns false if the work
   * has ended or waits. Work that waits calls `RunQueue.resume` afterwards.
   */
  slice(until: number): boolean
}

/**
 * Shares the event loop among all evaluations. Work gets a first slice at once, which is enough for a short request. Longer
 * work waits in one queue. Each turn of the event loop serves one slice of that queue, so that sockets are read between any
 * two slices, however many long requests there are.
 */
export class RunQueue extends Context.Tag("engine-server/RunQueue")<
  RunQueue,
  {
    /** Gives the first slice: now, or in the next turn when this turn has used up its share of first slices. */
    readonly start: (work: Sliced) => void
    /** Adds work that has waited to the end of the queue. */
    readonly resume: (work: Sliced) => void
    /** Whether this turn of the event loop has time left for first slices. */
    readonly hasTime: () => boolean
    /** Calls back once in this turn, after the sockets are read and before any long work. */
    readonly atTurnEnd: (callback: () => void) => void
    /** Number of queued items of work. */
    readonly length: () => number
  }
>() {}
