import { BulkSet, GremlinSet } from "../structure/Collections.ts"
import { compare } from "../structure/Comparison.ts"
import { EnumValue } from "../structure/Enums.ts"
import { equals } from "../structure/Equality.ts"
import { equalityKey, unequal } from "../structure/EqualityKey.ts"
import { ClassName } from "../structure/Temporal.ts"
import { text } from "../structure/Text.ts"
import { typeTest } from "../structure/TypeNames.ts"
import { TraversalError, TraversalInvalid } from "./Errors.ts"
import { ConnectiveP, isSearchComparison, NotP, type P, type Predicate } from "./Predicate.ts"
import { regularExpression } from "./RegularExpression.ts"
import { searchTest } from "./SearchTest.ts"

/** What a predicate becomes: true for the values it lets through. */
export type Test = (value: unknown) => boolean

/**
 * The test of a predicate, chosen by the kind of its constant so that the common ones (an Int, a string) stay
 * monomorphic. `resolve` gives the value of an operand that is known only when the plan runs; it is asked once per
 * operand, here. Fails with TraversalInvalid for an operand that the predicate cannot take.
 */
export const compilePredicate = (predicate: Predicate, resolve: (operand: unknown) => unknown): Test => {
  if (predicate instanceof ConnectiveP) return compileConnective(predicate, resolve)
  if (predicate instanceof NotP) return not(compilePredicate(predicate.predicate, resolve))
  return compileP(predicate, resolve)
}

const compileConnective = (predicate: ConnectiveP, resolve: (operand: unknown) => unknown): Test => {
  const tests = predicate.predicates.map((part) => compilePredicate(part, resolve))
  const both = predicate.operator === "and" ? and : or
  return tests.reduce(both)
}

const not =
  (test: Test): Test =>
  (value) =>
    !test(value)

const and =
  (first: Test, second: Test): Test =>
  (value) =>
    first(value) && second(value)

const or =
  (first: Test, second: Test): Test =>
  (value) =>
    first(value) || second(value)

const compileP = (predicate: P, resolve: (operand: unknown) => unknown): Test => {
  switch (predicate.operator) {
    case "within":
      return within(collection(predicate.value, resolve))
    case "without":
      return not(within(collection(predicate.value, resolve)))
    case "between":
    case "inside":
    case "outside":
      return range(predicate.operator, resolve(predicate.value), resolve)
    default:
      return compileSingle(predicate.operator, resolve(predicate.value))
  }
}

const compileSingle = (operator: Exclude<P["operator"], Collecting>, operand: unknown): Test => {
  switch (operator) {
    case "eq":
      return equalTo(operand)
    case "neq":
      return not(equalTo(operand))
    case "lt":
      return lessThan(operand)
    case "lte":
      return atMost(operand)
    case "gt":
      return greaterThan(operand)
    case "gte":
      return atLeast(operand)
    case "typeOf":
      return typeOf(operand)
    default:
      return isSearchComparison(operator) ? searchTest(operator, operand) : textual(operator, operand)
  }
}

/** Operators over several operands. */
type Collecting = "within" | "without" | "between" | "inside" | "outside"

const equalTo = (operand: unknown): Test => {
  switch (typeof operand) {
    case "number":
      return (value) => (typeof value === "number" ? value === operand : equals(value, operand))
    case "string":
    case "boolean":
      return (value) => value === operand
    case "bigint":
      return (value) => (typeof value === "bigint" ? value === operand : equals(value, operand))
    default:
      return (value) => equals(value, operand)
  }
}

const lessThan = (operand: unknown): Test => {
  if (typeof operand === "number") {
    return (value) => (typeof value === "number" ? value < operand : (compare(value, operand) ?? 0) < 0)
  }
  if (typeof operand === "string") return (value) => typeof value === "string" && value < operand
  return (value) => (compare(value, operand) ?? 0) < 0
}

const greaterThan = (operand: unknown): Test => {
  if (typeof operand === "number") {
    return (value) => (typeof value === "number" ? value > operand : (compare(value, operand) ?? 0) > 0)
  }
  if (typeof operand === "string") return (value) => typeof value === "string" && value > operand
  return (value) => (compare(value, operand) ?? 0) > 0
}

