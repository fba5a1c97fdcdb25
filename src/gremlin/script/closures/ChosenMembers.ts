import { GremlinMap, GremlinSet, MapEntry } from "../../../structure/collections/Collections.ts"
import type { ScriptClosure } from "../../ScriptClosure.ts"
import { Suspension } from "../../Suspension.ts"
import type { Budget } from "../budget/Budget.ts"
import { type Caller, callWith, ended, type Members, type Run } from "../methods/MemberCalls.ts"
import { Visit, visited } from "../methods/Visits.ts"
import { mapLike, setLike } from "../values/SortedCollections.ts"
import { isMet } from "./Conditions.ts"

/** The members for which the closure returns `wanted`. */
export function* chosen(
  members: Members,
  closure: ScriptClosure,
  caller: Caller,
  wanted: boolean
): Run<Array<unknown>> {
  const found: Array<unknown> = []
  const visit = new Visit(members)
  while (visit.next()) {
    const { member } = visit
    const called = callWith(caller, closure, members, member)
    // Most closures give a boolean at once, and no generator is made for them.
    const met = typeof called === "boolean" ? called : yield* isMet(called, closure, caller)
    if (met === wanted) found.push(member)
  }
  return found
}

/** The members as a collection like the receiver: entries of a map as a map, members of a set as a set. */
export const likeReceiver = ({ of }: Members, found: Array<unknown>, budget: Budget): unknown => {
  budget.list(found)
  if (of instanceof GremlinMap)
    return mapLike(
      of,
      (found as MapEntry[]).map(({ key, value }) => [key, value] as const)
    )
  return of instanceof GremlinSet ? setLike(of, found) : found
}

/** The results of the closure for all members. */
export function* mapped(members: Members, closure: ScriptClosure, caller: Caller): Run<Array<unknown>> {
  const values: Array<unknown> = []
  const visit = new Visit(members)
  while (visit.next()) {
    const called = callWith(caller, closure, members, visit.member)
    values.push(caller.budget.member(called instanceof Suspension ? yield* called.rest : called))
  }
  return caller.budget.list(values)
}

/** The members by the results of the closure. */
export function* grouped(members: Members, closure: ScriptClosure, caller: Caller): Run<GremlinMap> {
  const { budget } = caller
  const groups = new GremlinMap()
  for (const member of visited(members.of, members.list)) {
    const key = budget.key(budget.keyMember(yield* ended(callWith(caller, closure, members, member))))
    const group = groups.get(key) as GremlinMap | Array<unknown> | undefined
    if (member instanceof MapEntry && members.of instanceof GremlinMap) {
      if (group === undefined) groups.set(key, new GremlinMap([[member.key, member.value]]))
      else (group as GremlinMap).set(member.key, member.value)
    } else if (group === undefined) groups.set(key, [budget.member(member)])
    else (group as Array<unknown>).push(budget.member(member))
  }
  budget.list([...members.list])
  return groups
}
