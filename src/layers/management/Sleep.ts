import { TraversalError } from "../../process/language/Errors.ts"
import type { Pending } from "../../scheduling/Pending.ts"
import { numberOf, refuseSurplus, Waiting } from "./ScriptObject.ts"

/** A timer lives no longer, so that a long wait of a request that has ended holds nothing. */
const PART_MS = 100

/** A part of a wait; undefined when the wait is over. `until`: `performance.now()`, ms. */
const partOf = (until: number): Pending | undefined => {
  const left = until - performance.now()
  if (left <= 0) return undefined
  return { onDone: (resume) => void setTimeout(resume, Math.min(left, PART_MS), undefined) }
}

/**
 * `Thread.sleep(milliseconds)`: the request waits, and others run meanwhile. It keeps its lane of the pool, and its time limit and a
 * cancellation end the wait. Throws TraversalError for a negative time, and for NaN, which would never be over.
 */
export const sleep = (args: ReadonlyArray<unknown>): Waiting => {
  refuseSurplus("sleep", args, 1)
  const milliseconds = numberOf(args[0], "sleep")
  if (!(milliseconds >= 0))
    throw new TraversalError("Thread.sleep() takes a time in milliseconds, which is a number and not negative.")
  const until = performance.now() + milliseconds
  const later = partOf(until)
  return new Waiting(later === undefined ? { value: null } : { later, rest: () => partOf(until), value: () => null })
}
