import { ArithmeticFailure, MalformedText } from "../errors/ValueErrors.ts"
import { BigDecimal } from "./Numbers.ts"
import { doubleText } from "./NumberText.ts"

/** Arithmetic and text of BigDecimal, with the scales of java.math.BigDecimal. */

/** Maximum number of digits that one calculation may add to a number. Otherwise a client could request 1E1000000000m + 1. */
const MAX_ADDED_DIGITS = 10_000

/** Maximum number of digits of exact quotients. Longer ones are rounded, because calculating all digits would take seconds. */
const MAX_EXACT_DIGITS = 4096

/** The largest and the smallest scale of java.math.BigDecimal. */
const MAX_SCALE = 0x7fff_ffff
const MIN_SCALE = -0x8000_0000

/** 10^exponent for an exponent not negative. Fails with ArithmeticFailure above 10,000. */
export const powerOfTen = (exponent: number): bigint => {
  if (exponent <= MAX_ADDED_DIGITS) return 10n ** BigInt(exponent)
  throw new ArithmeticFailure(
    `The calculation needs a BigDecimal of more than ${MAX_ADDED_DIGITS} digits; round its operands first.`
  )
}

/** Number of decimal digits of the unscaled value (java.math.BigDecimal.precision). */
export const precision = (decimal: BigDecimal): number => digitCount(decimal.unscaled)

const digitCount = (value: bigint): number => (value < 0n ? -value : value).toString().length

/** The unscaled value at a scale that is not smaller than the decimal's own. */
const unscaledAt = (decimal: BigDecimal, scale: number): bigint => {
  if (decimal.scale === scale || decimal.unscaled === 0n) return decimal.unscaled
  return decimal.unscaled * powerOfTen(scale - decimal.scale)
}

/** Sum, at the larger of both scales. */
export const addDecimals = (a: BigDecimal, b: BigDecimal): BigDecimal => {
  const scale = Math.max(a.scale, b.scale)
  return new BigDecimal(unscaledAt(a, scale) + unscaledAt(b, scale), scale)
}

/** Difference, at the larger of both scales. */
export const subtractDecimals = (a: BigDecimal, b: BigDecimal): BigDecimal =>
  addDecimals(a, new BigDecimal(-b.unscaled, b.scale))

/**
 * The decimal, whose scale has to be an Int as in java.math.BigDecimal: the binary formats have no other. As there, 0 gets the nearest
 * scale, and another number fails with ArithmeticFailure.
 */
export const withIntScale = (decimal: BigDecimal): BigDecimal => {
  if (isIntScale(decimal.scale)) return decimal
  const isSmall = decimal.scale > 0
  if (decimal.unscaled === 0n) return new BigDecimal(0n, isSmall ? MAX_SCALE : MIN_SCALE)
  throw new ArithmeticFailure(isSmall ? "Underflow" : "Overflow")
}

const isIntScale = (scale: number): boolean => scale >= MIN_SCALE && scale <= MAX_SCALE

/** Product, at the sum of both scales. Fails with ArithmeticFailure if this is no Int. */
export const multiplyDecimals = (a: BigDecimal, b: BigDecimal): BigDecimal =>
  withIntScale(new BigDecimal(a.unscaled * b.unscaled, a.scale + b.scale))

/**
 * Quotient: exact if it has finitely many digits, at the scale nearest to the difference of both scales; else rounded half up to
 * ten digits more than the longer operand has, with at most ten digits after the point unless an operand has more.
 * Fails with ArithmeticFailure for the divisor 0, and if the scale is no Int.
 */
export const divideDecimals = (a: BigDecimal, b: BigDecimal): BigDecimal => withIntScale(quotientOf(a, b))

const quotientOf = (a: BigDecimal, b: BigDecimal): BigDecimal => {
  if (b.unscaled === 0n) throw new ArithmeticFailure("Division by zero: a BigDecimal has no infinity.")
  const preferred = a.scale - b.scale
  if (a.unscaled === 0n) return new BigDecimal(0n, preferred)
  const exact = exactQuotient(a.unscaled, b.unscaled, preferred)
  if (exact !== undefined) return exact
  const digits = Math.max(precision(a), precision(b)) + 10
  const quotient = roundedQuotient(a.unscaled, b.unscaled, preferred, digits)
  const scale = Math.max(a.scale, b.scale, 10)
  return quotient.scale > scale ? setScale(quotient, scale, "halfUp") : quotient
}

/** The quotient of two integers times 10^-preferred when it has finitely many digits. */
export const exactQuotient = (dividend: bigint, divisor: bigint, preferred: number): BigDecimal | undefined => {
  const common = greatestCommonDivisor(dividend, divisor)
  let rest = divisor / common
  if (rest < 0n) rest = -rest
  let twos = 0
  let fives = 0
  for (; twos < MAX_EXACT_DIGITS && rest % 2n === 0n; rest /= 2n) twos++
  for (; fives < MAX_EXACT_DIGITS && rest % 5n === 0n; rest /= 5n) fives++
  if (rest !== 1n) return undefined
  const digits = Math.max(twos, fives)
  return new BigDecimal((dividend * powerOfTen(digits)) / divisor, preferred + digits)
}

