import { ComposedClosure, CurriedClosure, type DerivedClosure, MemoizedClosure } from "../../DerivedClosures.ts"
import { ScriptClosure } from "../../ScriptClosure.ts"
import type { Budget } from "../budget/Budget.ts"
import { asIndex } from "../methods/MethodTable.ts"
import { OperandError } from "../values/OperandErrors.ts"

/** Levels of closures that are made of others. A call of more levels would be too deep. */
const MAX_LEVELS = 500

/** Counts a closure that is made of others, and returns it. Fails with OperandError if it nests too deep. */
export const derived = <A extends DerivedClosure>(closure: A, budget: Budget): A => {
  if (closure.levels > MAX_LEVELS) {
    throw new OperandError(
      `the closure is made of others more than ${MAX_LEVELS} levels deep: call them in a loop`,
      "StackOverflowError"
    )
  }
  budget.created(CLOSURE_ITEMS)
  return closure
}

/** Items that a closure without a body counts as: its object, and what it keeps of its parts. */
const CLOSURE_ITEMS = 3

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
      return { value: derived(new CurriedClosure(closure, given(0), 0), budget) }
    case "rcurry":
      return { value: derived(new CurriedClosure(closure, given(0), -1), budget) }
    case "ncurry": {
      const at = asIndex(args[0])
      if (at < 0)
        throw new OperandError("ncurry() takes the index of a parameter, 0 or more", "IllegalArgumentException")
      return { value: derived(new CurriedClosure(closure, given(1), at), budget) }
    }
    case "memoize":
      return args.length === 0 ? { value: derived(new MemoizedClosure(closure), budget) } : undefined
    case "getMaximumNumberOfParameters":
      return args.length === 0 ? { value: closure.parameterCount } : undefined
    case "toString":
      return args.length === 0 ? { value: String(closure) } : undefined
    case "rightShift":
    case "leftShift":
      return args[0] instanceof ScriptClosure
        ? { value: composed(name === "leftShift" ? "<<" : ">>", closure, args[0], budget) }
        : undefined
    default:
      return undefined
  }
}

/**
 * `left >> right` calls the right closure with the value of the left one, and `left << right` the other way round. Fails with
 * OperandError for closures that nest too deep.
 */
export const composed = (
  operator: "<<" | ">>",
  left: ScriptClosure,
  right: ScriptClosure,
  budget: Budget
): ScriptClosure =>
  derived(operator === ">>" ? new ComposedClosure(left, right) : new ComposedClosure(right, left), budget)
