import { sortWaiting } from "../../../scheduling/Sorting.ts"
import { toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { isInt, isNumber } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { HostCall, ScriptRun } from "../../HostCall.ts"
import type { ScriptClosure } from "../../ScriptClosure.ts"
import { Suspension } from "../../Suspension.ts"
import type { Budget } from "../budget/Budget.ts"
import { SortOrder } from "../comparison/GroovyOrder.ts"
import { javaCast } from "../types/Casts.ts"
import { OperandError } from "../values/OperandErrors.ts"

interface SortCaller {
  readonly budget: Budget
  /** The value of a call, or a {@link Suspension}. */
  attemptCall(closure: ScriptClosure, args: readonly unknown[]): unknown
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
  // As in Java, nothing is compared.
  if (members.length < 2) return [...members]
  if (closure.parameterCount === 2) {
    return yield* sortWaiting(members, (a, b) => {
      const compared = caller.attemptCall(closure, [a, b])
      return compared instanceof Suspension ? laterOrder(compared.rest) : asOrder(compared)
    })
  }
  const keyed: Array<Keyed> = []
  for (const member of members) {
    const key = caller.attemptCall(closure, [member])
    keyed.push({ key: key instanceof Suspension ? yield* key.rest : key, member })
  }
  const order = new SortOrder(caller.budget)
  const ordered = (a: Keyed, b: Keyed): number => {
    caller.budget.ordered(a.key, b.key)
    return order.compare(a.key, b.key)
  }
  const sorted = yield* sortWaiting(keyed, (a, b) =>
    caller.budget.isSliceOver ? afterPause(() => ordered(a, b)) : ordered(a, b)
  )
  return sorted.map(({ member }) => member)
}

/** A member with the value by which it is sorted. */
interface Keyed {
  readonly key: unknown
  readonly member: unknown
}

/**
 * The result of a closure that compares two members. As in Groovy it is an Int: 0.5 is 0, and a Long loses its high bits. Fails with
 * OperandError for a value that is no number.
 */
export const asOrder = (compared: unknown): number => {
  if (typeof compared === "number" && isInt(compared)) return compared
  if (isNumber(compared)) return toDouble(javaCast(compared, "Int"))
  throw new OperandError(`a closure that compares two members returns a number, not ${typeName(compared)}`)
}

function* laterOrder(rest: ScriptRun): Run<number> {
  return asOrder(yield* rest)
}

function* afterPause(order: () => number): Run<number> {
  yield { kind: "pause" }
  return order()
}
