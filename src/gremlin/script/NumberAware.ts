import { toBigInt, toDouble } from "../../structure/Arithmetic.ts"
import { GremlinSet } from "../../structure/Collections.ts"
import { BigDecimal, BigInteger, double, type GremlinNumber, isNumber } from "../../structure/Numbers.ts"
import type { Budget } from "./Budget.ts"
import { isIntegral } from "./NumberOperators.ts"

/** Values that are looked for as Groovy's NumberAwareComparator does: numbers of different types with the same value are equal. */
export class NumberAwareSet {
  readonly #values = new GremlinSet()

  /** @param values counted in the budget as the members of a set */
  constructor(values: Array<unknown> = [], budget?: Budget) {
    for (const value of budget?.keys(values) ?? values) this.#values.add(canonical(value))
  }

  has(value: unknown): boolean {
    return this.#values.has(canonical(value))
  }

  /** Adds a value. False if it was a member. */
  add(value: unknown): boolean {
    const key = canonical(value)
    if (this.#values.has(key)) return false
    this.#values.add(key)
    return true
  }
}

/** The members without those that equal an earlier one. */
export const withoutEqual = (values: Array<unknown>, budget: Budget): Array<unknown> => {
  const seen = new NumberAwareSet()
  return budget.keys(values).filter((value) => seen.add(value))
}

/** The value with numbers of one type for each number: a BigInteger, or a Double for a fraction. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  return isNumber(value) ? canonicalNumber(value) : value
}

const canonicalNumber = (value: GremlinNumber): GremlinNumber => {
  if (isIntegral(value)) return new BigInteger(toBigInt(value))
  if (value instanceof BigDecimal) {
    const whole = toBigInt(value)
    if (whole * 10n ** BigInt(Math.max(0, value.scale)) === value.unscaled) return new BigInteger(whole)
  }
  const approximate = toDouble(value)
  return Number.isInteger(approximate) ? new BigInteger(BigInt(approximate)) : double(approximate)
}
