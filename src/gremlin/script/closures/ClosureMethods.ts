import { GremlinMap, GremlinSet, MapEntry } from "../../../structure/collections/Collections.ts"
import { MapValues } from "../../../structure/collections/MapValues.ts"
import type { ScriptClosure } from "../../ScriptClosure.ts"
import { Suspension } from "../../Suspension.ts"
import type { Budget } from "../budget/Budget.ts"
import { sumOf } from "../collections/CollectionMethods.ts"
import { putEntry } from "../collections/Slices.ts"
import { asOrder, sortedBy } from "../collections/Sorting.ts"
import { type Caller, type ClosureMethod, callWith, ended, type Members, type Run } from "../methods/MemberCalls.ts"
import { asIndex } from "../methods/MethodTable.ts"
import { assertStillIn, assertUnchanged, Visit, visited } from "../methods/Visits.ts"
import { binary } from "../operators/Operators.ts"
import { checkChange, checkGrows } from "../values/Changeable.ts"
import { EntrySet, liveEntries } from "../values/MapParts.ts"
import { membersOf } from "../values/Members.ts"
import { Unavailable } from "../values/OperandErrors.ts"
import { RangeList } from "../values/RangeList.ts"
import { chosen, grouped, likeReceiver, mapped } from "./ChosenMembers.ts"
import { extremeBy, injected } from "./ClosureFolds.ts"
import { combinationClosureMethods } from "./CombinationCalls.ts"
import { isMet } from "./Conditions.ts"

