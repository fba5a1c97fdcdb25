import { evaluate } from "./Interpreter.ts"
import { type ParseOptions, parseClosure } from "./Parser.ts"
import type { Scope } from "./Scope.ts"
import type { ScriptClosure } from "./ScriptClosure.ts"

/** Characters that the text of a lambda may have: preparing that many takes about 5 ms. */
export const MAX_LAMBDA_CHARS = 65_536

/**
 * The closure of a driver's lambda in Groovy: its text with or without braces, as in `it.get()`, `x -> x + 1` and `{a, b -> a <=> b}`.
 * Fails with GremlinSyntaxError for a text that is no closure, or more than one. Nothing of the text runs. The text has at most
 * {@link MAX_LAMBDA_CHARS}.
 */
export const lambdaClosure = (text: string, scope: Scope, options: ParseOptions): ScriptClosure => {
  // A line break ends a comment in the last line.
  const closure = text.trimStart().startsWith("{") ? text : `{${text}${text.includes("//") ? "\n}" : "}"}`
  return evaluate(parseClosure(closure, options), scope).next().value as ScriptClosure
}
