import { BulkSet, GremlinSet } from "../../structure/Collections.ts"
import type { Evaluation } from "../Scope.ts"
import type { Budget } from "./Budget.ts"
import { membersOf } from "./Members.ts"
import type { Methods } from "./MethodTable.ts"
import { OperandError } from "./OperandErrors.ts"
import { isCase, isTrue } from "./Operators.ts"

// Groovy's methods that choose members in all ways. Their results are counted before they are made.

/** Counts lists of members that a method makes, so many with so many members each. Fails with OperandError for too many. */
const charge = (lists: number, members: number, what: string, budget: Budget): void => {
  budget.spend(Math.min(lists * (members + 1), Number.MAX_SAFE_INTEGER), what)
}

/** All lists with one member of each list; the member of the first list changes fastest. */
export const combinationsOf = (value: unknown, budget: Budget): Array<unknown> => {
  const isList = (it: unknown): boolean => Array.isArray(it) || it instanceof GremlinSet || it instanceof BulkSet
  const choices = membersOf(value, "combinations()").map((it) => (isList(it) ? membersOf(it, "combinations()") : [it]))
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

/** All orders of the members. */
export const permutationsOf = (value: unknown, budget: Budget): unknown[][] => {
  const members = membersOf(value, "permutations()")
  if (members.length === 0) {
    throw new OperandError("permutations() of an empty collection do not exist", "IllegalArgumentException")
  }
  let count = 1
  for (let at = 2; at <= members.length && Number.isSafeInteger(count); at++) count *= at
  charge(count, members.length, "permutations()", budget)
  budget.members(members, undefined, count)
  let lists: unknown[][] = [[]]
  for (const member of members) {
    lists = lists.flatMap((list) =>
      Array.from({ length: list.length + 1 }, (_, at) => [...list.slice(0, at), member, ...list.slice(at)])
    )
  }
  return lists
}

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

/** The members that a filter accepts, as `switch` compares. A set gives a set. Pauses, because a comparison may take long. */
export function* grepped(value: unknown, filter: unknown, budget: Budget): Evaluation {
  const found: Array<unknown> = []
  for (const member of membersOf(value, "grep()")) {
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
  permutations: [0, 0, (value: unknown, _, budget) => new GremlinSet(budget.keys(permutationsOf(value, budget)))],
  subsequences: [0, 0, (value: unknown, _, budget) => new GremlinSet(budget.keys(subsequencesOf(value, budget)))],
  grep: [
    0,
    0,
    (value: unknown, _, budget) => {
      const found = budget.list(membersOf(value, "grep()").filter(isTrue))
      return value instanceof GremlinSet ? new GremlinSet(found) : found
    }
  ]
}
