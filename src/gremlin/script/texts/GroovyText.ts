import { afterLastSolid, firstSolid, isBlank, trimmed } from "../../../structure/characters/JavaSpace.ts"
import { GremlinSet } from "../../../structure/collections/Collections.ts"
import type { Budget } from "../budget/Budget.ts"
import { asIndex, asText, type Method, type Methods, positioned, within } from "../methods/MethodTable.ts"
import { characterOf } from "../values/Characters.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { formatArguments, formatted } from "./FormatText.ts"

/** Largest number of arguments of formatted(). */
const MAX_FORMAT_ARGUMENTS = 1000

/** Characters at which tokenize() without an argument splits. */
const WHITESPACE = " \t\n\r\f"

/** The characters of a string, as strings. */
const charactersOf = (value: string, budget: Budget): Array<string> => {
  budget.spend(value.length, "splitting")
  return value.split("")
}

/** A padding of `length` characters. */
const padding = (length: number, pad: unknown, budget: Budget): string => {
  if (length <= 0) return ""
  const part = pad === undefined ? " " : asText(pad)
  if (part === "") throw new OperandError("the padding has no characters")
  return budget.repeated(part, Math.ceil(length / part.length)).slice(0, length)
}

const firstUpper = (value: string): string => value.slice(0, 1).toUpperCase() + value.slice(1)

/** The parts between any of the separators, without empty ones. */
const tokens = (value: string, separators: string, budget: Budget): Array<unknown> => {
  const text = budget.whole(value)
  const ends = new Set(separators)
  const found: Array<string> = []
  let from = 0
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !ends.has(text[at]!)) continue
    if (at > from) found.push(text.slice(from, at))
    if (found.length % 4096 === 4095) budget.spend(found.length, "splitting")
    from = at + 1
  }
  return budget.list(found)
}

/** How often a text occurs, overlapping ones included. */
const occurrences = (value: string, text: string, budget: Budget): number => {
  if (text === "") return value.length + 1
  let count = 0
  // Each search visits at most the characters up to the next occurrence, and each may compare the whole text.
  for (let at = value.indexOf(text); at >= 0; at = value.indexOf(text, at + 1)) {
    count++
    if (count % 1024 === 0) budget.spend(count * (1 + (text.length >> 4)), "counting")
  }
  return count
}

const before = (value: string, text: string): string => {
  const at = value.indexOf(text)
  return at < 0 || text === "" ? "" : value.slice(0, at)
}

const after = (value: string, text: string): string => {
  const at = value.indexOf(text)
  return at < 0 || text === "" ? "" : value.slice(at + text.length)
}

const between = (value: string, from: string, to: string): string => {
  const start = value.indexOf(from)
  const end = start < 0 ? -1 : value.indexOf(to, start + from.length)
  return end < 0 ? "" : value.slice(start + from.length, end)
}

/** True when Java's class parses the trimmed text as an integer from `-(limit + 1)` to `limit`. */
const isIntegral =
  (limit: bigint): Method[2] =>
  (value: string) => {
    const text = value.slice(0, 100).trim()
    if (!/^[+-]?\d+$/.test(text)) return false
    const number = BigInt(text.replace("+", ""))
    return number <= limit && number >= -limit - 1n
  }

const isDecimal: Method[2] = (value: string, _, budget) =>
  /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(budget.whole(value).trim())

const FLOATING =
  /^[+-]?(?:NaN|Infinity|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|0[xX](?:[\da-fA-F]+(?:\.[\da-fA-F]*)?|\.[\da-fA-F]+)[pP][+-]?\d+)[fFdD]?)$/

/** True for a text that Java reads as a Float or a Double. */
const isFloating: Method[2] = (value: string, _, budget) => FLOATING.test(trimmed(budget.whole(value)))

