import { Binding } from "../process/language/Bytecode.ts"
import {
  type Comparison,
  ConnectiveP,
  isPredicate,
  isSearchComparison,
  NotP,
  P,
  type Predicate,
  type TextComparison,
  TextP
} from "../process/language/Predicate.ts"
import { BulkSet, GremlinSet } from "../structure/collections/Collections.ts"
import { ProtocolError } from "./ProtocolError.ts"

const comparisons: ReadonlySet<string> = new Set<Comparison>([
  "eq",
  "neq",
  "lt",
  "lte",
  "gt",
  "gte",
  "inside",
  "outside",
  "between",
  "within",
  "without",
  "typeOf"
])

const textComparisons: ReadonlySet<string> = new Set<TextComparison>([
  "startingWith",
  "notStartingWith",
  "endingWith",
  "notEndingWith",
  "containing",
  "notContaining",
  "regex",
  "notRegex"
])

/**
 * The predicate of a name and its value in GraphSON: a list when the predicate takes several values, otherwise any value.
 * `inside` excludes both ends; Gremlin Server reads that wrong in GraphSON. Fails with ProtocolError.
 */
export const predicateOfValue = (name: string, value: unknown): Predicate => {
  const values = listOf(value)
  switch (name) {
    case "and":
    case "or":
      return connective(name, values ?? [value])
    case "not":
      return negation(values === undefined ? value : values[0])
    case "within":
    case "without":
      return new P(name, membersOf(values ?? [value]))
    case "inside":
    case "outside":
    case "between":
      if (values === undefined || values.length < 2) throw new ProtocolError(`P.${name} needs two values.`)
      return new P(name, values.slice(0, 2))
    default:
      return simple(name, value)
  }
}

/**
 * The predicate of a name and its arguments in GraphBinary. Drivers write the members of a list as arguments. If `eq` has zero or
 * several arguments, it therefore compares with the list of the arguments. Fails with ProtocolError.
 */
export const predicateOfArguments = (name: string, values: readonly unknown[]): Predicate =>
  severalValued.has(name) || values.length !== 1 ? predicateOfValue(name, values) : predicateOfValue(name, values[0])

const severalValued: ReadonlySet<string> = new Set(["and", "or", "within", "without", "inside", "outside", "between"])

/** The only argument of within() is a list, also where it is the name of one. */
const membersOf = (values: readonly unknown[]): unknown => {
  const [only] = values
  return values.length === 1 && only instanceof Binding ? only : values
}

const listOf = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value
  return value instanceof BulkSet || value instanceof GremlinSet ? value.toList() : undefined
}

const connective = (operator: "and" | "or", values: readonly unknown[]): Predicate => {
  if (values.length === 0 || !values.every(isPredicate)) {
    throw new ProtocolError(`P.${operator} takes one or more predicates.`)
  }
  return new ConnectiveP(operator, values)
}

const negation = (value: unknown): Predicate => {
  if (!isPredicate(value)) throw new ProtocolError("P.not takes a predicate.")
  return new NotP(value)
}

const simple = (name: string, value: unknown): Predicate => {
  if (comparisons.has(name)) return new P(name as Comparison, value)
  if (textComparisons.has(name) || isSearchComparison(name)) return new TextP(name as TextComparison, value)
  throw new ProtocolError(`There is no predicate named '${name}'.`)
}

/** The arguments of a predicate in GraphBinary: the members of its list, or its value. */
export const argumentsOf = (predicate: Predicate): readonly unknown[] => {
  if (predicate instanceof ConnectiveP) return predicate.predicates
  if (predicate instanceof NotP) return [predicate.predicate]
  return severalValued.has(predicate.operator) && Array.isArray(predicate.value) ? predicate.value : [predicate.value]
}

/** The name of a predicate on the wire. */
export const operatorOf = (predicate: Predicate): string => (predicate instanceof NotP ? "not" : predicate.operator)
