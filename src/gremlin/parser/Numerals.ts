import { Kind } from "../../process/language/Kinds.ts"
import { parseDecimal } from "../../structure/numbers/Decimal.ts"
import {
  BigInteger,
  Byte,
  double,
  Float,
  LONG_MAX,
  LONG_MIN,
  longOrBig,
  Short
} from "../../structure/numbers/Numbers.ts"
import { DIGIT_0, DOT, isDigit, isNamePart } from "./Characters.ts"
import type { ParseContext } from "./ParseContext.ts"
import { wordAt } from "./Scanner.ts"

/**
 * Syntax of number literals. Integers are decimal, hexadecimal (0x), binary (0b) or octal (leading 0) and may have one of the
 * suffixes b, s, i, l and n. Decimal numbers may have one of the suffixes f, d and m. Groovy's suffix g means n or m. `_` may
 * stand between digits. An integer without a suffix has the first type of Int, Long and BigInteger that can hold it. A number
 * with a point or an exponent and no suffix is a Double.
 */
const numeral =
  /[+-]?(?:0[xX](?<hex>[0-9a-fA-F_]+)(?<hexSuffix>[sSnNgGiIlL]?)|0[bB](?<bits>[01_]+)(?<bitsSuffix>[sSnNgGiIlL]?)|(?<whole>[0-9][0-9_]*)?(?<fraction>\.[0-9][0-9_]*)?(?<exponent>[eE][+-]?[0-9][0-9_]*)?(?<suffix>[bBsSnNgGiIlLfFdDmM]?))/y

/** Maximum length of a literal. Converting a longer one would delay all other requests. */
const MAX_LITERAL_CHARS = 10_000

/** A literal that was read: its value or the problem with it, and the offset after it. */
type Numeral =
  | { readonly value: unknown; readonly integral: boolean; readonly end: number }
  | { readonly problem: string; readonly end: number }

const bounds: { readonly [suffix: string]: readonly [name: string, least: bigint, most: bigint] } = {
  b: ["Byte", -128n, 127n],
  s: ["Short", -32768n, 32767n],
  i: ["Int", -2147483648n, 2147483647n],
  l: ["Long", LONG_MIN, LONG_MAX]
}

/** Reads the number literal at `start`, which is the offset of a sign, a digit, or a point with a digit. */
const readNumeral = (text: string, start: number): Numeral => {
  numeral.lastIndex = start
  const match = numeral.exec(text)
  const end = numeral.lastIndex
  const literal = match?.[0] ?? ""
  const groups = match?.groups ?? {}
  if (!/[0-9]/.test(literal)) return { problem: "this is not a number", end: start + 1 }
  const digits = groups.hex ?? groups.bits
  if (digits === undefined ? /_(?![0-9_])/.test(literal) : /^_|_$/.test(digits)) {
    return { problem: `${short(literal)} is not a number: '_' may stand only between digits`, end }
  }
  if (literal.length > MAX_LITERAL_CHARS) {
    return {
      problem: `this number has more than ${MAX_LITERAL_CHARS} characters, the most a literal may have`,
      end
    }
  }
  const given = (groups.suffix || groups.hexSuffix || groups.bitsSuffix || "").toLowerCase()
  const floating = groups.fraction !== undefined || groups.exponent !== undefined || /[fdm]/.test(given)
  const suffix = given === "g" ? (floating ? "m" : "n") : given
  if (floating && digits === undefined && /[bsnil]/.test(suffix)) {
    return { problem: `${short(literal)} is not a number: the suffix ${suffix} is for integers`, end }
  }
  return floating && digits === undefined ? readFloating(literal, suffix, end) : readIntegral(literal, suffix, end)
}

const readFloating = (literal: string, suffix: string, end: number): Numeral => {
  const digits = (suffix === "" ? literal : literal.slice(0, -1)).replaceAll("_", "")
  if (suffix === "m") {
    if (/e[+-]?\d{10}/i.test(digits)) return { problem: `${short(literal)} has an exponent out of range`, end }
    return { value: parseDecimal(digits), integral: false, end }
  }
  const value = Number(digits)
  return { value: suffix === "f" ? new Float(value) : double(value), integral: false, end }
}

const readIntegral = (literal: string, suffix: string, end: number): Numeral => {
  const negative = literal.startsWith("-")
  let digits = literal.replaceAll("_", "").replace(/^[+-]/, "")
  if (suffix !== "") digits = digits.slice(0, -1)
  if (/^0[0-9]/.test(digits)) {
    if (/[89]/.test(digits)) {
      return { problem: `${short(literal)} is not a number: a leading 0 means octal digits, 0 to 7`, end }
    }
    digits = `0o${digits.slice(1)}`
  }
  if (suffix === "" && digits.length < 10) {
    const value = Number(digits)
    if (value <= 0x7fffffff) return { value: negative && value !== 0 ? -value : value, integral: true, end }
  }
  const magnitude = BigInt(digits)
  const value = negative ? -magnitude : magnitude
  if (suffix === "n") return { value: new BigInteger(value), integral: true, end }
  if (suffix !== "") {
    const [name, least, most] = bounds[suffix]!
    if (value < least || value > most) {
      return { problem: `${short(literal)} is out of range: ${name} goes from ${least} to ${most}`, end }
    }
  }
  return { value: integerOf(value, suffix), integral: true, end }
}

const integerOf = (value: bigint, suffix: string): unknown => {
  switch (suffix) {
    case "b":
      return new Byte(Number(value))
    case "s":
      return new Short(Number(value))
    case "i":
      return Number(value)
    case "l":
      return value
    default:
      if (BigInt.asIntN(32, value) === value) return Number(value)
      return longOrBig(value)
  }
}

const short = (literal: string): string => (literal.length > 40 ? `${literal.slice(0, 40)}...` : literal)

/** Reads the number literal at the position, which is at a sign, a digit or a point. */
export const readNumber = (context: ParseContext): unknown => {
  const text = context.text
  const start = context.position
  // Nearly all numbers are short integers without sign and suffix.
  let at = start
  let value = 0
  for (; at - start < 9; at++) {
    const digit = text.charCodeAt(at) - DIGIT_0
    if (!(digit >= 0 && digit <= 9)) break
    value = value * 10 + digit
  }
  const code = text.charCodeAt(at)
  const plain = at > start && (at === start + 1 || text.charCodeAt(start) !== DIGIT_0)
  if (plain && !isNamePart(code) && !isDigit(text.charCodeAt(code === DOT ? at + 1 : at))) {
    context.position = at
    context.kind = Kind.integer
    return value
  }
  const read = readNumeral(text, start)
  if ("problem" in read) throw context.failAt(start, read.problem)
  if (isNamePart(text.charCodeAt(read.end))) {
    throw context.failAt(start, `${JSON.stringify(wordAt(context, start))} is not a number`)
  }
  context.position = read.end
  context.kind = read.integral ? Kind.integer : Kind.decimal
  return read.value
}
