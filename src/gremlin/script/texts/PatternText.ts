import type { ScriptRun } from "../../HostCall.ts"
import type { Budget } from "../budget/Budget.ts"
import { asIndex, asText, type Methods } from "../methods/MethodTable.ts"
import { ScriptMatcher } from "../objects/Matchers.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { OperandError } from "../values/OperandErrors.ts"
import type { PatternMatch } from "../values/Patterns.ts"
import { separated } from "./SeparatedText.ts"

/** All matches of a pattern in a text. */
const matchesOf = (value: string, pattern: unknown, budget: Budget): readonly PatternMatch[] =>
  new ScriptMatcher(budget.whole(value), budget.pattern(pattern)).matches(budget)

/** The first match of a pattern in a text, or nothing. */
const firstOf = (value: string, pattern: unknown, budget: Budget): readonly PatternMatch[] =>
  budget.pattern(pattern).compiled.all(budget.whole(value), 1)

/** Java's replacement text: `$1` is a group, and a backslash quotes the next character. */
const expanded = (replacement: string, groups: ReadonlyArray<string | null>): string => {
  let text = ""
  for (let at = 0; at < replacement.length; at++) {
    const character = replacement[at]!
    if (character === "\\") text += replacement[++at] ?? ""
    else if (character !== "$") text += character
    else {
      const digit = replacement.charCodeAt(++at) - 48
      if (!(digit >= 0 && digit < groups.length)) {
        throw new OperandError(
          `the replacement names the group $${replacement[at] ?? ""}, which the pattern does not have. Write a dollar sign as \\$`
        )
      }
      text += groups[digit] ?? ""
    }
  }
  return text
}

const replaced = (value: string, by: unknown, matches: readonly PatternMatch[], budget: Budget): string => {
  const replacement = asText(by)
  let text = ""
  let from = 0
  for (const { start, end, groups } of matches) {
    text += value.slice(from, start) + expanded(replacement, groups)
    budget.growing(text.length)
    from = end
  }
  return budget.string(text + value.slice(from))
}

/**
 * Java's split(): the parts between the matches of a pattern. Without a limit, empty parts at the end are removed. Without a
 * pattern it splits at whitespace, as Groovy does.
 */
const parts = (value: string, args: readonly unknown[], budget: Budget): Array<unknown> => {
  const [pattern = BLANKS, most = 0] = args
  const limit = asIndex(most)
  if (isLiteral(pattern)) return literalParts(value, pattern, limit, budget)
  const text = splitText(value, pattern)
  return partsBetween(text, matchesOf(text, pattern, budget), limit, budget)
}

/** The pattern of split() without an argument. */
const BLANKS = "\\s+"

/** The text that split() divides. */
const splitText = (value: string, pattern: unknown): string => (pattern === BLANKS ? value.trim() : value)

const partsBetween = (
  text: string,
  matches: readonly PatternMatch[],
  limit: number,
  budget: Budget
): Array<unknown> => {
  const found: Array<string> = []
  let from = 0
  for (const { start, end } of matches) {
    if (limit > 0 && found.length === limit - 1) break
    // A match without characters at the beginning separates nothing.
    if (end === 0) continue
    if (start === end && start >= text.length) break
    found.push(text.slice(from, start))
    from = end
  }
  found.push(text.slice(from))
  if (limit === 0 && found.length > 1) while (found.length > 0 && found.at(-1) === "") found.pop()
  return budget.list(found)
}

/** True for a pattern that means its own characters. Such a pattern may split a text that is too long for others. */
const isLiteral = (pattern: unknown): pattern is string =>
  typeof pattern === "string" && !/[\\[\](){}.*+?^$|]/.test(pattern)

const literalParts = (value: string, separator: string, limit: number, budget: Budget): Array<unknown> => {
  const all = separated(value, separator, "splitting", budget)
  const found =
    limit > 0 && all.length > limit ? [...all.slice(0, limit - 1), all.slice(limit - 1).join(separator)] : all
  if (limit === 0 && found.length > 1) while (found.length > 0 && found.at(-1) === "") found.pop()
  return budget.list(found)
}

/** True for a method that looks for all matches of a pattern in a text. {@link searched} runs it. */
export const isSearch = (value: unknown, name: string, args: readonly unknown[]): value is string => {
  if (typeof value !== "string") return false
  if (name === "split") return args.length <= 2 && !isLiteral(args[0] ?? BLANKS)
  return name === "replaceAll" ? args.length === 2 : name === "findAll" && args.length === 1
}

/** The value of a method for which {@link isSearch} is true. Pauses between two matches. */
export function* searched(value: string, name: string, args: readonly unknown[], budget: Budget): ScriptRun {
  const [pattern = BLANKS, second] = args
  const text = name === "split" ? splitText(value, pattern) : value
  const matches = yield* new ScriptMatcher(text, budget.pattern(pattern)).find(budget)
  if (name === "replaceAll") return replaced(text, second, matches, budget)
  if (name === "findAll") return budget.list(matches.map(({ groups }) => groups[0]))
  return new JavaArray("String", partsBetween(text, matches, second === undefined ? 0 : asIndex(second), budget))
}

/** Methods of strings that take a regular expression. They run in time linear in the text. */
export const patternTextMethods: Methods = {
  matches: [1, 1, (value: string, [pattern], budget) => budget.pattern(pattern).matches(budget.whole(value))],
  replaceAll: [
    2,
    2,
    (value: string, args, budget) => replaced(value, args[1], matchesOf(value, args[0], budget), budget)
  ],
  replaceFirst: [
    2,
    2,
    (value: string, args, budget) => replaced(value, args[1], firstOf(value, args[0], budget), budget)
  ],
  split: [0, 2, (value: string, args, budget) => new JavaArray("String", parts(value, args, budget))],
  find: [1, 1, (value: string, [pattern], budget) => firstOf(value, pattern, budget)[0]?.groups[0] ?? null],
  findAll: [
    1,
    1,
    (value: string, [pattern], budget) => budget.list(matchesOf(value, pattern, budget).map(({ groups }) => groups[0]))
  ]
}
