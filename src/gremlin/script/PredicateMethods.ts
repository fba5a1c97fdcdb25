import { ConnectiveP, isPredicate, NotP, P, type Predicate, TextP } from "../../process/language/Predicate.ts"
import { equals } from "../../structure/Equality.ts"
import type { Method, Methods } from "./MethodTable.ts"
import { OperandError } from "./OperandErrors.ts"

// Predicates as Java's class P has them: between, inside and outside are two comparisons, and a negation is the opposite predicate.

const opposites: ReadonlyMap<string, string> = new Map(
  [
    ["eq", "neq"],
    ["gt", "lte"],
    ["lt", "gte"],
    ["within", "without"],
    ["startingWith", "notStartingWith"],
    ["endingWith", "notEndingWith"],
    ["containing", "notContaining"],
    ["regex", "notRegex"],
    ["textContains", "textNotContains"],
    ["textContainsPrefix", "textNotContainsPrefix"],
    ["textContainsRegex", "textNotContainsRegex"],
    ["textContainsFuzzy", "textNotContainsFuzzy"],
    ["textContainsPhrase", "textNotContainsPhrase"],
    ["textPrefix", "textNotPrefix"],
    ["textRegex", "textNotRegex"],
    ["textFuzzy", "textNotFuzzy"],
    ["geoIntersect", "geoDisjoint"]
  ].flatMap(([one, other]) => [
    [one!, other!],
    [other!, one!]
  ])
)

/** Two comparisons, joined by and() or or(). */
const ranges: Readonly<Record<string, readonly ["and" | "or", "gt" | "gte" | "lt", "gt" | "lt"]>> = {
  inside: ["and", "gt", "lt"],
  between: ["and", "gte", "lt"],
  outside: ["or", "lt", "gt"]
}

/** A predicate in Java's form. */
const javaForm = (predicate: Predicate): Predicate => {
  if (predicate instanceof ConnectiveP) return new ConnectiveP(predicate.operator, predicate.predicates.map(javaForm))
  if (predicate instanceof NotP) return opposite(javaForm(predicate.predicate))
  const range = ranges[predicate.operator]
  if (range === undefined || !Array.isArray(predicate.value)) return predicate
  const [operator, first, second] = range
  return new ConnectiveP(operator, [new P(first, predicate.value[0]), new P(second, predicate.value[1])])
}

/** The negation of a predicate in Java's form. */
const opposite = (predicate: Predicate): Predicate => {
  if (predicate instanceof NotP) return predicate.predicate
  if (predicate instanceof ConnectiveP) {
    return new ConnectiveP(predicate.operator === "and" ? "or" : "and", predicate.predicates.map(opposite))
  }
  const operator = opposites.get(predicate.operator) as P["operator"] | undefined
  if (operator === undefined) return new NotP(predicate)
  return predicate instanceof TextP ? new TextP(operator, predicate.value) : new P(operator, predicate.value)
}

/** Whether two predicates are equal, as P.equals() is. */
export const equalPredicates = (one: Predicate, other: unknown): boolean => {
  if (!isPredicate(other)) return false
  const [left, right] = [javaForm(one), javaForm(other)]
  if (left instanceof P)
    return right instanceof P && left.operator === right.operator && equals(left.value, right.value)
  if (left instanceof NotP) return right instanceof NotP && equalPredicates(left.predicate, right.predicate)
  return (
    right instanceof ConnectiveP &&
    left.operator === right.operator &&
    left.predicates.length === right.predicates.length &&
    left.predicates.every((part, at) => equalPredicates(part, right.predicates[at]))
  )
}

/** The value of a comparison; null for several that are joined, as in Java. Lists are copied. */
export const predicateValue = (predicate: Predicate): unknown => {
  const form = javaForm(predicate)
  return form instanceof P ? form.value : null
}

const joined = (operator: "and" | "or", left: Predicate, right: unknown): Predicate => {
  if (!isPredicate(right)) throw new OperandError(`${operator}() takes a predicate such as gt(1)`)
  const partsOf = (part: Predicate): ReadonlyArray<Predicate> =>
    part instanceof ConnectiveP && part.operator === operator ? part.predicates : [part]
  return new ConnectiveP(operator, [...partsOf(left), ...partsOf(right)])
}

const textMethod: Method = [0, 0, (value: Predicate, _, budget) => budget.text(javaForm(value))]

/** Methods of predicates. `test()` runs in the host. */
export const predicateMethods: Methods = {
  getValue: [0, 0, (value: Predicate) => predicateValue(value)],
  getOriginalValue: [0, 0, (value: Predicate) => predicateValue(value)],
  getPredicates: [
    0,
    0,
    (value: Predicate) => {
      const form = javaForm(value)
      if (form instanceof ConnectiveP) return [...form.predicates]
      throw new OperandError("getPredicates() needs predicates that and() or or() joins")
    }
  ],
  and: [1, 1, (value: Predicate, [other]) => joined("and", value, other)],
  or: [1, 1, (value: Predicate, [other]) => joined("or", value, other)],
  negate: [0, 0, (value: Predicate) => (value instanceof NotP ? value.predicate : new NotP(value))],
  clone: [0, 0, (value: Predicate) => value],
  toString: textMethod,
  equals: [1, 1, (value: Predicate, [other]) => equalPredicates(value, other)]
}
