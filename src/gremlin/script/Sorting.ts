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
    return yield* merged([...members], function* (a, b) {
      const compared = yield* caller.call(closure, [a, b])
      if (isNumber(compared)) return toDouble(compared)
      throw new OperandError(`a closure that compares two members returns a number, not ${typeName(compared)}`)
    })
  }
  const keyed: Array<{ readonly key: unknown; readonly member: unknown }> = []
  for (const member of members) keyed.push({ key: yield* caller.call(closure, [member]), member })
  const sorted = yield* merged(keyed, function* (a, b) {
    if (caller.budget.isSliceOver) yield { kind: "pause" }
    return binary("<=>", (a as { key: unknown }).key, (b as { key: unknown }).key, caller.budget) as number
  })
  return sorted.map((entry) => (entry as { member: unknown }).member)
}

/** A merge sort whose comparison may suspend. */
function* merged(items: Array<unknown>, compare: (a: unknown, b: unknown) => Run<number>): Run<Array<unknown>> {
  let from = items
  let to: Array<unknown> = new Array(items.length)
  for (let width = 1; width < items.length; width *= 2) {
    for (let start = 0; start < items.length; start += 2 * width) {
      const middle = Math.min(start + width, items.length)
      const end = Math.min(start + 2 * width, items.length)
      let left = start
      let right = middle
      for (let at = start; at < end; at++) {
        const isLeft = left < middle && (right >= end || (yield* compare(from[left], from[right])) <= 0)
        to[at] = isLeft ? from[left++] : from[right++]
      }
    }
    ;[from, to] = [to, from]
  }
  return from
}
