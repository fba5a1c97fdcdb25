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

/** Operators over the words of a text, over whole texts, and over shapes on the earth: JanusGraph's. */
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

export type SearchComparison = (typeof searchComparisons)[number]

const searchNames: ReadonlySet<string> = new Set(searchComparisons)

/** True for the name of one of JanusGraph's operators. */
export const isSearchComparison = (name: string): name is SearchComparison => searchNames.has(name)

/** Operators of TextP, and JanusGraph's. */
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
 * A predicate as data. `value` is: for `within`/`without` an array; for `inside`, `outside`, `between` an array of two;
 * for `typeOf` a GType or a type's name; else the value compared with. Elements may be Variable, and within(x) has the
 * Variable itself as its value: it means the members of the list that x is, or x.
 */
export class P {
  readonly operator: Comparison | TextComparison
  readonly value: unknown
  constructor(operator: Comparison | TextComparison, value: unknown) {
    this.operator = operator
    this.value = value
  }
  /** As Gremlin Server writes it: `gt(29)`, `within([1, 2])`. */
  toString(): string {
    return this.value === null ? this.operator : `${this.operator}(${briefText(this.value)})`
  }
}

/** A predicate over text or a shape: on the wire a type of its own (g:TextP, janusgraph:JanusGraphP). */
export class TextP extends P {}

/** Both sides, or one of them (P.and / P.or), in order. */
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

export type Predicate = P | ConnectiveP | NotP

export const isPredicate = (value: unknown): value is Predicate =>
  value instanceof P || value instanceof ConnectiveP || value instanceof NotP
