import type { ScriptRun } from "../../HostCall.ts"
import type { ScriptClosure } from "../../ScriptClosure.ts"
import { type Caller, ended } from "../methods/MemberCalls.ts"
import type { Counter } from "../objects/Counters.ts"

interface CounterMethod {
  /** Number of arguments before the closure. */
  readonly count: 0 | 1
  readonly run: (counter: Counter, closure: ScriptClosure, args: readonly unknown[], caller: Caller) => ScriptRun
}

/** A method that sets the result of a closure, and gives the number before or after. */
const updating = (count: 0 | 1, gives: "before" | "after"): CounterMethod => ({
  count,
  *run(counter, closure, args, caller) {
    const before = counter.value
    const given = args.map((arg) => counter.asOwn(arg))
    counter.update(yield* ended(caller.attemptCall(closure, [before, ...given])))
    return gives === "before" ? before : counter.value
  }
})

/** Methods of an AtomicInteger or an AtomicLong whose last argument is a closure. */
export const counterClosureMethods: { readonly [name: string]: CounterMethod } = {
  updateAndGet: updating(0, "after"),
  getAndUpdate: updating(0, "before"),
  accumulateAndGet: updating(1, "after"),
  getAndAccumulate: updating(1, "before")
}
