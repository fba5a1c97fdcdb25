import { BulkSet, GremlinMap, GremlinSet, isListOrSet } from "../../structure/collections/Collections.ts"
import { order } from "../../structure/comparison/Ordering.ts"
import { add, divide, larger, multiply, smaller, subtract } from "../../structure/numbers/Arithmetic.ts"
import { exactBulk } from "../../structure/numbers/Bulks.ts"
import { type GremlinNumber, isNumber } from "../../structure/numbers/Numbers.ts"
import { EnumValue } from "../../structure/scalars/Enums.ts"
import { briefText } from "../../structure/texts/Text.ts"
import { typeName } from "../../structure/texts/TypeNames.ts"
import { Closure } from "../language/Closure.ts"
import { TraversalError } from "../language/Errors.ts"
import { checkAdded, copyOf } from "./Copy.ts"

/**
 * Applies a binary Operator, as sack(), fold(seed, operator) and withSideEffect(key, value, operator) do. It changes neither
 * value: Operator.addAll creates a new collection. If one value is null:
 * - sum, minus, mult and div return the first value;
 * - min, max, and, or and addAll return the value that is not null;
 * - assign returns the second value;
 * - sumLong fails.
 *
 * Throws TraversalError for values of the wrong type, and LimitExceeded for collections that are too large.
 *
 * A closure in the place of an Operator gives the result itself.
 */
export const applyOperator = (operator: EnumValue | Closure, a: unknown, b: unknown): unknown => {
  if (operator instanceof Closure)
    return operator.now([a ?? null, b ?? null], "withSack() and withSideEffect()") ?? null
  if (isAbsent(a) || isAbsent(b)) return withNull(operator, a ?? null, b ?? null)
  switch (operator.name) {
    case "sum":
      return add(number(operator, a), number(operator, b))
    case "sumLong":
      return add(long(a), long(b))
    case "minus":
      return subtract(number(operator, a), number(operator, b))
    case "mult":
      return multiply(number(operator, a), number(operator, b))
    case "div":
      return divide(number(operator, a), number(operator, b))
    case "min":
    case "max":
      return extreme(operator.name, a, b)
    case "assign":
      return b
    case "and":
      return truth(operator, a) && truth(operator, b)
    case "or":
      return truth(operator, a) || truth(operator, b)
    default:
      return addAll(a, b)
  }
}

const isAbsent = (value: unknown): boolean => value === null || value === undefined

/** The result when at least one value is null. The other value must still have the right type. */
const withNull = (operator: EnumValue, a: unknown, b: unknown): unknown => {
  const present = a ?? b
  switch (operator.name) {
    case "assign":
      return b
    case "sum":
    case "minus":
    case "mult":
    case "div":
      if (present !== null) number(operator, present)
      return a
    case "sumLong":
      return long(null)
    case "min":
    case "max":
      return extreme(operator.name, a, b)
    case "and":
    case "or":
      return present === null ? null : truth(operator, present)
    default:
      return present
  }
}

const truth = (operator: EnumValue, value: unknown): boolean => {
  if (typeof value === "boolean") return value
  throw new TraversalError(`Operator.${operator.name} needs two booleans, but was given ${briefText(value)}`)
}

const number = (operator: EnumValue, value: unknown): GremlinNumber => {
  if (isNumber(value)) return value
  throw new TraversalError(`Operator.${operator.name} needs two numbers, but was given ${briefText(value)}`)
}

const long = (value: unknown): bigint => {
  if (typeof value === "bigint") return value
  throw new TraversalError(
    `Operator.sumLong needs two Longs, but was given ${briefText(value)}: Operator.sum adds numbers of any kind`
  )
}

/**
 * The smaller or larger of two values. Both must be of one ordered kind: numbers, strings, booleans, dates, UUIDs,
 * characters or durations. Null is ignored. Throws TraversalError for values of two kinds or of a kind without an order.
 */
export const extreme = (which: "min" | "max", a: unknown, b: unknown): unknown => {
  if (isNumber(a) && isNumber(b)) return which === "min" ? smaller(a, b) : larger(a, b)
  const [kind, other] = [comparableKind(which, a), comparableKind(which, b)]
  if (kind === null || other === null) return kind === null ? b : a
  if (kind !== other) {
    throw new TraversalError(
      `${which}() cannot compare ${briefText(a)} with ${briefText(b)}: one is a ${kind}, the other a ${other}`
    )
  }
  const first = which === "min" ? order(a, b) <= 0 : order(a, b) >= 0
  return first ? a : b
}

/** The kind of a value for comparisons; null for null. Throws TraversalError for a value without an order. */
const comparableKind = (which: "min" | "max", value: unknown): string | null => {
  if (value === null || value === undefined) return null
  if (isNumber(value)) return "Number"
  const kind = typeName(value)
  if (comparable.has(kind) || value instanceof EnumValue) return kind
  throw new TraversalError(
    `${which}() cannot compare ${briefText(value)}: a ${kind} is neither smaller nor larger than another`
  )
}

const comparable: ReadonlySet<string> = new Set([
  "String",
  "Boolean",
  "OffsetDateTime",
  "Date",
  "Instant",
  "Timestamp",
  "UUID",
  "Character",
  "Duration"
])

const addAll = (a: unknown, b: unknown): unknown => {
  const sum = copyOf(a)
  addInto(sum, b)
  return sum
}

/**
 * Adds the members of a collection to the collection `to`, or the entries of a map to the map `to`. The caller must own `to`
 * (see Accumulator). Throws what {@link applyOperator} throws.
 */
export const addInto = (to: unknown, value: unknown): void => {
  if (to instanceof GremlinMap && value instanceof GremlinMap) {
    checkAdded(to, value)
    for (const [key, item] of value) to.set(key, item)
    return
  }
  if (!(isListOrSet(to) && isListOrSet(value))) {
    throw new TraversalError(
      `Operator.addAll needs two collections or two maps, but was given ${briefText(to)} and ${briefText(value)}`
    )
  }
  checkAdded(to, value)
  if (to instanceof BulkSet && value instanceof BulkSet) {
    exactBulk(to.size + value.size)
    for (const [item, count] of value.entries()) to.add(item, count)
  } else if (to instanceof GremlinSet && value instanceof BulkSet) for (const item of value.distinct()) to.add(item)
  else if (to instanceof GremlinSet || to instanceof BulkSet)
    for (const item of value as Iterable<unknown>) to.add(item)
  else for (const item of value instanceof BulkSet ? value.toList() : value) (to as Array<unknown>).push(item)
}
