import { GremlinMap, MapEntry } from "../../../structure/collections/Collections.ts"
import type { HostCall, ScriptRun } from "../../HostCall.ts"
import type { ScriptClosure } from "../../ScriptClosure.ts"
import type { ScriptTraversal } from "../../ScriptObjects.ts"
import { Suspension } from "../../Suspension.ts"
import type { Budget } from "../budget/Budget.ts"

/** What the methods that call closures need. */
export interface Caller {
  readonly budget: Budget
  /** The value of a call if it needs neither the host nor a pause, and a {@link Suspension} otherwise. Faster than {@link call}. */
  attemptCall(closure: ScriptClosure, args: readonly unknown[]): unknown
  call(closure: ScriptClosure, args: readonly unknown[]): ScriptRun
  /**
   * Whether a traversal has a result that is not taken yet. All results of a traversal that has not run are kept for later methods, unless
   * it is the `isOwn` result of a closure: then it gives one result at most. See {@link ScriptClosure.givesOwnTraversals}.
   */
  hasNext(traversal: ScriptTraversal, isOwn?: boolean): ScriptRun
}

/** A method that calls its last argument, a closure, for members. */
export type ClosureMethod = (
  members: Members,
  closure: ScriptClosure,
  args: readonly unknown[],
  caller: Caller
) => ScriptRun

/** A run of a method that calls closures. */
export type Run<A> = Generator<HostCall, A, unknown>

/** The members that a method visits. Those of a map are its entries. */
export interface Members {
  readonly list: readonly unknown[]
  /** The receiver of the method: the collection, map or iterator. */
  readonly of: unknown
}

/**
 * Attempts to call a closure with a member. A closure of two parameters gets the key and the value of an entry of a map. Most calls
 * give their value at once, and no generator is made for them.
 */
export const callWith = (caller: Caller, closure: ScriptClosure, { of }: Members, member: unknown): unknown =>
  of instanceof GremlinMap && closure.parameterCount === 2 && member instanceof MapEntry
    ? caller.attemptCall(closure, [member.key, member.value])
    : caller.attemptCall(closure, [member])

/** The value of an attempted call. */
export function* ended(called: unknown): ScriptRun {
  return called instanceof Suspension ? yield* called.rest : called
}
