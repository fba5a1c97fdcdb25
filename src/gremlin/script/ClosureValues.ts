import { ComposedClosure, CurriedClosure, MemoizedClosure } from "../DerivedClosures.ts"
import { ScriptClosure } from "../ScriptClosure.ts"
import type { Budget } from "./Budget.ts"
import { asIndex } from "./MethodTable.ts"
import { OperandError } from "./OperandErrors.ts"

/** The value of a method of a closure that does not call the closure; undefined for another method. */
export const madeOf = (
  closure: ScriptClosure,
  name: string,
  args: readonly unknown[],
  budget: Budget
): { readonly value: unknown } | undefined => {
  const given = (from: number): readonly unknown[] => budget.list([...budget.members(args.slice(from))])
  switch (name) {
    case "curry":
      return { value: new CurriedClosure(closure, given(0), 0) }
    case "rcurry":
      return { value: new CurriedClosure(closure, given(0), -1) }
    case "ncurry": {
      const at = asIndex(args[0])
      if (at < 0)
        throw new OperandError("ncurry() takes the index of a parameter, 0 or more", "IllegalArgumentException")
      return { value: new CurriedClosure(closure, given(1), at) }
    }
    case "memoize":
      return args.length === 0 ? { value: new MemoizedClosure(closure) } : undefined
    case "getMaximumNumberOfParameters":
      return args.length === 0 ? { value: closure.parameterCount } : undefined
    case "toString":
      return args.length === 0 ? { value: String(closure) } : undefined
    case "rightShift":
    case "leftShift":
      return args[0] instanceof ScriptClosure
        ? { value: composed(name === "leftShift" ? "<<" : ">>", closure, args[0]) }
        : undefined
    default:
      return undefined
  }
}

/** `left >> right` calls the right closure with the value of the left one, and `left << right` the other way round. */
export const composed = (operator: "<<" | ">>", left: ScriptClosure, right: ScriptClosure): ScriptClosure =>
  operator === ">>" ? new ComposedClosure(left, right) : new ComposedClosure(right, left)
