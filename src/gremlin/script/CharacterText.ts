import { ScriptIterator } from "../Scope.ts"
import { asIndex, asText, type Methods, part } from "./MethodTable.ts"
import { OperandError } from "./OperandErrors.ts"

// Methods of strings that work on their characters.

/** Largest code of a character of Java. */
const LAST_CHARACTER = 0xffff

/** The string after this one (by 1) or before it (by -1): as in Groovy only its last character changes. */
const neighbour = (value: string, by: 1 | -1): string => {
  if (value === "") {
    if (by < 0) throw new OperandError("the string is empty, so that no string is before it")
    return "\u0000"
  }
  const code = value.charCodeAt(value.length - 1)
  const rest = value.slice(0, -1)
  if (by > 0) return code === LAST_CHARACTER ? `${value}\u0000` : rest + String.fromCharCode(code + 1)
  return code === 0 ? rest : rest + String.fromCharCode(code - 1)
}

/** The characters of `a-e` and other parts of a set of tr(). */
const expanded = (set: string): string =>
  set.replace(/(.)-(.)/gs, (whole, from: string, to: string) => {
    const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)]
    const step = first <= last ? 1 : -1
    const count = Math.abs(last - first) + 1
    if (count > MAX_RANGE_CHARS)
      throw new OperandError(`the range ${whole} of tr() has more than ${MAX_RANGE_CHARS} characters`)
    return String.fromCharCode(...Array.from({ length: count }, (_, at) => first + at * step))
  })

const MAX_RANGE_CHARS = 10_000

/** Replaces each character of a set by the one at its place in another; the last one stands for all further places. */
const translated = (value: string, from: string, to: string): string => {
  const [source, target] = [expanded(from), expanded(to)]
  if (target === "") throw new OperandError("tr() takes at least one character to replace with")
  const places = new Map<string, string>()
  for (let at = source.length - 1; at >= 0; at--) places.set(source[at]!, target[Math.min(at, target.length - 1)]!)
  let text = ""
  for (let at = 0; at < value.length; at++) text += places.get(value[at]!) ?? value[at]
  return text
}

/** The smallest indentation of the lines that are not blank. */
const stripped = (value: string): string => {
  const lines = value.split("\n")
  const depths = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length)
  const depth = depths.reduce((least, each) => Math.min(least, each), Number.MAX_SAFE_INTEGER)
  return depths.length === 0 ? value : lines.map((line) => line.slice(depth)).join("\n")
}

/** Methods of strings. */
export const characterTextMethods: Methods = {
  next: [0, 0, (value: string) => neighbour(value, 1)],
  previous: [0, 0, (value: string) => neighbour(value, -1)],
  tr: [2, 2, (value: string, [from, to], budget) => translated(budget.whole(value), asText(from), asText(to))],
  subSequence: [2, 2, (value: string, [from, to]) => value.slice(...part(value.length, from, to))],
  intern: [0, 0, (value: string) => value],
  iterator: [0, 0, (value: string, _, budget) => new ScriptIterator(budget.list(budget.whole(value).split("")))],
  stripIndent: [
    0,
    1,
    (value: string, [depth], budget) => {
      if (depth === undefined) return stripped(budget.whole(value))
      const most = asIndex(depth)
      return budget
        .whole(value)
        .split("\n")
        .map((line) => line.slice(most))
        .join("\n")
    }
  ],
  stripMargin: [
    0,
    1,
    (value: string, [margin = "|"], budget) => {
      const mark = asText(margin)
      const cut = (line: string): string => {
        const rest = line.trimStart()
        return mark !== "" && rest.startsWith(mark[0]!) ? rest.slice(1) : line
      }
      return budget.whole(value).split("\n").map(cut).join("\n")
    }
  ]
}
