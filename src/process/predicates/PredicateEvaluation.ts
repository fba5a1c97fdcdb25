import { runWhole, type Task } from "../../scheduling/Task.ts"
import { CHUNK_ITEMS, mayBeSlow, TimeSlice } from "../../scheduling/TimeSlice.ts"
import { BulkSet, isListOrSet } from "../../structure/collections/Collections.ts"
import { compare } from "../../structure/comparison/Comparison.ts"
import { equals } from "../../structure/comparison/Equality.ts"
import { equalityKey, unequal } from "../../structure/comparison/EqualityKey.ts"
import { BigSet } from "../../structure/containers/BigMap.ts"
import { ClassName } from "../../structure/scalars/ClassNames.ts"
import { EnumValue } from "../../structure/scalars/Enums.ts"
import { briefText } from "../../structure/texts/Text.ts"
import { typeTest } from "../../structure/texts/TypeNames.ts"
import { TraversalError, TraversalInvalid } from "../language/Errors.ts"
import { Parameter } from "../language/Operand.ts"
import { ConnectiveP, isSearchComparison, NotP, P, type Predicate, TextP } from "../language/Predicate.ts"
import { searchTest } from "./SearchPredicate.ts"
import { textTest } from "./TextPredicate.ts"

/** A compiled predicate: true for the values that satisfy it. */
export type Test = (value: unknown) => boolean

/**
 * Compiles a predicate. The test is specialized for the type of the operand, so that the common ones (an Int, a string) stay
 * monomorphic. `resolve` returns the value of a parameter; it is called here, once for each operand. Throws TraversalInvalid
 * for an operand of the wrong type.
 */
export const compilePredicate = (predicate: Predicate, resolve: Resolve): Test => {
  if (predicate instanceof ConnectiveP) {
    return joined(
      predicate,
      predicate.predicates.map((part) => compilePredicate(part, resolve))
    )
  }
  if (predicate instanceof NotP) return not(compilePredicate(predicate.predicate, resolve))
  return isMembership(predicate)
    ? runWhole(membership(new TimeSlice(), predicate, resolve, asItIs))
    : compileP(predicate, resolve, asItIs)
}

/**
 * Compiles a predicate with yields, for within() with many values and for connectives with many predicates. `typed` changes the values
 * that are compared, but not the operands of text searches.
 */
export function* compileTask(
  slice: TimeSlice,
  predicate: Predicate,
  resolve: Resolve,
  typed: Resolve = asItIs
): Task<Test> {
  if (slice.isOverNow()) yield
  if (predicate instanceof NotP) return not(yield* compileTask(slice, predicate.predicate, resolve, typed))
  if (predicate instanceof P) {
    return isMembership(predicate)
      ? yield* membership(slice, predicate, resolve, typed)
      : compileP(predicate, resolve, typed)
  }
  const tests: Array<Test> = []
  for (const part of predicate.predicates) {
    tests.push(yield* compileTask(slice, part, resolve, typed))
    if (slice.isOverAfter(tests.length)) yield
  }
  return joined(predicate, tests)
}

/** Compiles a predicate for which {@link mayTakeLong} is false, as {@link compileTask} does. */
export const compileShort = (predicate: Predicate, resolve: Resolve, typed: Resolve = asItIs): Test =>
  compileP(predicate as P, resolve, typed)

/** Whether the compilation of a predicate may need yields. */
export const mayTakeLong = (predicate: Predicate): boolean => !(predicate instanceof P) || isMembership(predicate)

/** Values that are tested between two readings of the clock when a test searches each text once. */
const TEXT_SEARCH_STRIDE = 8

/**
 * The number of values after which the clock must be read, because tests of the predicate may be slow. Infinity: each test takes
 * less than a microsecond. Regular expressions, comparisons of searches and of collections need the clock after each value.
 */
