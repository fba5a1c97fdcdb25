import { Lambda } from "../language/Bytecode.ts"
import { ClosureSource } from "../language/Closure.ts"
import { closureChild } from "../language/ClosureChild.ts"
import { LambdaNotSupported, TraversalInvalid } from "../language/Errors.ts"
import type { ClosureUse, Language } from "../plan/Language.ts"

/** The language of lambdas that the server interprets. */
const GROOVY = "gremlin-groovy"

/** Characters of a lambda that an error message quotes. */
const QUOTED_CHARS = 100

/** True if an argument is a closure or lambda. Throws LambdaNotSupported for a lambda in a language other than Groovy. */
export const holdsClosure = (args: readonly unknown[]): boolean => {
  let holds = false
  for (const argument of args) {
    if (!(argument instanceof ClosureSource)) continue
    if (argument instanceof Lambda) refuseOtherLanguage(argument)
    holds = true
  }
  return holds
}

/** Throws LambdaNotSupported for a lambda in a language other than Groovy. */
export const refuseOtherLanguage = ({ language, script }: Lambda): void => {
  if (language === GROOVY) return
  throw new LambdaNotSupported(
    `The lambda in ${language.slice(0, QUOTED_CHARS)} (${script.slice(0, QUOTED_CHARS)}) cannot run: this server interprets ` +
      `lambdas in ${GROOVY} only. Write it in Groovy and name the language, or use Gremlin steps.`
  )
}

/**
 * The arguments of an instruction with a child traversal in the place of its closure: the child is one step, which calls the
 * closure. Steps that call closures themselves get them as they are. Throws TraversalInvalid for an operator that takes none.
 */
export const withClosureSteps = (
  operator: string,
  args: readonly unknown[],
  { closures }: Language
): readonly unknown[] => {
  const use = closures.get(operator)
  if (use === undefined) throw new TraversalInvalid(`${operator}() takes no closure`)
  if (use === "own") return args
  return args.map((argument, at) =>
    argument instanceof ClosureSource ? placed(operator, argument, at, use) : argument
  )
}

const placed = (operator: string, closure: ClosureSource, at: number, use: Exclude<ClosureUse, "own">): unknown => {
  // by(comparator), by(key, comparator): the step that is modulated takes it or refuses it.
  if (use === "key" && (at > 0 || closure.parameterCount === 2)) return closure
  if (at > 0) throw new TraversalInvalid(`${operator}() takes a closure only as its first argument`)
  if (closure.parameterCount > 1) {
    throw new TraversalInvalid(`The closure of ${operator}() takes one argument, not ${closure.parameterCount}`)
  }
  return closureChild(closure, use === "key" ? "object" : use)
}
