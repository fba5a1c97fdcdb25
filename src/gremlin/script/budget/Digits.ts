import { ArithmeticFailure } from "../../../structure/errors/ValueErrors.ts"
import { bytesOf } from "../../../structure/memory/HeldBytes.ts"
import { precision, withIntScale } from "../../../structure/numbers/Decimal.ts"
import { type BigDecimal, BigInteger, isInt } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { Unavailable } from "../values/OperandErrors.ts"
import type { Budget } from "./Budget.ts"

// The limits of numbers of unlimited length that methods of scripts make.

/** Items of the budget that a method of a number of unlimited length counts. */
const METHOD_ITEMS = 10_000

/** Bytes of a number that count as one item that the script made. As a number of bits to shift. */
const CREATED_BYTES_SHIFT = 6

/** Most bits of a BigInteger in scripts. */
export const MAX_BITS = 65_536
const BOUND = 1n << BigInt(MAX_BITS)

/** Most digits of a BigDecimal in scripts. */
const MAX_DIGITS = 10_000

/** Counts the work of a method. */
export const counted = (budget: Budget): void => budget.spend(METHOD_ITEMS, "calculating")

/** An integer that a method made, as a BigInteger. Fails with ArithmeticFailure if it is too long. */
export const integerOf = (value: bigint, budget: Budget): BigInteger => {
  if (value >= BOUND || value <= -BOUND) {
    throw new ArithmeticFailure(
      `The result has more than ${MAX_BITS} bits; this server calculates with shorter integers only.`
    )
  }
  budget.created(bytesOf(value) >> CREATED_BYTES_SHIFT)
  return new BigInteger(value)
}

/** A decimal that a method made. Fails with ArithmeticFailure if it is too long, or if its scale is no Int. */
export const decimalOf = (made: BigDecimal, budget: Budget): BigDecimal => {
  const value = withIntScale(made)
  if (precision(value) > MAX_DIGITS) {
    throw new ArithmeticFailure(`The result has more than ${MAX_DIGITS} digits; round the operands first.`)
  }
  budget.created(bytesOf(value.unscaled) >> CREATED_BYTES_SHIFT)
  return value
}

/** An Int, which Java's methods take as a scale or a number of bits. Fails with Unavailable for another value. */
export const intOf = (value: unknown): number => {
  if (typeof value === "number" && isInt(value)) return value
  throw new Unavailable(`an Integer was expected, not ${typeName(value)}`)
}
