import { outcomeText } from "../Known.ts"
import { mayBeIntended, type Outcome } from "../Outcome.ts"

/** A difference of programs that is intended. */
interface ProgramRule {
  readonly reason: string
  readonly applies: (program: string, reference: string, candidate: string) => boolean
}

/** The text of an outcome without the types of its numbers. */
const withoutNumberTypes = (text: string): string => text.replace(/\]\.[a-z]+/g, "]")

/** The types of the numbers of an outcome, in order. */
const numberTypes = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/\]\.([a-z]+)/g), ([, type]) => type!)

/** Types of numbers from the narrowest to the widest: Byte, Short, Int, Long, BigInteger, BigDecimal, Float, Double. */
const BY_WIDTH = ["b", "s", "i", "l", "n", "m", "f", "d"]

/** True if each number whose type differs has a wider type in the first outcome. */
const isWider = (reference: string, candidate: string): boolean => {
  const own = numberTypes(candidate)
  return numberTypes(reference).every((type, at) => BY_WIDTH.indexOf(type) >= BY_WIDTH.indexOf(own[at] ?? ""))
}

/** A conditional of which a value has a literal number. */
const CONDITIONAL_WITH_LITERAL = /\?[^\n?]*\d[^\n?]*:|\?[^\n?]*:[^\n?]*\d/

const rules: ReadonlyArray<ProgramRule> = [
  {
    reason: "One operation of a script has at most 100,000 members (docs/reference/limits.md).",
    applies: (_, __, candidate) => candidate.includes("the limit for scripts is 100000")
  },
  {
    reason: "All collections that a script builds have at most 2,000,000 members together (docs/reference/limits.md).",
    applies: (_, __, candidate) => candidate.includes("more than 2000000 items in total")
  },
  {
    reason:
      "A change of a list that removes as many members as it adds is not noticed by a loop over the list (docs/reference/scripts.md).",
    applies: (program, reference) =>
      reference.includes("ConcurrentModificationException") && /\[0\.\.1\] =/.test(program)
  },
  {
    reason:
      "Groovy's compiler gives both values of `a ? b : c` one number type also for some calculations with literals, which depends on " +
      "where they stand. This server does so for two literals.",
    applies: (program, reference, candidate) =>
      CONDITIONAL_WITH_LITERAL.test(program) &&
      withoutNumberTypes(reference) === withoutNumberTypes(candidate) &&
      isWider(reference, candidate)
  }
]

/** The reason why a difference of two outcomes of a program is intended; undefined if no rule explains it. */
export const reasonOf = (program: string, reference: Outcome, candidate: Outcome): string | undefined => {
  if (!mayBeIntended(candidate)) return undefined
  const [there, here] = [outcomeText(reference), outcomeText(candidate)]
  return rules.find(({ applies }) => applies(program, there, here))?.reason
}
