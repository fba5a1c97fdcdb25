import { text } from "../structure/Text.ts"

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

/** Operators of TextP, and JanusGraph's text predicates. */
export type TextComparison =
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
    return this.value === null ? this.operator : `${this.operator}(${text(this.value)})`
  }
}

/** A predicate over text: on the wire a type of its own (g:TextP). */
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
