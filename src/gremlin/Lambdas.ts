import { TimeSlice } from "../scheduling/TimeSlice.ts"
import { evaluate } from "./Interpreter.ts"
import { type ParseOptions, parseScript } from "./Parser.ts"
import type { Scope } from "./Scope.ts"
import { ScriptClosure } from "./ScriptClosure.ts"

/** Characters that the text of a lambda may have: preparing that many takes about 5 ms. */
export const MAX_LAMBDA_CHARS = 65_536

/**
 * The closure of a driver's lambda in Groovy: its text with or without braces, as in `it.get()`, `x -> x + 1` and `{a, b -> a <=> b}`.
 * Fails with GremlinSyntaxError. The text has at most {@link MAX_LAMBDA_CHARS}.
 */
export const lambdaClosure = (text: string, scope: Scope, options: ParseOptions): ScriptClosure => {
  const trimmed = text.trim()
  const inside = trimmed.startsWith("{") && trimmed.endsWith("}") ? trimmed.slice(1, -1) : trimmed
  const closure = resultOf(`({${inside}})`, scope, options)
  // Without a parameter and without `it` the braces are a set.
  return closure instanceof ScriptClosure ? closure : (resultOf(`({it -> ${inside}})`, scope, options) as ScriptClosure)
}

const resultOf = (text: string, scope: Scope, options: ParseOptions): unknown =>
  evaluate(parseScript(text, options), scope, new TimeSlice()).next().value
