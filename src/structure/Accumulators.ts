import { add, average, castTo, larger, multiply, smaller } from "./Arithmetic.ts"
import { Byte, Double, double, Float, type GremlinNumber, isInt, isNumber, numberKind, Short } from "./Numbers.ts"
import { naturallyComparable, order, Space, spaceOf } from "./Ordering.ts"
import { briefText } from "./Text.ts"
import { typeName } from "./TypeNames.ts"
import { ArithmeticFailure, TypeMismatch } from "./ValueErrors.ts"

/** What sum(), mean(), min() and max() keep while values pass. Nulls are ignored by all of them. */

/** How a running sum is held. */
const Held = { nothing: 0, integer: 1, double: 2, other: 3 } as const

/**
 * A running sum (sum(), and mean() over it). Ints, Longs up to 2^53 and Doubles run on a plain number with the kind
 * beside it; other kinds are added value by value. Fails with TypeMismatch on a value that is no number, and with
 * ArithmeticFailure ("long overflow") beyond Long.
 */
export class Sum {
  #held: number = Held.nothing
  #sum = 0
  /** The running integer is a Long: a Long was added, or the sum left the Int range once. */
  #long = false
  #other: GremlinNumber = 0

  /** Adds a value that occurs `bulk` times. */
  add(value: unknown, bulk: number): void {
    if (typeof value === "number") {
      if (isInt(value)) this.#addInteger(value, bulk)
      else this.addDouble(value, bulk)
    } else if (isNumber(value)) this.#combine(bulk === 1 ? value : multiply(value, inKindOf(value, bulk)))
    else if (value !== null && value !== undefined) throw mismatch("added up", value)
  }

  /** Adds a value of a column whose kind is Double, where 1 means 1.0. */
  addDouble(value: number, bulk: number): void {
    if (this.#held === Held.integer || this.#held === Held.other) this.#combine(double(value * bulk))
    else {
      this.#sum = this.#held === Held.nothing ? value * bulk : this.#sum + value * bulk
      this.#held = Held.double
    }
  }

  #addInteger(value: number, bulk: number): void {
    const product = value * bulk
    const sum = this.#sum + product
    if (this.#held <= Held.integer && Number.isSafeInteger(product) && Number.isSafeInteger(sum)) {
      this.#held = Held.integer
      this.#sum = sum
      if ((sum | 0) !== sum || (product | 0) !== product) this.#long = true
    } else this.#combine((product | 0) === product ? product : multiply(value, BigInt(bulk)))
  }

  #combine(value: GremlinNumber): void {
    const sum = this.#held === Held.nothing ? value : add(this.#current(), value)
    if (typeof sum === "number") this.#hold(isInt(sum) ? Held.integer : Held.double, sum, false)
    else if (sum instanceof Double) this.#hold(Held.double, sum.value, false)
    else if (typeof sum === "bigint" && Number.isSafeInteger(Number(sum))) this.#hold(Held.integer, Number(sum), true)
    else {
      this.#held = Held.other
      this.#other = sum
    }
  }

  #hold(held: number, sum: number, long: boolean): void {
    this.#held = held
    this.#sum = sum
    this.#long = long
  }

  #current(): GremlinNumber {
    if (this.#held === Held.integer) return this.#long ? BigInt(this.#sum) : this.#sum
    return this.#held === Held.double ? double(this.#sum) : this.#other
  }

  /** The sum; null when there was no value but null. */
  result(): GremlinNumber | null {
    return this.#held === Held.nothing ? null : this.#current()
  }
}

/** The bulk as a number of the value's kind, so that multiplying by it does not widen the sum; a Long where it does not fit. */
const inKindOf = (value: GremlinNumber, bulk: number): GremlinNumber => {
  try {
    return castTo(BigInt(bulk), numberKind(value))
  } catch (error) {
    if (error instanceof ArithmeticFailure) return BigInt(bulk)
    throw error
  }
}

/** A running mean: a Double, or a BigDecimal when a BigInteger or BigDecimal was among the values. Fails as {@link Sum} does. */
export class Mean {
  readonly #sum = new Sum()
  #count = 0

  /** Adds a value that occurs `bulk` times. */
  add(value: unknown, bulk: number): void {
    if (value instanceof Float) this.#sum.addDouble(value.value, bulk)
    else this.#sum.add(value instanceof Byte || value instanceof Short ? value.value : value, bulk)
    if (value !== null && value !== undefined) this.#count += bulk
  }

  /** Adds a value of a column whose kind is Double, where 1 means 1.0. */
  addDouble(value: number, bulk: number): void {
    this.#sum.addDouble(value, bulk)
    this.#count += bulk
  }

  /** The mean; null when there was no value but null. */
  result(): GremlinNumber | null {
    const sum = this.#sum.result()
    return sum === null ? null : average(sum, this.#count)
  }
}

/**
 * The smaller of two values (min(), Operator.min); null gives way to anything. Numbers come in the kind in which both
 * meet. Fails with TypeMismatch on values that have no common order.
 */
export const minimum = (a: unknown, b: unknown): unknown => {
  if (a === null || a === undefined) return b ?? null
  if (b === null || b === undefined) return a
  if (isNumber(a) && isNumber(b)) return smaller(a, b)
  return inCommonOrder(a, b) < 0 ? a : b
}

/** The larger of two values (max(), Operator.max); otherwise as {@link minimum}. */
export const maximum = (a: unknown, b: unknown): unknown => {
  if (a === null || a === undefined) return b ?? null
  if (b === null || b === undefined) return a
  if (isNumber(a) && isNumber(b)) return larger(a, b)
  return inCommonOrder(a, b) > 0 ? a : b
}

const inCommonOrder = (a: unknown, b: unknown): number => {
  const space = spaceOf(a)
  const ordered = space === Space.string || space === Space.boolean || space === Space.date || space === Space.uuid
  if (space !== spaceOf(b) || !(ordered || naturallyComparable(a, b))) throw mismatch("compared", a, b)
  return order(a, b)
}

const mismatch = (action: string, ...values: unknown[]): TypeMismatch => {
  const named = values.map((value) => `the ${typeName(value)} '${briefText(value).slice(0, 60)}'`)
  return new TypeMismatch(
    values.length === 1
      ? `Only numbers can be ${action}, but ${named[0]} is among the values.`
      : `Values of these types cannot be ${action}: ${named.join(" and ")}.`
  )
}