const greatestCommonDivisor = (a: bigint, b: bigint): bigint => {
  let x = a < 0n ? -a : a
  let y = b < 0n ? -b : b
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

/** The quotient rounded half up to `digits` significant digits. */
const roundedQuotient = (dividend: bigint, divisor: bigint, preferred: number, digits: number): BigDecimal => {
  const shift = Math.max(0, digits + digitCount(divisor) - digitCount(dividend) + 1)
  const long = new BigDecimal((dividend * powerOfTen(shift)) / divisor, preferred + shift)
  // Half up depends only on the first dropped digit, so the digits that the division truncated do not matter.
  return setScale(long, long.scale - (precision(long) - digits), "halfUp")
}

/** The decimal at another scale. If the scale gets smaller, digits are dropped (`down`) or rounded (`halfUp`). */
export const setScale = (decimal: BigDecimal, scale: number, rounding: "down" | "halfUp"): BigDecimal => {
  if (scale >= decimal.scale) return new BigDecimal(unscaledAt(decimal, scale), scale)
  if (decimal.scale - scale > digitCount(decimal.unscaled)) return new BigDecimal(0n, scale)
  const unit = powerOfTen(decimal.scale - scale)
  let quotient = decimal.unscaled / unit
  if (rounding === "halfUp") {
    const rest = decimal.unscaled % unit
    if (2n * (rest < 0n ? -rest : rest) >= unit) quotient += rest < 0n ? -1n : 1n
  }
  return new BigDecimal(quotient, scale)
}

/** The integral part. */
export const integralPart = (decimal: BigDecimal): bigint => setScale(decimal, 0, "down").unscaled

/** The integral part; undefined if it has more than `most` digits. These are then not written out. */
export const integralPartUpTo = (decimal: BigDecimal, most: number): bigint | undefined => {
  const { scale, unscaled } = decimal
  const digits = precision(decimal) - scale
  if (unscaled === 0n || digits <= 0) return 0n
  if (digits > most) return undefined
  return scale <= 0 ? unscaled * 10n ** BigInt(-scale) : unscaled / 10n ** BigInt(scale)
}

/** Compares by value and returns -1, 0 or 1. Scales have no effect: the result for 1.0m and 1.00m is 0. */
export const compareDecimals = (a: BigDecimal, b: BigDecimal): number => {
  const sign = a.unscaled < 0n ? -1 : 1
  if (a.unscaled === 0n || b.unscaled === 0n || a.unscaled < 0n !== b.unscaled < 0n) {
    return a.unscaled < b.unscaled ? -1 : a.unscaled > b.unscaled ? 1 : 0
  }
  // Decimals of different magnitude are compared without writing their digits out.
  const magnitude = precision(a) - a.scale - (precision(b) - b.scale)
  if (magnitude !== 0) return magnitude < 0 ? -sign : sign
  // Of two with one magnitude, the one with the larger scale has as many more digits. So the power is not longer than they are.
  const x = b.scale > a.scale ? a.unscaled * 10n ** BigInt(b.scale - a.scale) : a.unscaled
  const y = a.scale > b.scale ? b.unscaled * 10n ** BigInt(a.scale - b.scale) : b.unscaled
  return x < y ? -1 : x > y ? 1 : 0
}

/** The nearest Double; an infinity beyond its range. */
export const decimalToDouble = (decimal: BigDecimal): number => {
  return Number(`${decimal.unscaled}e${-decimal.scale}`)
}

/** The decimal that a finite Double's text spells: 0.1 becomes 0.1m, 1.0 becomes 1.0m. */
export const decimalOfDouble = (value: number): BigDecimal => parseDecimal(doubleText(value))

/** Maximum length of the text of a decimal. The time to parse it is quadratic. */
const MAX_DECIMAL_CHARS = 10_064

const decimalSyntax = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?$/

/** What is wrong with a text that is no decimal number, in the words of java.math.BigDecimal for the common mistakes. */
const problemOf = (text: string): string => {
  const wrong = /[^\d.eE+-]/.exec(text)?.[0]
  if (wrong !== undefined && /^[+-]?\d*\.?\d*$/.test(text.slice(0, text.indexOf(wrong)))) {
    return `Character ${wrong} is neither a decimal digit number, decimal point, nor "e" notation exponential mark.`
  }
  if (/^[+-]?\d*\.\d*\./.test(text)) return "Character array contains more than one decimal point."
  return `'${text}' is not a decimal number.`
}

/** Reads what java.math.BigDecimal reads: `-12.50`, `.5`, `1E+3`. Fails with MalformedText. */
export const parseDecimal = (text: string): BigDecimal => {
  if (text.length > MAX_DECIMAL_CHARS) {
    throw new MalformedText(
      `A decimal number has at most ${MAX_DECIMAL_CHARS} characters, but this one has ${text.length}.`
    )
  }
  const match = decimalSyntax.exec(text)
  if (match === null) throw new MalformedText(problemOf(text))
  const fraction = match[3] ?? match[4] ?? ""
  const scale = fraction.length - Number(match[5] ?? 0)
  if (!isIntScale(scale)) throw new MalformedText("Scale out of range.")
  const digits = BigInt((match[2] ?? "") + fraction)
  return new BigDecimal(match[1] === "-" ? -digits : digits, scale)
}

/** The text of java.math.BigDecimal: plain for scales of 0 and more down to 0.000001, else with an exponent. */
export const decimalText = (decimal: BigDecimal): string => {
  if (decimal.scale === 0) return decimal.unscaled.toString()
  const sign = decimal.unscaled < 0n ? "-" : ""
  const digits = decimal.unscaled.toString().slice(sign.length)
  const exponent = digits.length - 1 - decimal.scale
  if (decimal.scale > 0 && exponent >= -6) {
    const padded = digits.padStart(decimal.scale + 1, "0")
    const point = padded.length - decimal.scale
    return `${sign}${padded.slice(0, point)}.${padded.slice(point)}`
  }
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ""
  return `${sign}${digits[0]}${fraction}E${exponent > 0 ? "+" : ""}${exponent}`
}
