import { toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { decimalText, setScale } from "../../../structure/numbers/Decimal.ts"
import {
  BigDecimal,
  BigInteger,
  Byte,
  Double,
  Float,
  isInt,
  isNumber,
  Short
} from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { beginningOf } from "../../../structure/texts/Text.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Budget } from "../budget/Budget.ts"
import { hashCodeOf } from "../comparison/HashCodes.ts"
import { asText } from "../methods/MethodTable.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { Unavailable } from "../values/OperandErrors.ts"
import { type FormatSpec, inGroups, padded, scientific, signed, wrongFormat } from "./FormatParts.ts"

const UNKNOWN = "UnknownFormatConversionException"

// String.format(), sprintf() and printf(): the conversions of java.util.Formatter in the locale of the United States.

const SPEC = /%(\d{1,9}\$|<)?([-#+ 0,(]*)(\d+)?(?:\.(\d+))?(.?)/gsu
/** Maximum number of digits of a width or a precision: a longer one would make a text above the limit of scripts. */
const MAX_DIGITS = 7

/** Longest part of a format that a message shows. */
const MAX_SHOWN_CHARS = 40
/** Items that a conversion counts as, besides those of its argument. */
const CONVERSION_ITEMS = 8

/** The text of a format with arguments. Fails with OperandError for a wrong format, or arguments that it does not take. */
export const formatted = (format: string, args: readonly unknown[], budget: Budget): string => {
  let text = ""
  let from = 0
  let ordinary = 0
  let last = -1
  const spent = budget.spent
  for (const found of budget.whole(format).matchAll(SPEC)) {
    text += format.slice(from, found.index)
    from = found.index + found[0].length
    budget.spend(CONVERSION_ITEMS)
    const spec = specOf(found)
    if (spec.conversion === "n") text += "\n"
    else if (spec.conversion === "%") text += padded("%", spec, budget)
    else {
      const [, index = ""] = found
      if (index === "") last = ordinary++
      else if (index !== "<") last = Number.parseInt(index, 10) - 1
      if (last < 0 || last >= args.length)
        throw wrongFormat(`the format has no argument for ${spec.written}`, "MissingFormatArgumentException")
      text += converted(args[last], spec, budget)
    }
    budget.growing(text.length)
    budget.limit(spent, "a format")
  }
  return budget.string(text + format.slice(from))
}

/** The arguments of a method that takes `Object...`. A single array stands for its members. */
export const formatArguments = (args: readonly unknown[]): readonly unknown[] =>
  args.length === 1 && args[0] instanceof JavaArray ? args[0] : args

/** `String.format(format, ...)`, and Groovy's sprintf(), which also takes a list. Fails with OperandError. */
export const formatCall = ([format, ...args]: readonly unknown[], isGroovy: boolean, budget: Budget): string => {
  const [only] = args
  const given = isGroovy && args.length === 1 && Array.isArray(only) ? only : formatArguments(args)
  return formatted(asText(format), given, budget)
}

const specOf = ([whole, , flags = "", width, precision, conversion = ""]: RegExpExecArray): FormatSpec => {
  const written = whole.slice(0, MAX_SHOWN_CHARS)
  if (conversion === "")
    throw wrongFormat(`the conversion of ${written} is missing: write %% for a percent sign`, UNKNOWN)
  if (/[at]/i.test(conversion)) {
    throw new Unavailable(`scripts do not have the conversion %${conversion}: use format() of a date, or %s`)
  }
  if (!"dsSxXofeEgGbBcChH%n".includes(conversion)) throw wrongFormat(`there is no conversion %${conversion}`, UNKNOWN)
  if (new Set(flags).size < flags.length) throw wrongFormat(`${written} has a flag twice`)
  if (Math.max(width?.length ?? 0, precision?.length ?? 0) > MAX_DIGITS) {
    throw wrongFormat(`the width or the precision of ${written} is too large`)
  }
  if (width === undefined && /[-0]/.test(flags)) throw wrongFormat(`${written} has no width`)
  if (/-.*0|0.*-|\+.* | .*\+/.test(flags)) throw wrongFormat(`${written} has flags that exclude each other`)
  const spec = {
    written,
    flags,
    width: width === undefined ? 0 : Number(width),
    precision: precision === undefined ? undefined : Number(precision),
    conversion: conversion.toLowerCase(),
    isUpper: conversion !== conversion.toLowerCase()
  }
  checkFlags(spec)
  return spec
}

/** The flags that each conversion takes. */
const flagsOf: { readonly [conversion: string]: string } = {
  d: "-+ 0,(",
  x: "-#0",
  o: "-#0",
  f: "-+ 0,(",
  e: "-+ 0(",
  g: "-+ 0,(",
  "%": "-",
  n: ""
}

const checkFlags = ({ conversion, flags, precision, width, written }: FormatSpec): void => {
  const allowed = flagsOf[conversion] ?? "-"
  for (const flag of flags)
    if (!allowed.includes(flag)) throw wrongFormat(`${written} has a flag that it does not take`)
  if (precision !== undefined && "dxoc%n".includes(conversion)) throw wrongFormat(`${written} takes no precision`)
  if (conversion === "n" && width > 0) throw wrongFormat(`${written} takes no width`)
}

const converted = (value: unknown, spec: FormatSpec, budget: Budget): string => {
  const text =
    value === null && spec.conversion !== "b" ? padded(cut("null", spec), spec, budget) : written(value, spec, budget)
  return spec.isUpper ? text.toUpperCase() : text
}

const written = (value: unknown, spec: FormatSpec, budget: Budget): string => {
  switch (spec.conversion) {
    case "d":
      return integer(value, spec, budget)
    case "x":
    case "o":
      return bits(value, spec, budget)
    case "f":
    case "e":
    case "g":
      return decimal(value, spec, budget)
    case "c":
      return padded(character(value), spec, budget)
    case "b":
      return padded(cut(String(typeof value === "boolean" ? value : value !== null), spec), spec, budget)
    case "h":
      return padded(cut((hashCodeOf(value, budget) >>> 0).toString(16), spec), spec, budget)
    default:
      return padded(textOf(value, spec, budget), spec, budget)
  }
}

/** The text of a value. No more of it is made than the precision asks for. */
const textOf = (value: unknown, spec: FormatSpec, budget: Budget): string =>
  cut(
    budget.text(value, (of, most) => beginningOf(of, Math.min(most, spec.precision ?? most))),
    spec
  )

const cut = (text: string, { precision }: FormatSpec): string =>
  precision === undefined ? text : text.slice(0, precision)

const wrongType = (value: unknown, { conversion }: FormatSpec): Error =>
  wrongFormat(`%${conversion} does not take ${typeName(value)}`, "IllegalFormatConversionException")

/** The value and the bits of an integer; undefined for another value. A BigInteger has no number of bits. */
const integerOf = (value: unknown): readonly [value: bigint, width: number | undefined] | undefined => {
  if (value instanceof Byte) return [BigInt(value.value), 8]
  if (value instanceof Short) return [BigInt(value.value), 16]
  if (typeof value === "number" && isInt(value)) return [BigInt(value), 32]
  if (typeof value === "bigint") return [value, 64]
  return value instanceof BigInteger ? [value.value, undefined] : undefined
}

const integer = (value: unknown, spec: FormatSpec, budget: Budget): string => {
  const [number] = integerOf(value) ?? []
  if (number === undefined) throw wrongType(value, spec)
  const digits = budget.text(number < 0n ? new BigInteger(-number) : new BigInteger(number))
  return signed(inGroups(digits, spec), number < 0n, spec, budget)
}

const bits = (value: unknown, spec: FormatSpec, budget: Budget): string => {
  const [number, width] = integerOf(value) ?? []
  if (number === undefined) throw wrongType(value, spec)
  budget.text(value)
  const isNegative = width === undefined && number < 0n
  const size = width === undefined ? (number < 0n ? -number : number) : BigInt.asUintN(width, number)
  const prefix = spec.flags.includes("#") ? (spec.conversion === "x" ? "0x" : "0") : ""
  const digits = size.toString(spec.conversion === "x" ? 16 : 8)
  return signed(digits, isNegative, spec, budget, prefix)
}

const character = (value: unknown): string => {
  if (value instanceof Char) return value.text
  const [code, width] = integerOf(value) ?? []
  if (code !== undefined && width !== undefined && width < 64 && code >= 0n && code <= 0x10_ffffn) {
    return String.fromCodePoint(Number(code))
  }
  throw wrongFormat(`%c takes a Character or the code of one, not ${typeName(value)}`)
}

const DEFAULT_PRECISION = 6

const decimal = (value: unknown, spec: FormatSpec, budget: Budget): string => {
  const isDecimal = value instanceof BigDecimal || value instanceof Float || value instanceof Double
  if (!isDecimal && !(typeof value === "number" && !isInt(value))) throw wrongType(value, spec)
  if (!isNumber(value)) throw wrongType(value, spec)
  const number = toDouble(value)
  if (!(value instanceof BigDecimal) && !Number.isFinite(number)) {
    const text = Number.isNaN(number) ? "NaN" : "Infinity"
    const plain = { ...spec, flags: spec.flags.replace("0", "") }
    return Number.isNaN(number) ? padded(text, plain, budget) : signed(text, number < 0, plain, budget)
  }
  const precision = spec.precision ?? DEFAULT_PRECISION
  budget.growing(precision)
  budget.spend(precision >> 5, "formatting")
  const isNegative = value instanceof BigDecimal ? value.unscaled < 0n : number < 0 || Object.is(number, -0)
  const exact = value instanceof BigDecimal ? value : shortest(Math.abs(number))
  const size = exact.unscaled < 0n ? new BigDecimal(-exact.unscaled, exact.scale) : exact
  budget.text(size)
  return signed(digitsOf(size, precision, spec), isNegative, spec, budget)
}

const digitsOf = (size: BigDecimal, precision: number, spec: FormatSpec): string => {
  if (spec.conversion === "e") return scientific(size, precision)
  if (spec.conversion === "f") return inGroups(decimalText(setScale(size, precision, "halfUp")), spec)
  // %g has a number of digits, and an exponent only for small and large numbers.
  const count = Math.max(1, precision)
  const written = scientific(size, count - 1)
  const exponent = Number(written.slice(written.indexOf("e") + 1))
  if (exponent < MIN_PLAIN_EXPONENT || exponent >= count) return written
  return inGroups(decimalText(setScale(size, count - 1 - exponent, "halfUp")), spec)
}

/** The least exponent of a number that %g writes without one. */
const MIN_PLAIN_EXPONENT = -4

/** The decimal number with the fewest digits that is the Double. */
const shortest = (value: number): BigDecimal => {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e")
  const fraction = mantissa.length > 2 ? mantissa.length - 2 : 0
  return new BigDecimal(BigInt(mantissa.replace(".", "")), fraction - Number(exponent))
}
