import type { Budget } from "./Budget.ts"
import { JavaArray } from "./JavaArray.ts"
import { ScriptMatcher } from "./Matchers.ts"
import { asIndex, asText, type Methods } from "./MethodTable.ts"
import { OperandError } from "./OperandErrors.ts"
import type { PatternMatch } from "./Patterns.ts"
import { separated } from "./SeparatedText.ts"

/** All matches of a pattern in a text, or the first one alone. */
const matchesOf = (value: string, pattern: unknown, budget: Budget, isFirst = false): readonly PatternMatch[] => {
  const text = budget.whole(value)
  const compiled = budget.pattern(pattern)
  return isFirst ? compiled.compiled.all(text, 1) : new ScriptMatcher(text, compiled).matches(budget)
}

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

const replaced = (value: string, [pattern, by]: readonly unknown[], budget: Budget, isFirst: boolean): string => {
  const replacement = asText(by)
  let text = ""
  let from = 0
  for (const { start, end, groups } of matchesOf(value, pattern, budget, isFirst)) {
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
const parts = (value: string, [pattern = "\\s+", most = 0]: readonly unknown[], budget: Budget): Array<unknown> => {
  const limit = asIndex(most)
  if (typeof pattern === "string" && isLiteral(pattern)) return literalParts(value, pattern, limit, budget)
  const found: Array<string> = []
  const text = pattern === "\\s+" ? value.trim() : value
  let from = 0
  for (const { start, end } of matchesOf(text, pattern, budget)) {
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
const isLiteral = (pattern: string): boolean => !/[\\[\](){}.*+?^$|]/.test(pattern)

const literalParts = (value: string, separator: string, limit: number, budget: Budget): Array<unknown> => {
  const all = separated(value, separator, "splitting", budget)
  const found =
    limit > 0 && all.length > limit ? [...all.slice(0, limit - 1), all.slice(limit - 1).join(separator)] : all
  if (limit === 0 && found.length > 1) while (found.length > 0 && found.at(-1) === "") found.pop()
  return budget.list(found)
}

/** Methods of strings that take a regular expression. They run in time linear in the text. */
export const patternTextMethods: Methods = {
  matches: [1, 1, (value: string, [pattern], budget) => budget.pattern(pattern).matches(budget.whole(value))],
  replaceAll: [2, 2, (value: string, args, budget) => replaced(value, args, budget, false)],
  replaceFirst: [2, 2, (value: string, args, budget) => replaced(value, args, budget, true)],
  split: [0, 2, (value: string, args, budget) => new JavaArray("String", parts(value, args, budget))],
  find: [1, 1, (value: string, [pattern], budget) => matchesOf(value, pattern, budget, true)[0]?.groups[0] ?? null],
  findAll: [
    1,
    1,
    (value: string, [pattern], budget) => budget.list(matchesOf(value, pattern, budget).map(({ groups }) => groups[0]))
  ]
}
