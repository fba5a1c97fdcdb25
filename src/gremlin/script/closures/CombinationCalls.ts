import type { ScriptClosure } from "../../ScriptClosure.ts"
import { combinationsOf, differentPermutationsOf, permutationsOf } from "../collections/Combinations.ts"
import { type Caller, type ClosureMethod, callWith, ended, type Run } from "../methods/MemberCalls.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"

/** Calls a closure for each of several lists of arguments. */
function* eachResult(lists: Iterable<unknown>, closure: ScriptClosure, caller: Caller): Run<void> {
  for (const list of lists) yield* ended(callWith(caller, closure, { list: [], of: lists }, list))
}

/** The results of a closure for each of several lists of arguments. */
function* calledWithEach(lists: Iterable<unknown>, closure: ScriptClosure, caller: Caller): Run<Array<unknown>> {
  const values: Array<unknown> = []
  for (const list of lists) {
    const called = callWith(caller, closure, { list: [], of: lists }, list)
    values.push(caller.budget.member(yield* ended(called)))
  }
  return caller.budget.list(values)
}

/** The methods that call a closure for members that are chosen in all ways. */
export const combinationClosureMethods: { readonly [name: string]: ClosureMethod } = {
  *combinations({ list }, closure, _, caller) {
    return yield* calledWithEach(combinationsOf(list, caller.budget), closure, caller)
  },
  *eachCombination({ list }, closure, _, caller) {
    yield* eachResult(combinationsOf(list, caller.budget), closure, caller)
    return null
  },
  *permutations({ list }, closure, _, caller) {
    return yield* calledWithEach(differentPermutationsOf(list, caller.budget), closure, caller)
  },
  *eachPermutation({ list }, closure, _, caller) {
    yield* eachResult(permutationsOf(list, caller.budget), closure, caller)
    // Groovy gives its iterator over the orders, which is at its end.
    return new ScriptIterator([])
  }
}
