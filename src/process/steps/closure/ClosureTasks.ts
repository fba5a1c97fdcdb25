import type { Task } from "../../../scheduling/Task.ts"
import { toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { nameOf } from "../../language/Arguments.ts"
import type { Closure, ClosureCall, ClosureProgress } from "../../language/Closure.ts"
import { TraversalError } from "../../language/Errors.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { Run } from "../../plan/Run.ts"

/** The key of the open calls of a run. */
const OPEN_CALLS = Object.freeze({})

/** The calls that wait. They are closed when the run ends. */
export const openCalls = (run: Run): Set<ClosureCall> =>
  run.sharedBy(OPEN_CALLS, () => {
    const calls = new Set<ClosureCall>()
    run.onClose(() => {
      for (const call of calls) call.close()
    })
    return calls
  })

/**
 * Calls a closure in a task that runs inside of the run() or flush() of a step. The run waits for what the call waits for.
 *
 * @param isOwn the first argument and the result belong to the closure, so they are not copied
 */
export function* called(closure: Closure, args: readonly unknown[], { run }: Activation, isOwn = false): Task<unknown> {
  if (run.slice.isOver()) yield
  const call = closure.begin(args, isOwn)
  return yield* ended(call, call.advance(), run)
}

/** The value of a call that has come so far. */
function* ended(call: ClosureCall, begun: ClosureProgress, run: Run): Task<unknown> {
  let progress = begun
  if (progress === "done") return call.result ?? null
  const open = openCalls(run)
  open.add(call)
  while (progress !== "done") {
    if (progress !== "slice") run.waitFor(progress)
    yield
    progress = call.advance()
  }
  open.delete(call)
  return call.result ?? null
}

/** A number that may be there at once. */
export type Later = number | Task<number>

/** The value of a closure that compares two objects. Throws TraversalError if it is no number. */
export const compared = (closure: Closure, a: unknown, b: unknown, { run }: Activation): Later => {
  if (run.slice.isOver()) return comparedLater(closure, a, b, run)
  const call = closure.begin([a, b])
  const progress = call.advance()
  return progress === "done" ? asOrder(call.result) : orderOf(ended(call, progress, run))
}

function* comparedLater(closure: Closure, a: unknown, b: unknown, run: Run): Task<number> {
  yield
  const call = closure.begin([a, b])
  return asOrder(yield* ended(call, call.advance(), run))
}

function* orderOf(result: Task<unknown>): Task<number> {
  return asOrder(yield* result)
}

const asOrder = (result: unknown): number => {
  if (isNumber(result)) return toDouble(result)
  throw new TraversalError(`The closure of by() that compares gives a number, such as a <=> b, not ${nameOf(result)}.`)
}