const atMost = (operand: unknown): Test => {
  if (typeof operand === "number") {
    return (value) => (typeof value === "number" ? value <= operand : (compare(value, operand) ?? 1) <= 0)
  }
  if (typeof operand === "string") return (value) => typeof value === "string" && value <= operand
  return (value) => (compare(value, operand) ?? 1) <= 0
}

const atLeast = (operand: unknown): Test => {
  if (typeof operand === "number") {
    return (value) => (typeof value === "number" ? value >= operand : (compare(value, operand) ?? -1) >= 0)
  }
  if (typeof operand === "string") return (value) => typeof value === "string" && value >= operand
  return (value) => (compare(value, operand) ?? -1) >= 0
}

const range = (
  operator: "between" | "inside" | "outside",
  operands: unknown,
  resolve: (operand: unknown) => unknown
): Test => {
  if (!Array.isArray(operands) || operands.length !== 2) {
    throw new TraversalInvalid(`P.${operator}() needs two values, the lower and the upper bound.`)
  }
  const low = resolve(operands[0])
  const high = resolve(operands[1])
  if (operator === "outside") return or(lessThan(low), greaterThan(high))
  const inside = operator === "inside"
  if (typeof low !== "number" || typeof high !== "number") {
    return and(inside ? greaterThan(low) : atLeast(low), lessThan(high))
  }
  const exact = and(inside ? greaterThan(low) : atLeast(low), lessThan(high))
  return inside
    ? (value) => (typeof value === "number" ? value > low && value < high : exact(value))
    : (value) => (typeof value === "number" ? value >= low && value < high : exact(value))
}

/** The values of within(): those written in it, or those of the one collection that its only variable holds. */
const collection = (operand: unknown, resolve: (operand: unknown) => unknown): Iterable<unknown> => {
  if (Array.isArray(operand) && operand.length === 1) {
    const resolved = resolve(operand[0])
    return resolved !== operand[0] && isCollection(resolved) ? resolved : [resolved]
  }
  const resolved = resolve(operand)
  if (!isCollection(resolved)) return [resolved]
  return Array.isArray(resolved) ? resolved.map(resolve) : resolved
}

const isCollection = (value: unknown): value is Iterable<unknown> =>
  Array.isArray(value) || value instanceof GremlinSet || value instanceof BulkSet

/** Fewer values than this are compared one by one. */
const fewValues = 4

const within = (collected: Iterable<unknown>): Test => {
  const values = collected instanceof BulkSet ? Array.from(collected.entries(), ([value]) => value) : [...collected]
  if (values.every((value) => typeof value === "string")) {
    const strings = new Set<unknown>(values)
    return (value) => typeof value === "string" && strings.has(value)
  }
  if (values.length < fewValues) return values.map(equalTo).reduce(or, () => false)
  const keys = new Set(values.map(equalityKey))
  keys.delete(unequal)
  const others = values.filter((value) => equalityKey(value) === undefined)
  return (value) => {
    const key = equalityKey(value)
    return key === undefined ? others.some((other) => equals(value, other)) : keys.has(key)
  }
}

const typeOf = (operand: unknown): Test => {
  if (operand === null) return (value) => value === null || value === undefined
  const type = operand instanceof ClassName ? operand.name.slice(operand.name.lastIndexOf(".") + 1) : operand
  const known = typeof type === "string" || type instanceof EnumValue ? typeTest(type) : undefined
  return (
    known ??
    ((value) => {
      if (value === null || value === undefined) return false
      throw new TraversalError(`P.typeOf(): ${text(type)} is not a registered type.`)
    })
  )
}

const textual = (operator: string, operand: unknown): Test => {
  if (operator.startsWith("not")) return not(textual(operator[3]!.toLowerCase() + operator.slice(4), operand))
  if (operand === null || operand === undefined) return () => false
  if (typeof operand !== "string") {
    throw new TraversalInvalid(`TextP.${operator}() needs a string, but was given ${text(operand)}.`)
  }
  switch (operator) {
    case "startingWith":
      return (value) => typeof value === "string" && value.startsWith(operand)
    case "endingWith":
      return (value) => typeof value === "string" && value.endsWith(operand)
    case "containing":
      return (value) => typeof value === "string" && value.includes(operand)
    case "regex": {
      const matches = regularExpression(operand)
      return (value) => typeof value === "string" && matches(value)
    }
    default:
      throw new TraversalInvalid(`TextP.${operator}() is not a known predicate.`)
  }
}
