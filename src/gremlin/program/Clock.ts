import { double } from "../../structure/numbers/Numbers.ts"
import type { ScriptRun } from "../HostCall.ts"
import { ScriptClosure } from "../ScriptClosure.ts"
import { OperandError } from "../script/values/OperandErrors.ts"
import type { Runtime } from "./Frame.ts"

/** Calls of the closure that are timed if a call names no number. */
const DEFAULT_CALLS = 100

/**
 * `clock(n) { ... }` and `clockWithResult(n) { ... }` of the Gremlin Console and of Gremlin Server: the mean milliseconds of n calls of a
 * closure, after one call that is not timed; the second function also gives the result of the last call.
 */
export function* clocked(name: string, args: readonly unknown[], runtime: Runtime): ScriptRun {
  const closure = args.at(-1)
  const count = args.length === 1 ? DEFAULT_CALLS : args[0]
  if (!(closure instanceof ScriptClosure) || args.length > 2 || typeof count !== "number" || !Number.isInteger(count)) {
    throw new OperandError(
      `${name}() takes a number of calls and a closure, such as ${name}(10) { g.V().count().next() }`
    )
  }
  let result = yield* runtime.call(closure, [])
  const begin = performance.now()
  for (let calls = 0; calls < count; calls++) result = yield* runtime.call(closure, [])
  const mean = double(count > 0 ? (performance.now() - begin) / count : Number.NaN)
  return name === "clock" ? mean : runtime.budget.list([mean, runtime.budget.member(result)])
}
