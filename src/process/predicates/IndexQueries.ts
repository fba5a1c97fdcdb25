import { wordsOf } from "../../structure/characters/FullText.ts"
import { isListOrSet } from "../../structure/collections/Collections.ts"
import { Geoshape } from "../../structure/geoshapes/Geoshape.ts"
import { type IndexCondition, type IndexQuery, isComparison } from "../../structure/graph/GraphReads.ts"
import { T } from "../../structure/scalars/Enums.ts"
import { resolve } from "../language/Operand.ts"
import { ConnectiveP, P, type Predicate, type TextComparison, TextP } from "../language/Predicate.ts"
import type { Run } from "../plan/Run.ts"
import type { HasContainer } from "./HasContainer.ts"
import { compilePredicate } from "./PredicateEvaluation.ts"

/** Index operators for operators over texts and shapes. Their results are a superset, which the has() steps test again. */
const searched: Readonly<Partial<Record<P["operator"], IndexCondition["operator"]>>> = {
  textPrefix: "startingWith",
  textContains: "words",
  textContainsPhrase: "words",
  textContainsPrefix: "wordPrefix",
  textContainsRegex: "wordMatch",
  textContainsFuzzy: "wordMatch",
  textRegex: "textMatch",
  textFuzzy: "textMatch",
  regex: "textMatch",
  containing: "textMatch",
  endingWith: "textMatch",
  geoWithin: "shape",
  geoIntersect: "shape",
  geoContains: "shape"
}

/** The part of has() conditions that an index may answer: labels, and comparisons with plain values. */
export const indexQuery = (
  element: "vertex" | "edge",
  conditions: ReadonlyArray<HasContainer>,
  run: Run
): IndexQuery => {
  let labels: readonly string[] | null = null
  const found: Array<IndexCondition> = []
  for (const condition of conditions) {
    const { key } = condition
    for (const part of conjuncts(condition.predicateIn(run), run)) {
      const resolved = resolve(part.value, run)
      const members = part.operator === "within" ? listOf(resolved) : null
      if (key === T.label) {
        const wanted = part.operator === "eq" ? [resolved] : members
        if (wanted !== null && labels === null) labels = wanted.filter((label) => typeof label === "string")
      } else if (typeof key === "string" && resolved !== null) {
        const asked = conditionOf(key, part.operator, members ?? resolved)
        if (asked !== undefined) found.push(asked)
      }
    }
  }
  return { element, labels, conditions: found }
}

/** The values of within(): a variable may hold a list, a set or one value, also null. */
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isListOrSet(value) ? [...value] : [value]

/** The predicates of a conjunction; none for a negation, and for a disjunction that is no within(). */
const conjuncts = (predicate: Predicate, run: Run): ReadonlyArray<P> => {
  if (predicate instanceof P) return [predicate]
  if (!(predicate instanceof ConnectiveP)) return []
  if (predicate.operator === "and") return predicate.predicates.flatMap((part) => conjuncts(part, run))
  const members = alternatives(predicate, run)
  return members === undefined ? [] : [new P("within", members)]
}

/** The values of a disjunction of eq() and within(), which is one within(); undefined for any other, and for a null. */
const alternatives = (predicate: Predicate, run: Run): readonly unknown[] | undefined => {
  if (predicate instanceof P) {
    if (predicate.operator !== "eq" && predicate.operator !== "within") return undefined
    const value = resolve(predicate.value, run)
    const members = predicate.operator === "eq" ? [value] : listOf(value)
    return members.includes(null) ? undefined : members
  }
  if (!(predicate instanceof ConnectiveP) || predicate.operator !== "or") return undefined
  const found: Array<unknown> = []
  for (const part of predicate.predicates) {
    const members = alternatives(part, run)
    if (members === undefined) return undefined
    for (const member of members) found.push(member)
  }
  return found
}

const conditionOf = (key: string, operator: P["operator"], value: unknown): IndexCondition | undefined => {
  if (isComparison(operator) || operator === "startingWith") return { key, operator, value }
  const asked = searched[operator]
  if (asked === undefined) return undefined
  if (asked === "shape") return value instanceof Geoshape ? { key, operator: asked, value } : undefined
  if (typeof value !== "string") return undefined
  if (asked !== "wordMatch" && asked !== "textMatch") return { key, operator: asked, value }
  // The index finds texts with the first of several words.
  const operand = operator === "textContainsFuzzy" ? wordsOf(value)[0] : value
  if (operand === undefined) return undefined
  const test = compilePredicate(new TextP(operator as TextComparison, operand), (it) => it)
  return { key, operator: asked, value: test }
}
