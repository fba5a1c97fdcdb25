import type { ScriptRun } from "../../HostCall.ts"
import type { ScriptClosure } from "../../ScriptClosure.ts"
import { type Caller, ended } from "../methods/MemberCalls.ts"
import { CHARS_PER_ITEM_SHIFT } from "../objects/Matchers.ts"
import type { PatternMatch } from "../values/Patterns.ts"
import { isMet } from "./Conditions.ts"

/** A method of strings with a closure. `args` are those before the closure. */
type TextMethod = (value: string, closure: ScriptClosure, args: readonly unknown[], caller: Caller) => ScriptRun

/** Finds the matches of a pattern one after the other, because each may read the rest of the text. Counts them in the budget. */
const finderOf = (value: string, pattern: unknown, { budget }: Caller): (() => PatternMatch | undefined) => {
  const next = budget.pattern(pattern).compiled.finder(budget.whole(value))
  let from = 0
  return () => {
    budget.spend((value.length - from) >> CHARS_PER_ITEM_SHIFT)
    const match = next()
    from = match?.end ?? value.length
    return match
  }
}

/** Calls a closure with a match: with the text, or with a list of the text and the groups, whose members several parameters receive. */
const called = (closure: ScriptClosure, { groups }: PatternMatch, caller: Caller): unknown => {
  if (groups.length === 1) return caller.attemptCall(closure, [groups[0]])
  return caller.attemptCall(closure, closure.parameterCount > 1 ? groups : [caller.budget.list([...groups])])
}

/** Calls the closure with each match, at most `most`, and `use` with the match and the value of the call. */
function* eachMatch(
  [value, closure, [pattern], caller]: Parameters<TextMethod>,
  most: number,
  use: (match: PatternMatch, called: unknown) => void
): ScriptRun {
  const next = finderOf(value, pattern, caller)
  for (let count = 0; count < most; count++) {
    const match = next()
    if (match === undefined) break
    use(match, yield* ended(called(closure, match, caller)))
    if (caller.budget.isSliceOver) yield { kind: "pause" }
  }
  return null
}

function* replaced(given: Parameters<TextMethod>, most: number): ScriptRun {
  const [value, , , { budget }] = given
  let text = ""
  let from = 0
  yield* eachMatch(given, most, ({ start, end }, by) => {
    text += value.slice(from, start) + budget.text(by ?? "null")
    budget.growing(text.length)
    from = end
  })
  return budget.string(text + value.slice(from))
}

const ALL = Number.POSITIVE_INFINITY

/** Methods of strings that take a pattern and a closure. */
export const patternClosureMethods: { readonly [name: string]: TextMethod } = {
  replaceAll: (...given) => replaced(given, ALL),
  replaceFirst: (...given) => replaced(given, 1),
  *eachMatch(...given) {
    yield* eachMatch(given, ALL, () => {})
    return given[0]
  },
  *find(...given) {
    let found: unknown = null
    yield* eachMatch(given, 1, (_, value) => {
      found = value
    })
    return found
  },
  *findAll(...given) {
    const { budget } = given[3]
    const values: Array<unknown> = []
    yield* eachMatch(given, ALL, (_, value) => values.push(budget.member(value)))
    return budget.list(values)
  }
}

/** The number of characters at the beginning for which the closure is true. */
function* prefixLength(
  value: string,
  closure: ScriptClosure,
  caller: Caller
): Generator<never, number, unknown> | ScriptRun {
  let at = 0
  while (at < value.length && (yield* isMet(caller.attemptCall(closure, [value[at]]), closure, caller))) at++
  return at
}

/** Methods of strings that take a closure alone. */
export const textClosureMethods: { readonly [name: string]: TextMethod } = {
  *takeWhile(value, closure, _, caller) {
    return value.slice(0, (yield* prefixLength(value, closure, caller)) as number)
  },
  *dropWhile(value, closure, _, caller) {
    return value.slice((yield* prefixLength(value, closure, caller)) as number)
  },
  *collectReplacements(value, closure, _, caller) {
    const { budget } = caller
    let text = ""
    for (const character of budget.list(budget.whole(value).split(""))) {
      const by = yield* ended(caller.attemptCall(closure, [character]))
      text += by === null ? character : budget.text(by)
      budget.growing(text.length)
    }
    return budget.string(text)
  },
  *eachLine(value, closure, _, caller) {
    const lines = caller.budget.list(linesOf(caller.budget.whole(value)))
    let last: unknown = null
    for (const [at, line] of lines.entries()) {
      last = yield* ended(caller.attemptCall(closure, closure.parameterCount > 1 ? [line, at] : [line]))
    }
    return last
  }
}

/** The lines of a text. A line break at the end of the text begins no further line. */
const linesOf = (text: string): Array<unknown> => {
  const lines = text.split(/\r?\n|\r/)
  if (lines.at(-1) === "") lines.pop()
  return lines
}
