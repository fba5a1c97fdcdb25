import type { Budget } from "../budget/Budget.ts"
import { asIndex, type Methods } from "../methods/MethodTable.ts"
import { ScriptMatcher } from "../objects/Matchers.ts"
import { OperandError } from "../values/OperandErrors.ts"
import type { ScriptPattern } from "../values/Patterns.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"

/** The matches: each as its text, or with groups as a list of the text and the groups. */
const allOf = (value: ScriptMatcher, budget: Budget): Array<unknown> =>
  budget.list(value.matches(budget).map(({ groups }) => (groups.length === 1 ? groups[0] : [...groups])))

/** The number of matches. As in Groovy, the matcher is behind the last one afterwards. */
const countOf = (value: ScriptMatcher, _: readonly unknown[], budget: Budget): number => {
  const { length } = value.matches(budget)
  value.goTo(length)
  return length
}

/** Methods of the value of `text =~ pattern`. */
export const matcherMethods: Methods = {
  matches: [0, 0, (value: ScriptMatcher, _, budget) => value.matchesWhole(budget)],
  find: [0, 0, (value: ScriptMatcher, _, budget) => value.next(budget)],
  start: [0, 0, (value: ScriptMatcher, _, budget) => value.current(budget).start],
  end: [0, 0, (value: ScriptMatcher, _, budget) => value.current(budget).end],
  reset: [
    0,
    0,
    (value: ScriptMatcher) => {
      value.goTo(-1)
      return value
    }
  ],
  group: [
    0,
    1,
    (value: ScriptMatcher, [group = 0], budget) => {
      const { groups } = value.current(budget)
      const number = asIndex(group)
      if (number >= 0 && number < groups.length) return groups[number]
      const problem = `the pattern has no group ${number}: it has ${groups.length - 1}`
      throw new OperandError(problem, "IndexOutOfBoundsException", `No group ${number}`)
    }
  ],
  groupCount: [0, 0, (value: ScriptMatcher, _, budget) => (value.matches(budget)[0]?.groups.length ?? 1) - 1],
  collect: [0, 0, (value: ScriptMatcher, _, budget) => allOf(value, budget)],
  findAll: [0, 0, (value: ScriptMatcher, _, budget) => allOf(value, budget)],
  toList: [0, 0, (value: ScriptMatcher, _, budget) => allOf(value, budget)],
  iterator: [0, 0, (value: ScriptMatcher, _, budget) => new ScriptIterator(allOf(value, budget))],
  getCount: [0, 0, countOf],
  // As in Groovy, a Long.
  size: [0, 0, (value: ScriptMatcher, args, budget) => BigInt(countOf(value, args, budget))]
}

/** Methods of patterns. */
export const patternMethods: Methods = {
  matcher: [1, 1, (value: ScriptPattern, [text], budget) => new ScriptMatcher(budget.text(text), value)],
  pattern: [0, 0, (value: ScriptPattern) => value.source]
}
