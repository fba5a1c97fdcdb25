import { briefText } from "../../structure/Text.ts"

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
 * within(x) with a variable, `value` is the Variable: its members if x is a list, else x itself.
 */
export class P {
  readonly operator: Comparison | TextComparison
  readonly value: unknown
  constructor(operator: Comparison | TextComparison, value: unknown) {
    this.operator = operator
    this.value = value
  }
  /** The text that Gremlin Server writes: `gt(29)`, `within([1, 2])`. */
  toString(): string {
    return this.value === null ? this.operator : `${this.operator}(${briefText(this.value)})`
  }
}

/** A predicate over a text or a shape. On the wire it is a g:TextP. For clients that know JanusGraph's types, JanusGraph's predicates are
 * a janusgraph:JanusGraphP. */
export class TextP extends P {}

/** P.and or P.or over its operands, in order. */
export class ConnectiveP {
  readonly operator: "and" | "or"
  readonly predicates: readonly Predicate[]
  constructor(operator: "and" | "or", predicates: readonly Predicate[]) {
    this.operator = operator
    this.predicates = predicates
  }
  toString(): string {
    return `${this.operator}(${this.predicates.join(", ")})`
  }
}

/** P.not(p): true where p is false. */
export class NotP {
  readonly predicate: Predicate
  constructor(predicate: Predicate) {
    this.predicate = predicate
  }
  toString(): string {
    return `not(${this.predicate})`
  }
}

/** Any predicate. */
export type Predicate = P | ConnectiveP | NotP

/** Whether a value is a predicate. */
export const isPredicate = (value: unknown): value is Predicate =>
  value instanceof P || value instanceof ConnectiveP || value instanceof NotP
