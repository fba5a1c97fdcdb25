import { ArithmeticFailure } from "../errors/ValueErrors.ts"
import { exactQuotient, powerOfTen, precision } from "./Decimal.ts"
import { BigDecimal } from "./Numbers.ts"

// Rounding of BigDecimals by the modes of java.math.RoundingMode.

/** The modes of java.math.RoundingMode, in its order: the old constants of BigDecimal, such as ROUND_UP, are their positions. */
export const roundingModes = [
  "UP",
  "DOWN",
  "CEILING",
  "FLOOR",
  "HALF_UP",
  "HALF_DOWN",
  "HALF_EVEN",
  "UNNECESSARY"
] as const

/** A mode of java.math.RoundingMode. */
export type RoundingMode = (typeof roundingModes)[number]

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

/** True if the mode rounds away from zero. `half` is negative if the dropped part is less than a half, and 0 if it is one. */
const isAway = (mode: RoundingMode, isNegative: boolean, isOdd: boolean, half: bigint): boolean => {
  switch (mode) {
    case "UP":
      return true
    case "DOWN":
      return false
    case "CEILING":
      return !isNegative
    case "FLOOR":
      return isNegative
    case "HALF_UP":
      return half >= 0n
    case "HALF_DOWN":
      return half > 0n
    case "HALF_EVEN":
      return half > 0n || (half === 0n && isOdd)
    case "UNNECESSARY":
      throw new ArithmeticFailure("Rounding necessary")
  }
}

/** The quotient of two integers, rounded. Fails with ArithmeticFailure if `UNNECESSARY` has to round. */
const roundedQuotient = (dividend: bigint, divisor: bigint, mode: RoundingMode): bigint => {
  const quotient = dividend / divisor
  const rest = dividend % divisor
  if (rest === 0n) return quotient
  const isNegative = dividend < 0n !== divisor < 0n
  const half = 2n * magnitude(rest) - magnitude(divisor)
  if (!isAway(mode, isNegative, quotient % 2n !== 0n, half)) return quotient
  return quotient + (isNegative ? -1n : 1n)
}

/** The decimal at another scale. Fails with ArithmeticFailure if `UNNECESSARY` has to round. */
export const rescaled = (decimal: BigDecimal, scale: number, mode: RoundingMode): BigDecimal =>
  dividedAt(decimal, new BigDecimal(1n, 0), scale, mode)

/** The quotient at a scale. Fails with ArithmeticFailure for the divisor 0, and if `UNNECESSARY` has to round. */
export const dividedAt = (a: BigDecimal, b: BigDecimal, scale: number, mode: RoundingMode): BigDecimal => {
  if (b.unscaled === 0n) throw new ArithmeticFailure("/ by zero")
  if (a.unscaled === 0n) return new BigDecimal(0n, scale)
  const shift = scale - (a.scale - b.scale)
  if (shift >= 0) return new BigDecimal(roundedQuotient(a.unscaled * powerOfTen(shift), b.unscaled, mode), scale)
  // A quotient far below the unit is rounded as its smallest representative: the digits need not be written out.
  const most = precision(a) + 2
  const divisor = b.unscaled * powerOfTen(Math.min(-shift, most))
  return new BigDecimal(roundedQuotient(a.unscaled, divisor, mode), scale)
}

/** Digits of a divisor up to which {@link exactQuotient} finds every quotient with finitely many digits. */
const MAX_EXACT_DIVISOR_DIGITS = 1_000

/**
 * The exact quotient, at the scale nearest to the difference of both scales. Fails with ArithmeticFailure for the divisor 0 and for a
 * quotient with infinitely many digits.
 */
export const dividedExactly = (a: BigDecimal, b: BigDecimal): BigDecimal => {
  if (b.unscaled === 0n) throw new ArithmeticFailure(a.unscaled === 0n ? "Division undefined" : "Division by zero")
  const scale = a.scale - b.scale
  if (a.unscaled === 0n) return new BigDecimal(0n, scale)
  if (precision(b) > MAX_EXACT_DIVISOR_DIGITS) {
    throw new ArithmeticFailure(
      `An exact division takes a divisor of at most ${MAX_EXACT_DIVISOR_DIGITS} digits; divide(x, scale, mode) takes longer ones.`
    )
  }
  const exact = exactQuotient(a.unscaled, b.unscaled, scale)
  if (exact !== undefined) return exact
  throw new ArithmeticFailure("Non-terminating decimal expansion; no exact representable decimal result.")
}

/** The integers that both decimals are at the larger of their scales, and this scale. */
const aligned = (a: BigDecimal, b: BigDecimal): readonly [a: bigint, b: bigint, scale: number] => {
  const scale = Math.max(a.scale, b.scale)
  const at = (decimal: BigDecimal): bigint => decimal.unscaled * powerOfTen(scale - decimal.scale)
  return [at(a), at(b), scale]
}

/** The remainder of the division whose quotient is an integer, with the sign of `a`. Fails with ArithmeticFailure for the divisor 0. */
export const remainderOf = (a: BigDecimal, b: BigDecimal): BigDecimal => {
  if (b.unscaled === 0n) throw new ArithmeticFailure(a.unscaled === 0n ? "Division undefined" : "Division by zero")
  const [dividend, divisor, scale] = aligned(a, b)
  const rest = dividend % divisor
  // Java subtracts the product of an integral quotient, whose scale is nearest to the difference of both scales.
  const quotient = withoutZeros(new BigDecimal(dividend / divisor, 0), Math.min(a.scale - b.scale, 0))
  const preferred = Math.max(a.scale, quotientScale(quotient, a.scale - b.scale) + b.scale)
  return withScaleAtLeast(new BigDecimal(rest, scale), preferred)
}

const quotientScale = (quotient: BigDecimal, preferred: number): number =>
  quotient.unscaled === 0n || preferred > 0 ? preferred : quotient.scale

const withScaleAtLeast = (decimal: BigDecimal, scale: number): BigDecimal => rescaled(decimal, scale, "UNNECESSARY")

/** The decimal without zeros at its end, down to a scale. */
export const withoutZeros = (decimal: BigDecimal, least = Number.NEGATIVE_INFINITY): BigDecimal => {
  if (decimal.unscaled === 0n) return new BigDecimal(0n, 0)
  const digits = decimal.unscaled.toString()
  let zeros = 0
  while (digits.charCodeAt(digits.length - 1 - zeros) === 0x30) zeros++
  const dropped = Math.min(zeros, Math.max(0, decimal.scale - least))
  // Cutting the text needs no power of ten and no division, which would take longer.
  return new BigDecimal(BigInt(digits.slice(0, digits.length - dropped)), decimal.scale - dropped)
}
