import { ScriptTraversal } from "../../Scope.ts"
import { Suspension } from "../../Suspension.ts"
import { isTrue } from "../comparison/Truth.ts"
import type { Caller, Run } from "../methods/MemberCalls.ts"

/** Whether the value of an attempted call is true, as in Groovy. A traversal is true if it has a result. */
export function* isMet(called: unknown, caller: Caller): Run<boolean> {
  const value = called instanceof Suspension ? yield* called.rest : called
  return value instanceof ScriptTraversal ? ((yield* caller.hasNext(value)) as boolean) : isTrue(value)
}
