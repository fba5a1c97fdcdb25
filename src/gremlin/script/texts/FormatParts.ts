import type { BigDecimal } from "../../../structure/numbers/Numbers.ts"
import type { ExceptionType } from "../../SyntaxErrors.ts"
import type { Budget } from "../budget/Budget.ts"
import { OperandError } from "../values/OperandErrors.ts"

/** One conversion of a format, such as `%05.2f`. */
export interface FormatSpec {
  /** The conversion as it is written, or its beginning. */
  readonly written: string
  readonly flags: string
  /** Least number of characters; 0 without one. */
  readonly width: number
  readonly precision: number | undefined
  /** The letter in lower case. */
  readonly conversion: string
  readonly isUpper: boolean
}

/** The error of a format that Java refuses. */
export const wrongFormat = (problem: string, exception: ExceptionType = "IllegalFormatException"): OperandError =>
  new OperandError(problem, exception)

/** The text with spaces up to the width. */
export const padded = (text: string, { flags, width }: FormatSpec, budget: Budget): string => {
  if (text.length >= width) return text
  const spaces = budget.repeated(" ", width - text.length)
  return flags.includes("-") ? text + spaces : spaces + text
}

/** The integer part of a number in groups of three digits, if the format asks for them. */
export const inGroups = (digits: string, { flags }: FormatSpec): string => {
  if (!flags.includes(",")) return digits
  const [whole = "", ...fraction] = digits.split(".")
  const groups: Array<string> = []
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end))
  return [groups.join(","), ...fraction].join(".")
}

/** The digits with a sign, and with zeros or spaces up to the width. `prefix` is put before the digits. */
export const signed = (digits: string, isNegative: boolean, spec: FormatSpec, budget: Budget, prefix = ""): string => {
  const { flags, width } = spec
  const isInParentheses = isNegative && flags.includes("(")
  const plus = flags.includes("+") ? "+" : flags.includes(" ") ? " " : ""
  const before = `${isInParentheses ? "(" : isNegative ? "-" : plus}${prefix}`
  const after = isInParentheses ? ")" : ""
  const missing = width - before.length - digits.length - after.length
  const zeros = flags.includes("0") && missing > 0 ? budget.repeated("0", missing) : ""
  return padded(`${before}${zeros}${digits}${after}`, spec, budget)
}

/** The number with one digit before the point and an exponent: `1.50e+03`. */
export const scientific = ({ scale, unscaled }: BigDecimal, precision: number): string => {
  if (unscaled === 0n) return `0${precision > 0 ? `.${"0".repeat(precision)}` : ""}e+00`
  let digits = unscaled.toString()
  let exponent = digits.length - 1 - scale
  if (digits.length > precision + 1) {
    const isUp = digits.charCodeAt(precision + 1) >= 53
    const kept = BigInt(digits.slice(0, precision + 1)) + (isUp ? 1n : 0n)
    digits = kept.toString()
    if (digits.length > precision + 1) exponent++
  }
  const all = digits.slice(0, precision + 1).padEnd(precision + 1, "0")
  const size = String(Math.abs(exponent)).padStart(2, "0")
  return `${all.slice(0, 1)}${precision > 0 ? `.${all.slice(1)}` : ""}e${exponent < 0 ? "-" : "+"}${size}`
}
