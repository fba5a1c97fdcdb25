import { GremlinSet } from "../../structure/collections/Collections.ts"
import { Keyed, keyText, keyTexts, unorderedKey } from "../../structure/collections/Equivalence.ts"
import { briefText } from "../../structure/texts/Text.ts"

/** Operators of P, in TinkerPop's spelling. */
export type Comparison =
  | "eq"
  | "neq"
  | "lt"
  | "lte"
  | "gt"
  | "gte"
  | "inside"
  | "outside"
  | "between"
  | "within"
  | "without"
  | "typeOf"

/** JanusGraph's operators over the words of a text, over whole texts, and over geographic shapes. */
export const searchComparisons = [
  "textContains",
  "textNotContains",
  "textContainsPrefix",
  "textNotContainsPrefix",
  "textContainsRegex",
  "textNotContainsRegex",
  "textContainsFuzzy",
  "textNotContainsFuzzy",
  "textContainsPhrase",
  "textNotContainsPhrase",
  "textPrefix",
  "textNotPrefix",
  "textRegex",
  "textNotRegex",
  "textFuzzy",
  "textNotFuzzy",
  "geoWithin",
  "geoIntersect",
  "geoDisjoint",
  "geoContains"
] as const

/** One of JanusGraph's operators. */
export type SearchComparison = (typeof searchComparisons)[number]

const searchNames: ReadonlySet<string> = new Set(searchComparisons)

/** Whether a name is that of one of JanusGraph's operators. */
export const isSearchComparison = (name: string): name is SearchComparison => searchNames.has(name)

/** Whether a predicate is one of JanusGraph's. */
export const isSearch = (predicate: Predicate): predicate is TextP =>
  predicate instanceof TextP && isSearchComparison(predicate.operator)

/** Operators of TextP, including JanusGraph's. */
export type TextComparison =
  | SearchComparison
  | "startingWith"
  | "notStartingWith"
  | "endingWith"
  | "notEndingWith"
  | "containing"
  | "notContaining"
  | "regex"
  | "notRegex"

/**
 * A predicate as data. `value` is an array for `within` and `without`, an array of two for `inside`, `outside` and
 * `between`, a GType or the name of a type for `typeOf`, and the operand otherwise. Members of an array may be Variables. For
 * within(x) with a variable, `value` is the Variable: its members if x is a list, else x itself. As in Java, the order of the members
 * makes no difference to predicates, but the types of numbers do.
 */
export class P extends Keyed {
  readonly operator: Comparison | TextComparison
  readonly value: unknown
  constructor(operator: Comparison | TextComparison, value: unknown) {
    super()
    this.operator = operator
    this.value = value
  }
  equivalenceKey(): string {
    return keyInForm(javaForm(this))
  }
  /** The text that Gremlin Server writes: `gt(29)`, `within([1, 2])`, `and(gte(1), lt(2))` for between(1, 2). */
  override toString(): string {
    return textInForm(javaForm(this))
  }
}

/** A predicate over a text or a shape. On the wire it is a g:TextP. For clients that know JanusGraph's types, JanusGraph's predicates are
 * a janusgraph:JanusGraphP. */
export class TextP extends P {}

/** P.and or P.or over its operands, in order. */
export class ConnectiveP extends Keyed {
  readonly operator: "and" | "or"
  readonly predicates: readonly Predicate[]
  readonly #isJavaForm: boolean
  /** @param isJavaForm whether the predicate is as {@link javaForm} gives it, so that it need not be made again. */
  constructor(operator: "and" | "or", predicates: readonly Predicate[], isJavaForm = false) {
    super()
    this.operator = operator
    this.predicates = predicates
    this.#isJavaForm = isJavaForm
  }
  /** Whether the predicate is known to be as {@link javaForm} gives it. */
  get isJavaForm(): boolean {
    return this.#isJavaForm
  }
  equivalenceKey(): string {
    return keyInForm(javaForm(this))
  }
  override toString(): string {
    return textInForm(javaForm(this))
  }
}

/** P.not(p): true where p is false. */
export class NotP extends Keyed {
  readonly predicate: Predicate
  constructor(predicate: Predicate) {
    super()
    this.predicate = predicate
  }
  equivalenceKey(): string {
    return keyInForm(javaForm(this))
  }
  override toString(): string {
    return textInForm(javaForm(this))
  }
}

/** Any predicate. */
export type Predicate = P | ConnectiveP | NotP

/** Whether a value is a predicate. */
export const isPredicate = (value: unknown): value is Predicate =>
  value instanceof P || value instanceof ConnectiveP || value instanceof NotP

/** Two comparisons, joined by and() or or(). */
const ranges: Readonly<Record<string, readonly ["and" | "or", "gt" | "gte" | "lt", "gt" | "lt"]>> = {
  inside: ["and", "gt", "lt"],
  between: ["and", "gte", "lt"],
  outside: ["or", "lt", "gt"]
}

/**
 * A predicate as Java's class P has it: between, inside and outside are two comparisons, and() of an and() has the operands of both,
 * and a negation of and() or or() is one of their operands.
 */
export const javaForm = (predicate: Predicate): Predicate => {
  if (predicate instanceof ConnectiveP) {
    return predicate.isJavaForm ? predicate : flat(predicate.operator, predicate.predicates.map(javaForm))
  }
  if (predicate instanceof NotP) return negated(javaForm(predicate.predicate))
  const range = ranges[predicate.operator]
  if (range === undefined || !Array.isArray(predicate.value)) return predicate
  const [operator, first, second] = range
  return new ConnectiveP(operator, [new P(first, predicate.value[0]), new P(second, predicate.value[1])], true)
}

/** Joins predicates in Java's form. A loop, because flatMap() takes a hundred times as long for thousands of them. */
const flat = (operator: "and" | "or", predicates: readonly Predicate[]): ConnectiveP => {
  const parts: Array<Predicate> = []
  for (const part of predicates) {
    if (part instanceof ConnectiveP && part.operator === operator)
      for (const inner of part.predicates) parts.push(inner)
    else parts.push(part)
  }
  return new ConnectiveP(operator, parts, true)
}

/** The negation of a predicate in Java's form. */
const negated = (predicate: Predicate): Predicate => {
  if (predicate instanceof NotP) return predicate.predicate
  if (predicate instanceof P) return new NotP(predicate)
  return flat(predicate.operator === "and" ? "or" : "and", predicate.predicates.map(negated))
}

/** The text of a predicate in Java's form. */
const textInForm = (predicate: Predicate): string => {
  if (predicate instanceof NotP) return `not(${textInForm(predicate.predicate)})`
  if (predicate instanceof ConnectiveP)
    return `${predicate.operator}(${predicate.predicates.map(textInForm).join(", ")})`
  return predicate.value === null ? predicate.operator : `${predicate.operator}(${briefText(predicate.value)})`
}

/** The key of a predicate in Java's form. */
const keyInForm = (predicate: Predicate): string => {
  if (predicate instanceof NotP) return `\0N${keyInForm(predicate.predicate)}`
  if (predicate instanceof ConnectiveP) {
    return `\0A${predicate.operator}${predicate.predicates.length};${keyTexts(predicate.predicates, (part) => keyInForm(part as Predicate)).join("")}`
  }
  const { operator, value } = predicate
  const isUnordered = Array.isArray(value) || value instanceof GremlinSet
  return `\0Q${operator}${isUnordered ? unorderedKey("q", keyTexts(value)) : keyText(value)};`
}
