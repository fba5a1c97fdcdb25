import { errorOf } from "./Pending.ts"
import { TimeSlice } from "./TimeSlice.ts"

/**
 * Cooperative work: a generator that yields where others may run, and returns its result. What it does between two
 * yields takes at most the rest of its {@link TimeSlice} and one operation.
 */
export type Task<A = void> = Generator<undefined, A, undefined>

/** Milliseconds that {@link runInSlices} works at a time. */
const SLICE_MS = 2

/** Runs a task to its end without giving way, and returns its result: for work that is known to be short. */
export const runWhole = <A>(task: Iterator<unknown, A>): A => {
  for (;;) {
    const next = task.next()
    if (next.done === true) return next.value
  }
}

/**
 * Runs a task in slices of 2 ms, the first one at once and each other one in a later turn of the event loop, and reports
 * its result or what it threw.
 */
export const runInSlices = <A>(
  start: (slice: TimeSlice) => Iterator<unknown, A>,
  onEnd: (error: Error | undefined, result?: A) => void
): void => {
  const slice = new TimeSlice()
  let task: Iterator<unknown, A> | undefined
  const advance = (): void => {
    const until = performance.now() + SLICE_MS
    slice.restart(until)
    let next: IteratorResult<unknown, A>
    try {
      task ??= start(slice)
      do next = task.next()
      while (next.done !== true && performance.now() < until)
    } catch (error) {
      onEnd(errorOf(error))
      return
    }
    if (next.done === true) onEnd(undefined, next.value)
    else setImmediate(advance)
  }
  advance()
}