/** Methods of collections, maps and iterators that take a closure as their last argument, by name. */
export const memberClosureMethods: { readonly [name: string]: ClosureMethod } = {
  ...combinationClosureMethods,
  *each(members, closure, _, caller) {
    const visit = new Visit(members)
    while (visit.next()) {
      const called = callWith(caller, closure, members, visit.member)
      if (called instanceof Suspension) yield* called.rest
    }
    return members.of
  },
  *reverseEach(members, closure, _, caller) {
    for (const member of members.list.toReversed()) {
      assertUnchanged(members.of, members.list.length)
      yield* ended(callWith(caller, closure, members, member))
    }
    return members.of
  },
  *eachWithIndex(members, closure, _, caller) {
    let index = 0
    for (const member of visited(members.of, members.list)) {
      if (closure.parameterCount === 3 && member instanceof MapEntry) {
        yield* ended(caller.attemptCall(closure, [member.key, member.value, index++]))
      } else yield* ended(caller.attemptCall(closure, [member, index++]))
    }
    return members.of
  },
  *collect(members, closure, _, caller) {
    return yield* mapped(members, closure, caller)
  },
  *collectMany(members, closure, _, caller) {
    const { budget } = caller
    const values: Array<unknown> = []
    for (const member of visited(members.of, members.list)) {
      const list = yield* ended(callWith(caller, closure, members, member))
      const added = Array.isArray(list) || list instanceof GremlinSet ? membersOf(list, "collectMany()") : [list]
      budget.grown(values.length + added.length, "collectMany()")
      budget.spend(added.length, "collectMany()")
      for (const each of budget.members(added)) values.push(each)
    }
    return budget.list(values)
  },
  *collectEntries(members, closure, _, caller) {
    const map = new GremlinMap()
    for (const member of visited(members.of, members.list)) {
      putEntry(map, yield* ended(callWith(caller, closure, members, member)), caller.budget)
    }
    return map
  },
  *find(members, closure, _, caller) {
    for (const member of visited(members.of, members.list))
      if (yield* isMet(callWith(caller, closure, members, member), closure, caller)) return member
    return null
  },
  *findResult(members, closure, _, caller) {
    for (const member of visited(members.of, members.list)) {
      const value = yield* ended(callWith(caller, closure, members, member))
      if (value !== null) return value
    }
    return null
  },
  *findResults(members, closure, _, caller) {
    return (yield* mapped(members, closure, caller)).filter((value) => value !== null)
  },
  *findAll(members, closure, _, caller) {
    return likeReceiver(members, yield* chosen(members, closure, caller, true), caller.budget)
  },
  *findIndexOf(members, closure, _, caller) {
    let index = 0
    for (const member of visited(members.of, members.list)) {
      if (yield* isMet(callWith(caller, closure, members, member), closure, caller)) return index
      index++
    }
    return -1
  },
  *findLastIndexOf(members, closure, _, caller) {
    let index = 0
    let found = -1
    for (const member of visited(members.of, members.list)) {
      if (yield* isMet(callWith(caller, closure, members, member), closure, caller)) found = index
      index++
    }
    return found
  },
  *findIndexValues(members, closure, _, caller) {
    const found: Array<unknown> = []
    let index = 0n
    for (const member of visited(members.of, members.list)) {
      if (yield* isMet(callWith(caller, closure, members, member), closure, caller)) found.push(index)
      index++
    }
    return caller.budget.list(found)
  },
  *any(members, closure, _, caller) {
    for (const member of visited(members.of, members.list))
      if (yield* isMet(callWith(caller, closure, members, member), closure, caller)) return true
    return false
  },
  *every(members, closure, _, caller) {
    for (const member of visited(members.of, members.list))
      if (!(yield* isMet(callWith(caller, closure, members, member), closure, caller))) return false
    return true
  },
  *count(members, closure, _, caller) {
    return (yield* chosen(members, closure, caller, true)).length
  },
  *sum(members, closure, _, caller) {
    const values = yield* mapped(members, closure, caller)
    return values.length === 0 ? null : sumOf(values.slice(1), values[0], "sum()", caller.budget)
  },
  min: (members, closure, _, caller) => extremeBy(members, closure, caller, -1),
  max: (members, closure, _, caller) => extremeBy(members, closure, caller, 1),
  inject: injected,
  *groupBy(members, closure, args, caller) {
    // As in Groovy, each further closure groups the groups of those before it.
    const [first = closure, ...others] = [...args, closure] as ScriptClosure[]
    const groups = yield* grouped(members, first, caller)
    const [next, ...rest] = others.toReversed()
    if (next === undefined) return groups
    for (const [key, group] of groups) {
      const inside: Members = { list: Array.isArray(group) ? group : liveEntries(group as GremlinMap), of: group }
      groups.set(key, yield* memberClosureMethods.groupBy!(inside, next, rest.toReversed(), caller))
    }
    return groups
  },
  *average(members, closure, _, caller) {
    const values = yield* mapped(members, closure, caller)
    if (values.length === 0) throw new Unavailable("average() of an empty collection has no result")
    return binary("/", sumOf(values.slice(1), values[0], "average()", caller.budget), values.length, caller.budget)
  },
  *replaceAll(members, closure, _, caller) {
    checkChange(members.of, "set")
    const values = yield* mapped(members, closure, caller)
    if (!Array.isArray(members.of) || members.of instanceof MapValues) {
      throw new Unavailable("replaceAll() with a closure is a method of lists, maps and strings")
    }
    replaced(members, values, caller.budget)
    return null
  },
  *countBy(members, closure, _, caller) {
    const counts = new GremlinMap()
    for (const key of yield* mapped(members, closure, caller)) counts.set(key, ((counts.get(key) as number) ?? 0) + 1)
    return counts
  },
  *split(members, closure, _, caller) {
    const yes: Array<unknown> = []
    const no: Array<unknown> = []
    for (const member of visited(members.of, members.list)) {
      ;((yield* isMet(callWith(caller, closure, members, member), closure, caller)) ? yes : no).push(member)
    }
    return [caller.budget.list(yes), caller.budget.list(no)]
  },
  *partition(members, closure, args, caller) {
    return yield* memberClosureMethods.split!(members, closure, args, caller)
  },
  *takeWhile(members, closure, _, caller) {
    const taken: Array<unknown> = []
    for (const member of visited(members.of, members.list)) {
      if (!(yield* isMet(callWith(caller, closure, members, member), closure, caller))) break
      taken.push(member)
    }
    return likeReceiver(members, taken, caller.budget)
  },
  *dropWhile(members, closure, _, caller) {
    let at = 0
    for (const member of visited(members.of, members.list)) {
      if (!(yield* isMet(callWith(caller, closure, members, member), closure, caller))) break
      at++
    }
    return likeReceiver(members, members.list.slice(at), caller.budget)
  },
  *removeIf(members, closure, _, caller) {
    return (yield* kept(members, closure, caller, false)) > 0
  },
  *removeAll(members, closure, _, caller) {
    return (yield* kept(members, closure, caller, false)) > 0
  },
  *retainAll(members, closure, _, caller) {
    return (yield* kept(members, closure, caller, true)) > 0
  },
  *unique(members, closure, _, caller) {
    checkChange(members.of, "unique")
    if (closure.parameterCount === 2) return yield* uniqueBy(members, closure, caller)
    const seen = new GremlinMap()
    for (const member of visited(members.of, members.list)) {
      const key = caller.budget.key(yield* ended(callWith(caller, closure, members, member)))
      if (!seen.has(key)) seen.set(key, member)
    }
    return replaced(members, [...seen.values()], caller.budget)
  },
  *step(members, closure, [width], caller) {
    if (!(members.of instanceof RangeList)) throw noSteps()
    for (const member of members.of.stepped(asIndex(width))) yield* ended(caller.attemptCall(closure, [member]))
    return null
  },
  *sort(members, closure, args, caller) {
    if (args[0] !== false) checkChange(members.of, "sort")
    const sorted = yield* sortedBy(members.list, closure, caller)
    if (members.of instanceof GremlinMap) return likeReceiver(members, sorted, caller.budget)
    if (args[0] === false) return sorted
    assertUnchanged(members.of, members.list.length)
    return replaced(members, sorted, caller.budget)
  },
  *grep(members, closure, _, caller) {
    const { list, of } = members
    // As in Groovy, the closure gets the entries of a map, never a key and a value.
    const visits = of instanceof GremlinMap ? { list, of: new EntrySet(of) } : members
    const found = yield* chosen(visits, closure, caller, true)
    return of instanceof GremlinSet ? new GremlinSet(found) : caller.budget.list(found)
  },
  *toSorted(members, closure, _, caller) {
    return likeReceiver(members, yield* sortedBy(members.list, closure, caller), caller.budget)
  }
}

