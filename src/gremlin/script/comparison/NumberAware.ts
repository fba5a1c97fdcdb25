import { GremlinSet } from "../../../structure/collections/Collections.ts"
import { MapValues } from "../../../structure/collections/MapValues.ts"
import { toBigInt, toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { compareDecimals, decimalOfDouble, decimalToDouble, integralPart } from "../../../structure/numbers/Decimal.ts"
import { BigDecimal, BigInteger, double, type GremlinNumber, isNumber } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import type { Budget } from "../budget/Budget.ts"
import { TextBuilder } from "../objects/TextBuilder.ts"
import { isIntegral } from "../values/NumberTypes.ts"

/** Values that are looked for as Groovy's NumberAwareComparator does: numbers of different types with the same value are equal. */
export class NumberAwareSet {
  readonly #values = new GremlinSet()
  readonly #canonical: (value: unknown) => unknown

  /**
   * @param values counted in the budget as the members of a set
   * @param comparesTexts whether builders with the same text are equal, as for all methods but minus()
   */
  constructor(values: Array<unknown> = [], budget?: Budget, comparesTexts = true) {
    this.#canonical = comparesTexts ? (value) => canonical(builtText(value)) : canonical
    for (const value of budget?.keys(values) ?? values) this.#values.add(this.#canonical(value))
  }

  has(value: unknown): boolean {
    return this.#values.has(this.#canonical(value))
  }

  /** Adds a value. False if it was a member. */
  add(value: unknown): boolean {
    const key = this.#canonical(value)
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

/**
 * The value with numbers of one type for each number: a BigInteger, a Double for a fraction, or a BigDecimal where no Double is
 * near enough. The digits of extreme scales are never written out.
 */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value) && !(value instanceof MapValues)) return value.map(canonical)
  if (value instanceof Char) return codeOf(value.text)
  if (typeof value === "string") return value.length === 1 ? codeOf(value) : value
  return isNumber(value) ? canonicalNumber(value) : value
}

/** As for Groovy, a character and a text of one character are equal to the number that is their code. */
const codeOf = (character: string): BigInteger => new BigInteger(BigInt(character.charCodeAt(0)))

/** Marks the text of a builder: its key must differ from that of a list. */
const BUILT_TEXT = Object.freeze({})

const builtText = (value: unknown): unknown =>
  value instanceof TextBuilder ? [BUILT_TEXT, value.type, value.text] : value

const canonicalNumber = (value: GremlinNumber): GremlinNumber => {
  if (value instanceof BigDecimal) return canonicalDecimal(value)
  const approximate = toDouble(value)
  if (!isIntegral(value)) {
    return Number.isInteger(approximate) ? new BigInteger(BigInt(approximate)) : double(approximate)
  }
  const whole = toBigInt(value)
  return Number.isFinite(approximate) ? new BigInteger(whole) : new BigDecimal(whole, 0)
}

const canonicalDecimal = (value: BigDecimal): GremlinNumber => {
  if (value.unscaled === 0n) return new BigInteger(0n)
  const nearest = decimalToDouble(value)
  if (!Number.isFinite(nearest)) return value
  if (!Number.isInteger(nearest))
    return compareDecimals(decimalOfDouble(nearest), value) === 0 ? double(nearest) : value
  const whole = integralPart(value)
  return compareDecimals(new BigDecimal(whole, 0), value) === 0 ? new BigInteger(whole) : value
}
