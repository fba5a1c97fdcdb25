import { trimmed } from "../../structure/characters/JavaSpace.ts"
import { MalformedText } from "../../structure/errors/ValueErrors.ts"
import { compareDecimals, decimalOfDouble, parseDecimal } from "../../structure/numbers/Decimal.ts"
import {
  type BigDecimal,
  BigInteger,
  double,
  Float,
  type GremlinNumber,
  LONG_MAX,
  longOrBig
} from "../../structure/numbers/Numbers.ts"
import { doubleText, floatText } from "../../structure/numbers/NumberText.ts"
import { LimitExceeded, TraversalError } from "../language/Errors.ts"

/** Limit of the length of a number's text, because the conversion takes quadratic time. */
const MAX_NUMBER_CHARS = 10_000

const hexadecimal = /^(-?)0[xX]0*([0-9a-fA-F]*)$/
const octal = /^[+-]?0[0-7]+$/
const decimalInteger = /^[+-]?(?:0|[1-9]\d*)$/
const longInteger = /^-?(?:0|[1-9]\d*)[lL]$/
/** As in commons-lang, digits after a leading 0 need a point: 01.5 is a number, 01e2 and 09f are none. */
const fraction = /^([+-]?(?:0|[1-9]\d*|\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?)([fFdD]?)$/

/**
 * Parses a number into the narrowest kind that keeps all digits: Int, Long or BigInteger for integers (0x1F and 017
 * included), Float, Double or BigDecimal for fractions. The suffixes L, f and d select a kind. What trim() of Java
 * removes around the number is ignored. Throws TraversalError for other texts, also for an exponent beyond 32 bits,
 * and LimitExceeded for texts that are too long.
 */
export const parseNumber = (written: string): GremlinNumber => {
  if (written.length > MAX_NUMBER_CHARS) {
    throw new LimitExceeded(
      `asNumber() parses texts of at most ${MAX_NUMBER_CHARS} characters, but this text has ${written.length}.`
    )
  }
  const text = trimmed(written)
  const number = parseInteger(text) ?? parseFraction(text)
  if (number === undefined) throw new TraversalError(`Can't parse string '${written}' as number.`)
  return number
}

const parseInteger = (text: string): GremlinNumber | undefined => {
  if (decimalInteger.test(text)) return narrowest(BigInt(text))
  const hex = hexadecimal.exec(text)
  if (hex !== null && /[0-9a-fA-F]$/.test(text)) return parseHexadecimal(hex[1] === "-", hex[2]!)
  if (octal.test(text)) {
    const value = BigInt(`0o${text.replace(/^[+-]/, "")}`)
    return narrowest(text.startsWith("-") ? -value : value)
  }
  return longInteger.test(text) ? longOrBig(BigInt(text.slice(0, -1))) : undefined
}

/** The kind follows from the magnitude, without the sign: 0x80000000 is a Long. */
const parseHexadecimal = (negative: boolean, digits: string): GremlinNumber => {
  const magnitude = BigInt(`0x${digits || "0"}`)
  const value = negative ? -magnitude : magnitude
  if (magnitude <= 0x7fffffffn) return Number(value)
  return magnitude <= LONG_MAX ? value : new BigInteger(value)
}

const narrowest = (value: bigint): GremlinNumber =>
  BigInt.asIntN(32, value) === value ? Number(value) : longOrBig(value)

const parseFraction = (text: string): GremlinNumber | undefined => {
  const [, digits, suffix] = fraction.exec(text) ?? []
  if (digits === undefined) return undefined
  const asDouble = Number(digits)
  const asFloat = new Float(asDouble)
  const isZero = !/[1-9]/.test(digits.replace(/[eE].*/, ""))
  const holds = (value: number): boolean => Number.isFinite(value) && (value !== 0 || isZero)
  if (suffix === "f" || suffix === "F") return holds(asFloat.value) ? asFloat : doubleOrDecimal(digits, holds(asDouble))
  if (suffix !== "") return doubleOrDecimal(digits, holds(asDouble))
  const decimal = decimalOf(digits)
  if (decimal === undefined) return undefined
  if (holds(asFloat.value) && floatText(asFloat.value) === doubleText(asDouble)) return asFloat
  return holds(asDouble) && compareDecimals(decimal, decimalOfDouble(asDouble)) === 0 ? double(asDouble) : decimal
}

const doubleOrDecimal = (digits: string, holds: boolean): GremlinNumber | undefined =>
  holds ? double(Number(digits)) : decimalOf(digits)

const decimalOf = (digits: string): BigDecimal | undefined => {
  try {
    return parseDecimal(digits)
  } catch (error) {
    if (error instanceof MalformedText) return undefined
    throw error
  }
}
