import { errorOf } from "./Pending.ts"
import { TimeSlice } from "./TimeSlice.ts"

/**
 * Cooperative work: a generator that yields where other work may run, and returns its result. Between two yields it works at
 * most for the rest of its {@link TimeSlice} and one more operation.
 */
export type Task<A = void> = Generator<undefined, A, undefined>

/** Milliseconds of one slice of {@link runInSlices}. */
const SLICE_MS = 2

/** Runs a task to its end without a pause, and returns its result: for work that is known to be short. */
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
  let endedAt: number | undefined
  const advance = (): void => {
    const now = performance.now()
    const until = now + SLICE_MS
    if (endedAt !== undefined) slice.pausedMs += now - endedAt
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
    else {
      endedAt = performance.now()
      setImmediate(advance)
    }
  }
  advance()
}

/** Runs a task as {@link runInSlices} does; a short one ends in the first slice, without a timer. Fails with what it threw. */
export const resultInSlices = <A>(start: () => Iterator<unknown, A>): Promise<A> =>
  new Promise((resolve, reject) => {
    runInSlices(start, (error, result) => (error === undefined ? resolve(result!) : reject(error)))
  })
