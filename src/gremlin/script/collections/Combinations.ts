import { GremlinMap, GremlinSet, isListOrSet } from "../../../structure/collections/Collections.ts"
import type { ScriptRun } from "../../HostCall.ts"
import type { Budget } from "../budget/Budget.ts"
import { inHashOrder, subsequencesInOrder } from "../comparison/HashOrder.ts"
import { isTrue } from "../comparison/Truth.ts"
import type { Methods } from "../methods/MethodTable.ts"
import { isCase } from "../operators/Operators.ts"
import { liveEntries } from "../values/MapParts.ts"
import { membersOf } from "../values/Members.ts"
import { OperandError } from "../values/OperandErrors.ts"

// Groovy's methods that choose members in all ways. Their results are counted before they are made.

/** Counts lists of members that a method makes, so many with so many members each. Fails with OperandError for too many. */
const charge = (lists: number, members: number, what: string, budget: Budget): void => {
  budget.spend(Math.min(lists * (members + 1), Number.MAX_SAFE_INTEGER), what)
}

/** What a member of combinations() offers: as in Groovy a text its characters, a map its entries, null nothing, another value itself. */
const choicesOf = (value: unknown, budget: Budget): readonly unknown[] => {
  if (value === null) return []
  if (typeof value === "string") return budget.list([...budget.whole(value)])
  if (value instanceof GremlinMap) return budget.list(liveEntries(value))
  return isListOrSet(value) ? membersOf(value, "combinations()") : [value]
}

/** All lists with one member of each list; the member of the first list changes fastest. */
export const combinationsOf = (value: unknown, budget: Budget): Array<unknown> => {
  const choices = membersOf(value, "combinations()").map((it) => choicesOf(it, budget))
  if (choices.length === 0) return []
  const count = choices.reduce((product, { length }) => product * length, 1)
  charge(count, choices.length, "combinations()", budget)
  for (const members of choices) budget.members(members, undefined, members.length === 0 ? 0 : count / members.length)
  const lists: unknown[][] = []
  for (let number = 0; number < count; number++) {
    let rest = number
    lists.push(
      choices.map((members) => {
        const member = members[rest % members.length]
        rest = Math.floor(rest / members.length)
        return member
      })
    )
  }
  return budget.list(lists)
}

const ordersOf = (members: readonly unknown[]): unknown[][] =>
  members.length === 0
    ? [[]]
    : members.flatMap((first, at) => ordersOf(members.toSpliced(at, 1)).map((rest) => [first, ...rest]))

/** All orders of the members. Those with the first member at the beginning come first. */
export const permutationsOf = (value: unknown, budget: Budget): unknown[][] => {
  const members = membersOf(value, "permutations()")
  if (members.length === 0) {
    throw new OperandError("permutations() of an empty collection do not exist", "IllegalArgumentException")
  }
  let count = 1
  for (let at = 2; at <= members.length && Number.isSafeInteger(count); at++) count *= at
  charge(count, members.length, "permutations()", budget)
  budget.members(members, undefined, count)
  return ordersOf(members)
}

/** All orders that differ. */
export const differentPermutationsOf = (value: unknown, budget: Budget): GremlinSet =>
  new GremlinSet(inHashOrder(budget.keys(permutationsOf(value, budget)), budget))

/** All parts of a collection that keep its order and have a member. */
const subsequencesOf = (value: unknown, budget: Budget): unknown[][] => {
  const members = membersOf(value, "subsequences()")
  const count = 2 ** members.length
  charge(count, members.length / 2, "subsequences()", budget)
  budget.members(members, undefined, count / 2)
  const lists: unknown[][] = []
  for (const member of members) lists.push(...lists.map((list) => [...list, member]), [member])
  return lists
}

const subsequenceSet = (value: unknown, budget: Budget): GremlinSet => {
  const parts = subsequencesOf(value, budget)
  budget.keys(parts)
  return new GremlinSet(subsequencesInOrder(membersOf(value, "subsequences()"), parts, budget))
}

/**
 * The members that a filter accepts, as `switch` compares. A set gives a set, and a map a list of entries. Pauses, because a comparison
 * may take long.
 */
export function* grepped(value: unknown, filter: unknown, budget: Budget): ScriptRun {
  const found: Array<unknown> = []
  const members = value instanceof GremlinMap ? liveEntries(value) : membersOf(value, "grep()")
  for (const member of members) {
    budget.spend(1)
    if (isCase(filter, member, budget)) found.push(member)
    if (budget.isSliceOver) yield { kind: "pause" }
  }
  budget.list(found)
  return value instanceof GremlinSet ? new GremlinSet(found) : found
}

/** The methods, for lists, sets and paths. */
export const combinationMethods: Methods = {
  combinations: [0, 0, (value: unknown, _, budget) => combinationsOf(value, budget)],
  permutations: [0, 0, (value: unknown, _, budget) => differentPermutationsOf(value, budget)],
  grep: [
    0,
    0,
    (value: unknown, _, budget) => {
      const found = budget.list(membersOf(value, "grep()").filter(isTrue))
      return value instanceof GremlinSet ? new GremlinSet(found) : found
    }
  ]
}

/** The methods that only lists have. */
export const listCombinationMethods: Methods = {
  subsequences: [0, 0, (value: unknown, _, budget) => subsequenceSet(value, budget)]
}

/** The methods of maps. Their members are entries. */
export const mapCombinationMethods: Methods = {
  grep: [0, 0, (value: GremlinMap, _, budget) => budget.list(liveEntries(value))]
}

/** True for `grep(filter)`, which may take long and pauses. */
export const isGrep = (name: string, args: readonly unknown[]): boolean => name === "grep" && args.length === 1