/** unique() with a closure that compares two members. */
function* uniqueBy(members: Members, closure: ScriptClosure, caller: Caller): Run<unknown> {
  const kept: Array<unknown> = []
  for (const member of visited(members.of, members.list)) {
    let isNew = true
    for (const other of kept) {
      if (asOrder(yield* ended(caller.attemptCall(closure, [member, other]))) !== 0) continue
      isNew = false
      break
    }
    if (isNew) kept.push(member)
  }
  return replaced(members, kept, caller.budget)
}

const noSteps = (): Unavailable =>
  new Unavailable("step() is a method of ranges and numbers, such as (1..9).step(2) { }")

/** Keeps in the receiver the members for which the closure returns `wanted`. Returns the number of removed members. */
function* kept(members: Members, closure: ScriptClosure, caller: Caller, wanted: boolean): Run<number> {
  const found = yield* chosen(members, closure, caller, wanted)
  const removed = members.list.length - found.length
  const { of } = members
  checkGrows(of, wanted ? "retainAll()" : "removeAll()")
  if (Array.isArray(of)) {
    assertStillIn(of, found, members.list)
    of.splice(0, of.length, ...caller.budget.list(found))
  } else if (of instanceof GremlinSet || of instanceof GremlinMap) {
    const keyOf = (member: unknown): unknown => (of instanceof GremlinMap ? (member as MapEntry).key : member)
    const keys = new GremlinSet(found.map(keyOf))
    for (const member of members.list) if (!keys.has(keyOf(member))) of.delete(keyOf(member))
  }
  return removed
}

/** Stores members in the list that they come from, as sort() and unique() do. Returns the list, or a new one for other receivers. */
const replaced = ({ list, of }: Members, found: Array<unknown>, budget: Budget): unknown => {
  budget.list(found)
  if (!Array.isArray(of) || of instanceof MapValues) return found
  assertStillIn(of, found, list)
  for (let at = 0; at < found.length; at++) of[at] = found[at]
  of.length = found.length
  return of
}