export const clockStride = (predicate: Predicate): number => {
  if (predicate instanceof NotP) return clockStride(predicate.predicate)
  if (predicate instanceof ConnectiveP) return Math.min(...predicate.predicates.map(clockStride))
  if (isSearchComparison(predicate.operator)) return 1
  if (predicate instanceof TextP) return textStride(predicate)
  const { value } = predicate
  const isSlow = Array.isArray(value) ? value.some(mayBeSlow) : mayBeSlow(value) && !(value instanceof Parameter)
  return isSlow ? 1 : Number.POSITIVE_INFINITY
}

const textStride = ({ operator, value }: TextP): number => {
  if (operator === "regex" || operator === "notRegex") return 1
  // The others compare at most the characters of their operand.
  const isSearch = operator === "containing" || operator === "notContaining" || typeof value !== "string"
  return isSearch || mayBeSlow(value) ? TEXT_SEARCH_STRIDE : Number.POSITIVE_INFINITY
}

type Resolve = (operand: unknown) => unknown

const asItIs: Resolve = (operand) => operand

const joined = ({ operator }: ConnectiveP, tests: ReadonlyArray<Test>): Test =>
  operator === "and" ? tests.reduce(and) : tests.reduce(or)

/** True for within() and without(). */
export const isMembership = ({ operator }: P): boolean => operator === "within" || operator === "without"

function* membership(slice: TimeSlice, { operator, value }: P, resolve: Resolve, typed: Resolve): Task<Test> {
  const values = collection(value, resolve)
  const test = yield* within(slice, typed === asItIs ? values : resolvedOf(values, typed))
  return operator === "within" ? test : not(test)
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

const compileP = ({ operator, value }: P, resolve: Resolve, typed: Resolve): Test => {
  switch (operator) {
    case "between":
    case "inside":
    case "outside":
      return range(operator, resolve(value), (operand) => typed(resolve(operand)))
    case "eq":
    case "neq":
    case "lt":
    case "lte":
    case "gt":
    case "gte":
      return compileSingle(operator, typed(resolve(value)))
    default:
      return compileSingle(operator as Exclude<P["operator"], Collecting>, resolve(value))
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
      return isSearchComparison(operator) ? searchTest(operator, operand) : textTest(operator, operand)
  }
}

/** Operators with several operands. */
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

/** The values of within(): its arguments, or the members of the collection that its argument, a variable, holds. */
const collection = (operand: unknown, resolve: (operand: unknown) => unknown): Iterable<unknown> => {
  const resolved = resolve(operand)
  if (!isListOrSet(resolved)) return [resolved]
  if (!Array.isArray(resolved)) return resolved instanceof BulkSet ? resolved.distinct() : resolved
  return resolved.length < CHUNK_ITEMS ? resolved.map(resolve) : resolvedOf(resolved, resolve)
}

function* resolvedOf(values: Iterable<unknown>, resolve: (operand: unknown) => unknown): Iterable<unknown> {
  for (const value of values) yield resolve(value)
}

/** From this number of values on, within() uses a set. */
const MIN_SET_VALUES = 4

function* within(slice: TimeSlice, collected: Iterable<unknown>): Task<Test> {
  const few: Array<unknown> = []
  const keys = new BigSet<unknown>()
  /** Values without a key, which are compared one by one. */
  const others: Array<unknown> = []
  let seen = 0
  for (const value of collected) {
    if (seen < MIN_SET_VALUES) few.push(value)
    const key = equalityKey(value)
    if (key === undefined) others.push(value)
    else if (key !== unequal) keys.add(key)
    if (slice.isOverAfter(++seen, value)) yield
  }
  if (seen < MIN_SET_VALUES) return few.map(equalTo).reduce(or, () => false)
  return (value) => {
    const key = equalityKey(value)
    if (key !== undefined) return keys.has(key)
    return others.some((other) => equals(value, other))
  }
}

const typeOf = (operand: unknown): Test => {
  if (operand === null) return (value) => value === null || value === undefined
  const type = operand instanceof ClassName ? operand.simpleName : operand
  const known = typeof type === "string" || type instanceof EnumValue ? typeTest(type) : undefined
  return (
    known ??
    ((value) => {
      if (value === null || value === undefined) return false
      throw new TraversalError(`P.typeOf(): ${briefText(type)} is not a registered type.`)
    })
  )
}