/** Methods that Groovy adds to strings, and the newer ones of Java. */
export const groovyTextMethods: Methods = {
  take: [1, 1, (value: string, [n]) => value.slice(0, Math.max(0, asIndex(n)))],
  drop: [1, 1, (value: string, [n]) => value.slice(Math.max(0, asIndex(n)))],
  takeRight: [1, 1, (value: string, [n]) => value.slice(Math.max(0, value.length - Math.max(0, asIndex(n))))],
  dropRight: [1, 1, (value: string, [n]) => value.slice(0, Math.max(0, value.length - Math.max(0, asIndex(n))))],
  takeBefore: [1, 1, (value: string, [text]) => before(value, asText(text))],
  takeAfter: [1, 1, (value: string, [text]) => after(value, asText(text))],
  padLeft: [1, 2, (value: string, [n, pad], budget) => padding(asIndex(n) - value.length, pad, budget) + value],
  padRight: [1, 2, (value: string, [n, pad], budget) => value + padding(asIndex(n) - value.length, pad, budget)],
  center: [
    1,
    2,
    (value: string, [n, pad], budget) => {
      const room = Math.max(0, asIndex(n) - value.length)
      return padding(room >> 1, pad, budget) + value + padding((room >> 1) + (room % 2), pad, budget)
    }
  ],
  capitalize: [0, 0, (value: string, _, budget) => firstUpper(budget.whole(value))],
  uncapitalize: [0, 0, (value: string) => value.slice(0, 1).toLowerCase() + value.slice(1)],
  toList: [0, 0, (value: string, _, budget) => budget.list(charactersOf(value, budget))],
  toCharArray: [
    0,
    0,
    (value: string, _, budget) => new JavaArray("char", budget.list(charactersOf(value, budget).map(characterOf)))
  ],
  toSet: [0, 0, (value: string, _, budget) => new GremlinSet(budget.keys(charactersOf(value, budget)))],
  tokenize: [0, 1, (value: string, [by = WHITESPACE], budget) => tokens(value, asText(by), budget)],
  readLines: [
    0,
    0,
    (value: string, _, budget) => {
      const lines = budget.whole(value).split(/\r?\n|\r/)
      if (lines.at(-1) === "") lines.pop()
      return budget.list(lines)
    }
  ],
  count: [1, 1, (value: string, [text], budget) => occurrences(budget.whole(value), asText(text), budget)],
  multiply: [1, 1, (value: string, [n], budget) => repeated(value, n, budget)],
  repeat: [1, 1, (value: string, [n], budget) => repeated(value, n, budget)],
  minus: [
    1,
    1,
    (value: string, [text]) => {
      const at = value.indexOf(asText(text))
      return at < 0 ? value : value.slice(0, at) + value.slice(at + asText(text).length)
    }
  ],
  strip: [
    0,
    0,
    (value: string, _, budget) => {
      const from = firstSolid(budget.whole(value))
      return value.slice(from, afterLastSolid(value, from))
    }
  ],
  stripLeading: [0, 0, (value: string, _, budget) => value.slice(firstSolid(budget.whole(value)))],
  stripTrailing: [0, 0, (value: string, _, budget) => value.slice(0, afterLastSolid(budget.whole(value), 0))],
  compareToIgnoreCase: [
    1,
    1,
    (value: string, [text], budget) => {
      const [left, right] = [budget.whole(value).toLowerCase(), budget.whole(asText(text)).toLowerCase()]
      return left === right ? 0 : left < right ? -1 : 1
    }
  ],
  formatted: [
    0,
    MAX_FORMAT_ARGUMENTS,
    (value: string, args, budget) => formatted(value, formatArguments(args), budget)
  ],
  codePointAt: [1, 1, (value: string, [at]) => value.codePointAt(within(asIndex(at), value.length))],
  getAt: [1, 1, (value: string, [at]) => positioned(value, asIndex(at))],
  isAllWhitespace: [0, 0, (value: string, _, budget) => isBlank(budget.whole(value))],
  takeBetween: [2, 2, (value: string, [from, to]) => between(value, asText(from), asText(to))],
  isInteger: [0, 0, isIntegral(0x7fff_ffffn)],
  isLong: [0, 0, isIntegral(0x7fff_ffff_ffff_ffffn)],
  isNumber: [0, 0, isDecimal],
  isBigDecimal: [0, 0, isDecimal],
  isBigInteger: [0, 0, (value: string, _, budget) => /^[+-]?\d+$/.test(trimmed(budget.whole(value)))],
  isFloat: [0, 0, isFloating],
  isDouble: [0, 0, isFloating]
}

/** As in Java, a negative count is an error. Groovy's `*` fails for it, too. */
const repeated = (value: string, times: unknown, budget: Budget): string => {
  if (asIndex(times) < 0) throw new OperandError(`a string cannot be repeated ${asIndex(times)} times`)
  return budget.repeated(value, asIndex(times))
}
