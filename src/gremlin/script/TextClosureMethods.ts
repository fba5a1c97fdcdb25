import type { Evaluation } from "../Scope.ts"
import type { ScriptClosure } from "../ScriptClosure.ts"
import { ScriptMatcher } from "./Matchers.ts"
import { type Caller, ended } from "./MemberCalls.ts"
import { isTrue } from "./Operators.ts"
import type { PatternMatch } from "./Patterns.ts"

/** A method of strings with a closure. `args` are those before the closure. */
type TextMethod = (value: string, closure: ScriptClosure, args: readonly unknown[], caller: Caller) => Evaluation

/** The matches of a pattern. */
const matchesOf = (value: string, pattern: unknown, { budget }: Caller): readonly PatternMatch[] =>
  new ScriptMatcher(budget.whole(value), budget.pattern(pattern)).matches(budget)

/** Calls a closure with a match: with the text, or with a list of the text and the groups, which several parameters take apart. */
const called = (closure: ScriptClosure, { groups }: PatternMatch, caller: Caller): unknown => {
  if (groups.length === 1) return caller.attemptCall(closure, [groups[0]])
  return caller.attemptCall(closure, closure.parameterCount > 1 ? groups : [caller.budget.list([...groups])])
}

function* replaced(value: string, closure: ScriptClosure, found: readonly PatternMatch[], caller: Caller): Evaluation {
  const { budget } = caller
  let text = ""
  let from = 0
  for (const match of found) {
    const by = yield* ended(called(closure, match, caller))
    text += value.slice(from, match.start) + budget.text(by ?? "null")
    budget.growing(text.length)
    from = match.end
    if (budget.isSliceOver) yield { kind: "pause" }
  }
  return budget.string(text + value.slice(from))
}

/** Methods of strings that take a pattern and a closure. */
export const patternClosureMethods: { readonly [name: string]: TextMethod } = {
  *replaceAll(value, closure, [pattern], caller) {
    return yield* replaced(value, closure, matchesOf(value, pattern, caller), caller)
  },
  *replaceFirst(value, closure, [pattern], caller) {
    return yield* replaced(value, closure, matchesOf(value, pattern, caller).slice(0, 1), caller)
  },
  *eachMatch(value, closure, [pattern], caller) {
    for (const match of matchesOf(value, pattern, caller)) yield* ended(called(closure, match, caller))
    return value
  },
  *find(value, closure, [pattern], caller) {
    const [first] = matchesOf(value, pattern, caller)
    return first === undefined ? null : yield* ended(called(closure, first, caller))
  },
  *findAll(value, closure, [pattern], caller) {
    const values: Array<unknown> = []
    for (const match of matchesOf(value, pattern, caller)) {
      values.push(caller.budget.member(yield* ended(called(closure, match, caller))))
    }
    return caller.budget.list(values)
  }
}

/** The number of characters at the beginning for which the closure is true. */
function* prefixLength(
  value: string,
  closure: ScriptClosure,
  caller: Caller
): Generator<never, number, unknown> | Evaluation {
  let at = 0
  while (at < value.length && isTrue(yield* ended(caller.attemptCall(closure, [value[at]])))) at++
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
  *eachLine(value, closure, _, caller) {
    const lines = caller.budget.list(linesOf(caller.budget.whole(value)))
    let last: unknown = null
    for (const [at, line] of lines.entries()) {
      last = yield* ended(caller.attemptCall(closure, closure.parameterCount > 1 ? [line, at] : [line]))
    }
    return last
  }
}

/** The lines of a text. An end of line at the end begins no line. */
const linesOf = (text: string): Array<unknown> => {
  const lines = text.split(/\r?\n|\r/)
  if (lines.at(-1) === "") lines.pop()
  return lines
}
