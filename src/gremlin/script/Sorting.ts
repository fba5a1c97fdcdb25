import { sortWaiting } from "../../scheduling/Sorting.ts"
import { toDouble } from "../../structure/Arithmetic.ts"
import { isNumber } from "../../structure/Numbers.ts"
import { typeName } from "../../structure/TypeNames.ts"
import type { Evaluation, HostCall } from "../Scope.ts"
import type { ScriptClosure } from "../ScriptClosure.ts"
import { type Budget, OperandError } from "./Budget.ts"
import { binary } from "./Operators.ts"

interface SortCaller {
  readonly budget: Budget
  call(closure: ScriptClosure, args: readonly unknown[]): Evaluation
}

type Run<A> = Generator<HostCall, A, unknown>

/**
 * Sorts members by a closure. A closure of one parameter returns the key by which a member is sorted; a closure of two parameters
 * compares two members. The sort is stable.
 */
export function* sortedBy(
  members: readonly unknown[],
  closure: ScriptClosure,
  caller: SortCaller
): Run<Array<unknown>> {
  caller.budget.spend(members.length, "sort()")
  if (closure.parameterCount === 2) {
    return yield* sortWaiting(members, function* (a, b): Run<number> {
      const compared = yield* caller.call(closure, [a, b])
      if (isNumber(compared)) return toDouble(compared)
      throw new OperandError(`a closure that compares two members returns a number, not ${typeName(compared)}`)
    })
  }
  const keyed: Array<{ readonly key: unknown; readonly member: unknown }> = []
  for (const member of members) keyed.push({ key: yield* caller.call(closure, [member]), member })
  const sorted = yield* sortWaiting(keyed, function* (a, b): Run<number> {
    if (caller.budget.isSliceOver) yield { kind: "pause" }
    return binary("<=>", a.key, b.key, caller.budget) as number
  })
  return sorted.map(({ member }) => member)
}
