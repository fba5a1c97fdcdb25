import { GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import { isNumber, numberKind } from "../../structure/numbers/Numbers.ts"
import { type EnumName, EnumValue } from "../../structure/scalars/Enums.ts"
import { Bytecode } from "./Bytecode.ts"
import { isPredicate } from "./Predicate.ts"

/**
 * The kinds of arguments, as bits. The table of steps has a mask of the accepted kinds for each argument. The parser has the kind
 * of what it read, and {@link kindOf} gives the kind of a value.
 */
export const Kind = {
  string: 1 << 0,
  integer: 1 << 1,
  decimal: 1 << 2,
  boolean: 1 << 3,
  null: 1 << 4,
  traversal: 1 << 5,
  predicate: 1 << 6,
  map: 1 << 7,
  list: 1 << 8,
  set: 1 << 9,
  date: 1 << 10,
  uuid: 1 << 11,
  T: 1 << 12,
  Direction: 1 << 13,
  Order: 1 << 14,
  Scope: 1 << 15,
  Pop: 1 << 16,
  Column: 1 << 17,
  Cardinality: 1 << 18,
  Operator: 1 << 19,
  Barrier: 1 << 20,
  Pick: 1 << 21,
  Merge: 1 << 22,
  DT: 1 << 23,
  GType: 1 << 24,
  /** The kind is known when the script runs: a variable, or an expression. */
  variable: 1 << 25,
  /** `new ReferenceVertex(1, 'person')`, as clients before 3.8 send it. */
  element: 1 << 26,
  /** A class by name, such as Vertex.class. */
  class: 1 << 27,
  /** A closure that no traversal can stand for: a comparator, a supplier or a function of two values. */
  closure: 1 << 28
} as const

/** All values that can be data of a traversal: the generic literals of the grammar, and all constants. */
export const anyValue = ~(Kind.predicate | Kind.class) & (2 * Kind.class - 1)

/** All kinds, for an expression of a session script. */
export const anything = -1

const words: ReadonlyArray<readonly [number, string]> = [
  [Kind.string, "a string"],
  [Kind.integer, "an integer"],
  [Kind.decimal, "a decimal number"],
  [Kind.boolean, "true or false"],
  [Kind.null, "null"],
  [Kind.traversal, "a traversal"],
  [Kind.predicate, "a predicate"],
  [Kind.map, "a map"],
  [Kind.list, "a list"],
  [Kind.set, "a set"],
  [Kind.date, "a datetime"],
  [Kind.uuid, "a UUID"],
  [Kind.T, "one of T (id, label, key, value)"],
  [Kind.Direction, "a Direction (OUT, IN, BOTH)"],
  [Kind.Order, "an Order (asc, desc, shuffle)"],
  [Kind.Scope, "a Scope (local, global)"],
  [Kind.Pop, "a Pop (first, last, all, mixed)"],
  [Kind.Column, "a Column (keys, values)"],
  [Kind.Cardinality, "a Cardinality (single, list, set)"],
  [Kind.Operator, "an Operator (sum, minus, ...)"],
  [Kind.Barrier, "a Barrier (normSack)"],
  [Kind.Pick, "a Pick (any, none, unproductive)"],
  [Kind.Merge, "a Merge (onCreate, onMatch, outV, inV)"],
  [Kind.DT, "a DT (second, minute, hour, day)"],
  [Kind.GType, "a GType (INT, STRING, ...)"],
  [Kind.variable, "a variable"],
  [Kind.element, "a vertex"],
  [Kind.class, "a class"],
  [Kind.closure, "a closure"]
]

/** The kinds of a mask in words, for error messages. A variable is accepted everywhere, so it is named only alone. */
export const inWords = (mask: number): string => {
  if ((mask & anyValue) === anyValue) return (mask & Kind.predicate) === 0 ? "a value" : "a value or a predicate"
  const named = words.filter(([bit]) => (mask & bit) !== 0 && (bit !== Kind.variable || mask === bit))
  const texts = named.map(([, text]) => text)
  return texts.length < 2 ? (texts[0] ?? "nothing") : `${texts.slice(0, -1).join(", ")} or ${texts.at(-1)}`
}

/** The kind of a constant of this enumeration. */
export const kindOfEnum = (name: EnumName): number => Kind[name]

/** The kind of a constant. */
export const kindOfConstant = (value: unknown): number =>
  value instanceof EnumValue ? Kind[value.enumName] : typeof value === "string" ? Kind.string : Kind.integer

const DECIMALS: ReadonlySet<string> = new Set(["Float", "Double", "BigDecimal"])

/** The kind of a value as an argument of a step. Other objects have the kind of a variable. */
export const kindOf = (value: unknown): number => {
  if (value === null) return Kind.null
  if (typeof value === "string") return Kind.string
  if (typeof value === "boolean") return Kind.boolean
  if (isNumber(value)) return DECIMALS.has(numberKind(value)) ? Kind.decimal : Kind.integer
  if (value instanceof Bytecode) return Kind.traversal
  if (value instanceof GremlinMap) return Kind.map
  if (value instanceof GremlinSet) return Kind.set
  if (Array.isArray(value)) return Kind.list
  if (value instanceof EnumValue) return Kind[value.enumName]
  return isPredicate(value) ? Kind.predicate : Kind.variable
}
