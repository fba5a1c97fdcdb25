import type { ScriptClosure } from "../../ScriptClosure.ts"
import { ScriptTraversal } from "../../ScriptObjects.ts"
import { Suspension } from "../../Suspension.ts"
import { isTrue } from "../comparison/Truth.ts"
import type { Caller, Run } from "../methods/MemberCalls.ts"

/** Whether the value of an attempted call of a closure is true, as in Groovy. A traversal is true if it has a result. */
export function* isMet(called: unknown, closure: ScriptClosure, caller: Caller): Run<boolean> {
  const value = called instanceof Suspension ? yield* called.rest : called
  if (!(value instanceof ScriptTraversal)) return isTrue(value)
  return (yield* caller.hasNext(value, closure.givesOwnTraversals)) as boolean
}
