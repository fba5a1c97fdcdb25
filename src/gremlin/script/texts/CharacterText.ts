import { afterLastSolid, firstSolid, isBlank } from "../../../structure/characters/JavaSpace.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { SPACE } from "../../parser/Characters.ts"
import type { Budget } from "../budget/Budget.ts"
import { asIndex, asText, type Methods, part } from "../methods/MethodTable.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"

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
const expanded = (set: string, budget: Budget): string => {
  const spent = budget.spent
  return set.replace(/(.)-(.)/gs, (_, from: string, to: string) => {
    const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)]
    const step = first <= last ? 1 : -1
    const count = Math.abs(last - first) + 1
    budget.spend(count, "tr()")
    budget.limit(spent, "tr()")
    let text = ""
    for (let at = 0; at < count; at++) text += String.fromCharCode(first + at * step)
    return text
  })
}

/**
 * Replaces each character of a set by the one at its place in another. The last character of the other set stands for all further
 * places, and the last place of a character is its place.
 */
const translated = (value: string, from: string, to: string, budget: Budget): string => {
  budget.spend(value.length + from.length + to.length, "tr()")
  const [source, target] = [expanded(from, budget), expanded(to, budget)]
  if (target === "") return value
  const places = new Map<string, string>()
  for (let at = 0; at < source.length; at++) places.set(source[at]!, target[Math.min(at, target.length - 1)]!)
  let text = ""
  for (let at = 0; at < value.length; at++) text += places.get(value[at]!) ?? value[at]
  return text
}

/** The lines of a text, without an empty one at its end. */
const linesOf = (value: string, budget: Budget): Array<string> => {
  const lines = budget.whole(value).split(LINE_END)
  if (lines.at(-1) === "") lines.pop()
  budget.list(lines)
  return lines
}

const LINE_END = /\r\n|\r|\n/

/** The lines, each changed by a function. As in Groovy, they are separated by line feeds. */
const withLines = (value: string, change: (line: string) => string, budget: Budget): string => {
  const end = value.endsWith("\n") ? "\n" : ""
  return budget.string(linesOf(value, budget).map(change).join("\n") + end)
}

/**
 * stripIndent() of Java 15 and later: removes the smallest indentation of the lines that are not blank, and all white space at their
 * ends. A last line that is blank has an indentation, too: 0 after a line feed at the end.
 */
const stripped = (value: string, budget: Budget): string => {
  const lines = linesOf(value, budget)
  const isEnded = /[\r\n]$/.test(value)
  let depth = isEnded ? 0 : (lines.at(-1)?.length ?? 0)
  if (!isEnded) {
    for (const line of lines) {
      const indent = firstSolid(line)
      if (indent < line.length) depth = Math.min(depth, indent)
    }
  }
  const cut = (line: string): string => {
    const from = Math.min(depth, firstSolid(line))
    return line.slice(from, afterLastSolid(line, from))
  }
  return budget.string(lines.map(cut).join("\n") + (isEnded ? "\n" : ""))
}

/** `indent(count)` of Java: a negative count removes white space. Each line ends with a line feed. */
const indented = (value: string, count: number, budget: Budget): string => {
  const lines = linesOf(value, budget)
  const begin = budget.repeated(" ", Math.max(0, count))
  budget.growing(value.length + lines.length * (begin.length + 1))
  const change = (line: string): string => begin + line.slice(Math.min(Math.max(0, -count), firstSolid(line)))
  return budget.string(lines.map((line) => `${change(line)}\n`).join(""))
}

/** The line without its margin, which is all up to the mark if only control characters and spaces precede it. */
const withoutMargin = (line: string, mark: string | undefined): string => {
  let at = 0
  while (at < line.length && line.charCodeAt(at) <= SPACE) at++
  return at < line.length && line[at] === mark ? line.slice(at + 1) : line
}

/** Methods of strings. */
export const characterTextMethods: Methods = {
  next: [0, 0, (value: string) => neighbour(value, 1)],
  previous: [0, 0, (value: string) => neighbour(value, -1)],
  tr: [2, 2, (value: string, [from, to], budget) => translated(budget.whole(value), asText(from), asText(to), budget)],
  subSequence: [2, 2, (value: string, [from, to]) => value.slice(...part(value.length, from, to))],
  intern: [0, 0, (value: string) => value],
  iterator: [0, 0, (value: string, _, budget) => new ScriptIterator(budget.list(budget.whole(value).split("")))],
  normalize: [0, 0, (value: string, _, budget) => budget.string(budget.whole(value).replace(/\r\n?/g, "\n"))],
  indent: [1, 1, (value: string, [count], budget) => indented(value, asIndex(count), budget)],
  stripIndent: [
    0,
    1,
    (value: string, [depth], budget) => {
      if (depth === undefined) return stripped(value, budget)
      const most = asIndex(depth)
      // A line of white space becomes empty.
      const cut = (line: string): string => (isBlank(line) ? "" : line.slice(most))
      return most <= 0 ? value : withLines(value, cut, budget)
    }
  ],
  stripMargin: [
    0,
    1,
    (value: string, [margin = "|"], budget) => {
      const mark = margin instanceof Char ? margin.text : asText(margin)
      return withLines(value, (line) => withoutMargin(line, mark[0]), budget)
    }
  ]
}
