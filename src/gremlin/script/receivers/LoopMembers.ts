import { GremlinMap } from "../../../structure/collections/Collections.ts"
import type { HostCall, ScriptRun } from "../../HostCall.ts"
import { ScriptTraversal } from "../../ScriptObjects.ts"
import type { Budget } from "../budget/Budget.ts"
import { ScriptMatcher } from "../objects/Matchers.ts"
import { ScriptStream } from "../streams/Streams.ts"
import { liveEntries } from "../values/MapParts.ts"
import { isMembers, membersOf } from "../values/Members.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"

/**
 * The members that a loop visits. Fails with OperandError for a value without members.
 *
 * @param results takes the results of a traversal that are left
 */
export function* loopMembers(
  value: unknown,
  budget: Budget,
  results: (traversal: ScriptTraversal) => ScriptRun
): Generator<HostCall, readonly unknown[], unknown> {
  if (value === null || value === undefined) return []
  if (value instanceof ScriptTraversal) return (yield* results(value)) as unknown[]
  if (value instanceof ScriptIterator) return value.rest()
  if (value instanceof ScriptStream) return value.take(budget)
  if (typeof value === "string") return budget.list([...budget.whole(value)])
  if (value instanceof GremlinMap) return budget.list(liveEntries(value))
  if (value instanceof ScriptMatcher) {
    return (yield* value.find(budget)).map(({ groups }) => (groups.length === 1 ? groups[0] : [...groups]))
  }
  if (!isMembers(value)) return [value]
  budget.visited(value)
  return [...membersOf(value, "a loop")]
}
