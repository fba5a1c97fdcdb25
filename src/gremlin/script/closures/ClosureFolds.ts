import { MapEntry } from "../../../structure/collections/Collections.ts"
import type { ScriptRun } from "../../HostCall.ts"
import type { ScriptClosure } from "../../ScriptClosure.ts"
import { asOrder } from "../collections/Sorting.ts"
import { type Caller, callWith, ended, type Members, type Run } from "../methods/MemberCalls.ts"
import { visited } from "../methods/Visits.ts"
import { binary } from "../operators/Operators.ts"
import { OperandError } from "../values/OperandErrors.ts"

/** The member for which the closure has the smallest (sign -1) or largest (sign 1) value. A closure of two parameters compares members. */
export function* extremeBy(members: Members, closure: ScriptClosure, caller: Caller, sign: 1 | -1): Run<unknown> {
  let best: unknown = null
  let bestValue: unknown
  let isFirst = true
  for (const member of visited(members.of, members.list)) {
    // As in Groovy, the closure of a map compares two entries, too.
    if (closure.parameterCount === 2) {
      const compared = isFirst ? 0 : asOrder(yield* ended(caller.attemptCall(closure, [member, best])))
      if (isFirst || compared * sign > 0) best = member
    } else {
      const value = yield* ended(callWith(caller, closure, members, member))
      if (isFirst || (binary("<=>", value, bestValue, caller.budget) as number) * sign > 0) {
        best = member
        bestValue = value
      }
    }
    isFirst = false
  }
  return best
}

/** `inject(first) { value, member -> ... }`: the value of the last call. */
export function* injected(
  members: Members,
  closure: ScriptClosure,
  args: readonly unknown[],
  caller: Caller
): ScriptRun {
  if (args.length === 0 && members.list.length === 0) {
    throw new OperandError(
      "inject() has no result for an empty collection: give it a first value",
      "NoSuchElementException"
    )
  }
  let isFirst = args.length === 0
  let value: unknown = args[0] ?? null
  for (const member of visited(members.of, members.list)) {
    if (isFirst) value = member
    else
      value =
        closure.parameterCount === 3 && member instanceof MapEntry
          ? yield* ended(caller.attemptCall(closure, [value, member.key, member.value]))
          : yield* ended(caller.attemptCall(closure, [value, member]))
    isFirst = false
  }
  return value
}
