import * as Context from "effect/Context"

/** Work that can be done a slice at a time. */
export interface Sliced {
  /**
   * Works until about `until` (`performance.now()` ms). True: there is more, and it can go on at once. False: it has
   * ended, or it waits for something and hands itself to `RunQueue.resume` when that is there.
   */
  slice(until: number): boolean
}

/**
 * The order in which everything that evaluates shares the event loop. Work gets a first slice at once, which is all that
 * a short request needs. What outlives it stands in one queue, and each turn of the event loop serves one slice of that
 * queue, so that sockets are looked at between any two slices however many long requests there are.
 */
export class RunQueue extends Context.Tag("engine-server/RunQueue")<
  RunQueue,
  {
    /** Gives the first slice: now, or in the next turn when this turn has spent its share on first slices already. */
    readonly start: (work: Sliced) => void
    /** Puts work that waited at the end of the queue. */
    readonly resume: (work: Sliced) => void
    /** Whether this turn of the event loop has time left for first slices. */
    readonly hasTime: () => boolean
    /** Calls back once, after the sockets of this turn of the event loop were read and before any long work. */
    readonly atTurnEnd: (callback: () => void) => void
    /** Work that stands in the queue. */
    readonly length: () => number
  }
>() {}
