import { beginning } from "../../structure/errors/TaggedError.ts"
import { LONG_MAX, LONG_MIN } from "../../structure/numbers/Numbers.ts"
import { numberOfText } from "../NumberTexts.ts"
import { DIGIT_0, DIGIT_9, DOT, LETTER_E, LETTER_UPPER_E, MINUS, PLUS, QUOTE } from "./JsonCharacters.ts"

/** The state of a reader of JSON that reading its numbers needs. */
export interface NumberSource {
  readonly text: string
  position: number
  /** Offset of the number that was scanned last. */
  numberStart: number
  /** True when that number has neither a point nor an exponent. */
  numberIntegral: boolean
  /** Its value when it is integral and has at most {@link EXACT_DIGITS} digits, otherwise NaN. */
  numberValue: number
  peek(): number
  string(): string
  numberText(): string
  unexpected(expected: string): never
  fail(problem: string, at?: number): never
}

/** Characters of one number. The time of arithmetic grows with the square of the number of digits. */
const LONGEST_NUMBER_CHARS = 10_000

/** Decimal digits that a JavaScript number always holds exactly. */
const EXACT_DIGITS = 15

/** Characters of a number's text that an error quotes. */
const QUOTED_CHARS = 200

/** Scans the number at the position and moves the position after it. Fails if no number begins there. */
export const scanNumber = (source: NumberSource): void => {
  const { text } = source
  const start = source.position
  let at = start
  let code = text.charCodeAt(at)
  const negative = code === MINUS
  if (negative) code = text.charCodeAt(++at)
  const first = at
  const limit = start + LONGEST_NUMBER_CHARS
  let value = 0
  while (code >= DIGIT_0 && code <= DIGIT_9 && at <= limit) {
    value = value * 10 + (code - DIGIT_0)
    code = text.charCodeAt(++at)
  }
  const digits = at - first
  if (digits === 0) source.unexpected("a value")
  if (digits > 1 && text.charCodeAt(first) === DIGIT_0) source.fail("A number begins with a needless 0")
  source.numberStart = start
  source.numberIntegral = true
  if (code === DOT) {
    source.numberIntegral = false
    at = afterDigits(source, at + 1)
    code = text.charCodeAt(at)
  }
  if (code === LETTER_E || code === LETTER_UPPER_E) {
    source.numberIntegral = false
    code = text.charCodeAt(++at)
    at = afterDigits(source, code === PLUS || code === MINUS ? at + 1 : at)
  }
  if (at - start > LONGEST_NUMBER_CHARS) tooLong(source)
  source.numberValue = source.numberIntegral && digits <= EXACT_DIGITS ? (negative ? 0 - value : value) : Number.NaN
  source.position = at
}

/** The offset after the digits at `from`. Fails if there is no digit. */
const afterDigits = (source: NumberSource, from: number): number => {
  let at = from
  const limit = from + LONGEST_NUMBER_CHARS
  let code = source.text.charCodeAt(at)
  while (code >= DIGIT_0 && code <= DIGIT_9 && at <= limit) code = source.text.charCodeAt(++at)
  if (at === from) source.fail("A digit is missing in a number", from)
  return at
}

const tooLong = (source: NumberSource): never =>
  source.fail(`A number has more than ${LONGEST_NUMBER_CHARS} characters`)

/** Scans a number, or reads a string with the text of one: gives the text of the string, undefined for a number. */
const scanOrReadText = (source: NumberSource): string | undefined => {
  if (source.peek() !== QUOTE) {
    scanNumber(source)
    return undefined
  }
  const text = source.string()
  if (text.length > LONGEST_NUMBER_CHARS) tooLong(source)
  return text
}

/** The integer that was scanned last. */
export const scannedInteger = (source: NumberSource): bigint =>
  BigInt(Number.isNaN(source.numberValue) ? source.numberText() : source.numberValue)

/** Reads an integer from `minimum` to `maximum`, which have at most 32 bits. */
export const readSmallInteger = (source: NumberSource, minimum: number, maximum: number): number => {
  const text = scanOrReadText(source)
  const isExact = text === undefined && source.numberIntegral
  const value = isExact ? source.numberValue : numberOfText(text ?? source.numberText())
  if (value === undefined || !Number.isInteger(value) || value < minimum || value > maximum) {
    source.fail(`The number is no integer from ${minimum} to ${maximum}`)
  }
  return value
}

/** Reads an integer of any length. */
export const readBigInteger = (source: NumberSource): bigint => {
  const quoted = scanOrReadText(source)
  if (quoted === undefined && source.numberIntegral) return scannedInteger(source)
  const text = quoted ?? source.numberText()
  const match = /^([+-]?\d+)(?:\.0*)?$/.exec(text)
  if (match !== null) return BigInt(match[1]!.replace("+", ""))
  // An integer of a client that has only floating-point numbers, such as 1e3.
  const value = numberOfText(text)
  return value !== undefined && Number.isSafeInteger(value) ? BigInt(value) : source.fail("The number is no integer")
}

/** Reads a 64-bit integer. */
export const readLong = (source: NumberSource): bigint => {
  const value = readBigInteger(source)
  if (value < LONG_MIN || value > LONG_MAX) source.fail("The number does not fit an Int64")
  return value
}

/** Reads a floating-point number. JSON has strings for those it cannot write: `"NaN"`, `"Infinity"`, `"-Infinity"`. */
export const readFloatingPoint = (source: NumberSource): number => {
  const text = scanOrReadText(source) ?? source.numberText()
  return numberOfText(text) ?? source.fail(`'${beginning(text, QUOTED_CHARS)}' is no number`)
}

/** Reads the text of a decimal number. */
export const readDecimalText = (source: NumberSource): string => scanOrReadText(source) ?? source.numberText()
