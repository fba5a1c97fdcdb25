import { Kind } from "../../process/language/Kinds.ts"
import type { CallSpec, CallState, ClosureArity } from "../../process/language/Signatures.ts"
import type { ClosureExpression } from "../Statement.ts"
import { noCode } from "../SyntaxErrors.ts"
import { LEFT_BRACE } from "./Characters.ts"
import { isClosure, readClosure } from "./ClosureParser.ts"
import { isLambda, readLambda } from "./LambdaParser.ts"
import { iteratorMethods } from "./Methods.ts"
import { functionalInterfaces } from "./Names.ts"
import type { ParseContext } from "./ParseContext.ts"
import { asData } from "./Variables.ts"

/** True when the closure of a step begins at the position, as in `filter{...}`. */
export const beginsClosure = (context: ParseContext, spec: CallSpec): boolean =>
  spec.closure !== undefined && context.skip() === LEFT_BRACE && !context.crossedLine

/** True when an argument of a step is a closure, as in `filter({...})`, not a set. */
export const isClosureArgument = (context: ParseContext, spec: CallSpec, { accepts }: CallState): boolean => {
  if (spec.closure === undefined) return false
  if (context.skip() !== LEFT_BRACE) return isLambda(context)
  // withSack({1}) has a value in gremlin-lang, and a closure that makes it in Groovy.
  const makesValue = context.isGroovy && (accepts & Kind.closure) !== 0 && spec.closure === "any"
  return isClosure(context, (accepts & Kind.set) !== 0 && !makesValue)
}

/**
 * Reads a closure as an argument of a step. The machine calls it where the step takes a function, so it stands for a traversal
 * unless the step takes closures only. The position is at its brace.
 *
 * @param state the state before the argument
 */
export const readStepClosure = (context: ParseContext, spec: CallSpec, state: CallState): unknown => {
  const at = context.position
  if (!context.allowsClosures)
    throw context.failAt(at, noCode(`${spec.name}{...} is a closure, which this server's closures=false refuses`))
  const closure = context.skip() === LEFT_BRACE ? readClosure(context) : readLambda(context)
  const isFirst = state === spec.start
  const problem = arityProblem(spec.closure === "one or two" && !isFirst ? "two" : spec.closure!, closure)
  if (problem !== undefined) throw context.failAt(at, `the closure of ${spec.name}() takes ${problem}`)
  skipInterface(context)
  context.kind = (state.accepts & Kind.closure) === 0 ? Kind.traversal : Kind.closure
  return asData(context, closure)
}

/** ` as Comparator` and the like, also with a package and types of arguments. */
const INTERFACE = /^[ \t]+as[ \t]+(?:[a-z]\w*\.)*([A-Z]\w*)\b(?:<[\w$.,? <>]{0,200}>)?/

/** Skips ` as Comparator` and the like after a closure: the step itself says as what it calls the closure. */
const skipInterface = (context: ParseContext): void => {
  const found = INTERFACE.exec(context.text.slice(context.position, context.position + 300))
  if (found !== null && functionalInterfaces.has(found[1]!)) context.position += found[0].length
}

/** What is wrong with the number of parameters; undefined if nothing is. */
const arityProblem = (arity: ClosureArity, { parameters }: ClosureExpression): string | undefined => {
  const count = parameters?.length ?? 1
  if (arity === "two") return count === 2 ? undefined : "two arguments: write {a, b -> ...}"
  const most = arity === "one" ? 1 : 2
  return count > most ? `${most === 1 ? "one argument" : "at most two arguments"}` : undefined
}

/** Reads the closures after the parenthesis of a call, as in `fold(0){a, b -> a + b}`, or after its name. */
export const readClosuresAfter = (
  context: ParseContext,
  spec: CallSpec,
  begun: CallState,
  args: readonly unknown[]
): { readonly args: readonly unknown[]; readonly state: CallState } => {
  let state = begun
  let all = args
  while (beginsClosure(context, spec)) {
    const next = state.after((state.accepts & Kind.closure) === 0 ? Kind.traversal : Kind.closure)
    if (next === null) break
    all = [...all, readStepClosure(context, spec, state)]
    state = next
  }
  return { args: all, state }
}

/** Characters after a name in which the brace of a closure is looked for. */
export const CLOSURE_CHARS = 20

/** True for a closure after the name of a step that is a method of Groovy's iterators with one. The position is after the name. */
export const takesGroovyClosure = ({ isGroovy, position, text }: ParseContext, name: string): boolean =>
  isGroovy && iteratorMethods.has(name) && /^\s*(?:\(\s*)?\{/.test(text.slice(position, position + CLOSURE_CHARS))

/**
 * True for the closure of Groovy's with(), which every value has: `({ ... })`, `(x -> ...)`, and `(c)` if a variable may be one.
 * The position is after the name.
 */
export const isClosureOfWith = ({ position, text }: ParseContext, mayBeVariable: boolean): boolean => {
  const given = text.slice(position, position + WITH_CHARS)
  return CLOSURE_OF_WITH.test(given) || (mayBeVariable && /^\s*\((?:\s|\()*[\p{L}_$][\w$]{0,200}\s*\)/u.test(given))
}

const CLOSURE_OF_WITH =
  /^\s*\((?:\s|\()*(?:\{|[\p{L}_$][\w$]{0,200}\s*->|(?<=\()(?:[^()]|\([^()]{0,100}\)){0,200}\)\s*->)/u

/** Characters after `with` in which its closure is looked for. */
const WITH_CHARS = 240
