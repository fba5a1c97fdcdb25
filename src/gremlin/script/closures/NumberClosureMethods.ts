import { toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import type { ScriptRun } from "../../HostCall.ts"
import type { ScriptClosure } from "../../ScriptClosure.ts"
import { Suspension } from "../../Suspension.ts"
import type { Caller } from "../methods/MemberCalls.ts"
import { binary } from "../operators/Operators.ts"
import { OperandError } from "../values/OperandErrors.ts"

/** Methods of numbers that take a closure. */
export const numberClosureMethods: {
  readonly [name: string]: (
    value: unknown,
    closure: ScriptClosure,
    args: readonly unknown[],
    caller: Caller
  ) => ScriptRun
} = {
  *times(value, closure, _, caller) {
    const count = Math.trunc(toDouble(value as number))
    for (let at = 0; at < count; at++) {
      const called = caller.attemptCall(closure, [at])
      if (called instanceof Suspension) yield* called.rest
    }
    return null
  },
  *upto(value, closure, [last], caller) {
    if (!isNumber(last)) throw new OperandError("upto() takes a number and a closure")
    let at: unknown = value
    while (binary("<=", at, last, caller.budget) === true) {
      const called = caller.attemptCall(closure, [at])
      if (called instanceof Suspension) yield* called.rest
      at = binary("+", at, 1, caller.budget)
    }
    return null
  },
  *downto(value, closure, [last], caller) {
    if (!isNumber(last)) throw new OperandError("downto() takes a number and a closure")
    let at: unknown = value
    while (binary(">=", at, last, caller.budget) === true) {
      const called = caller.attemptCall(closure, [at])
      if (called instanceof Suspension) yield* called.rest
      at = binary("-", at, 1, caller.budget)
    }
    return null
  },
  *step(value, closure, [last, width], caller) {
    if (!isNumber(last) || !isNumber(width) || toDouble(width) === 0) {
      throw new OperandError("step() takes the end, a width that is not 0, and a closure")
    }
    const isUp = toDouble(width) > 0
    let at: unknown = value
    while (binary(isUp ? "<" : ">", at, last, caller.budget) === true) {
      const called = caller.attemptCall(closure, [at])
      if (called instanceof Suspension) yield* called.rest
      at = binary("+", at, width, caller.budget)
    }
    return null
  }
}
