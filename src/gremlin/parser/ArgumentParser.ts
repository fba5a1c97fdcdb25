import { inWords } from "../../process/language/Kinds.ts"
import { type CallSpec, type CallState, usage } from "../../process/language/Signatures.ts"
import { sourceMethods } from "../../process/language/StepSignatures.ts"
import type { Operand } from "../Script.ts"
import type { GremlinSyntaxError } from "../SyntaxErrors.ts"
import { ASTERISK, COMMA, RIGHT_PAREN } from "./Characters.ts"
import { AmbiguousClass, withTypes } from "./LiteralTypes.ts"
import { LoopKind } from "./LoopKinds.ts"
import { enterLoop, leaveLoop, resumeLoop, stepLoop } from "./Loops.ts"
import { readArgument } from "./NamedArgumentParser.ts"
import type { ParseContext } from "./ParseContext.ts"
import { unexpected } from "./Scanner.ts"
import { readSpread } from "./SpreadParser.ts"
import { isClosureArgument, readClosuresAfter, readStepClosure } from "./StepClosures.ts"
import { asArgument, asData, readBareName } from "./Variables.ts"

const NO_ARGUMENTS: readonly unknown[] = Object.freeze([])

/**
 * Reads the arguments of a call and checks them against the signatures of `spec`. The position must be at the opening
 * parenthesis. `start` is the offset of the call, for error messages. Throws GremlinSyntaxError.
 */
export const readArguments = (context: ParseContext, spec: CallSpec, start: number): readonly unknown[] => {
  const slices = context.slices
  const wasInStep = context.isInStep
  context.isInStep = true
  context.position++
  let state = spec.start
  if (context.skip() === RIGHT_PAREN) {
    context.position++
    context.isInStep = wasInStep
    const following = spec.closure === undefined ? undefined : readClosuresAfter(context, spec, state, NO_ARGUMENTS)
    state = following?.state ?? state
    if (!state.complete) throw context.failAt(start, `${spec.name}() needs arguments: ${usage(spec)}`)
    return following?.args ?? NO_ARGUMENTS
  }
  context.enter()
  let args: Array<unknown> = []
  const loop = resumeLoop(context, LoopKind.arguments, args, state)
  if (loop !== undefined) {
    args = loop.items
    state = loop.state
  }
  for (;;) {
    const at = args.length
    if (at > 0) {
      const code = context.skip()
      if (code === RIGHT_PAREN) break
      if (code !== COMMA) throw unexpected(context, `',' or ')' after an argument of ${spec.name}()`)
      context.position++
      // gremlin-lang allows a comma before the parenthesis: project('a', )
      if (context.skip() === RIGHT_PAREN) break
    }
    const from = context.position
    if (state.accepts === 0) throw tooMany(context, spec, at)
    const isSpread = context.skip() === ASTERISK
    if (isSpread && sourceMethods.get(spec.name) === spec) throw context.failAt(context.position, noSpread(spec))
    const value = isSpread
      ? asData(context, ofStep(context, readSpread(context)))
      : isClosureArgument(context, spec, state)
        ? readStepClosure(context, spec, state)
        : asArgument(context, readValue(context, state), state.accepts)
    // In V8, push() on an empty array reserves room for 17 items. Most calls have one or two arguments.
    if (at === 0 && slices === undefined) args = [value]
    else if (at === 1 && slices === undefined) args = [args[0], value]
    else args.push(value)
    const next = isSpread ? state.afterSpread() : state.after(context.kind)
    if (next === null) throw wrongKind(context, spec, state, at, from)
    state = next
    stepLoop(context, state)
  }
  leaveLoop(context, args.length)
  const end = context.position
  context.isInStep = wasInStep
  context.position++
  context.leave()
  const following = spec.closure === undefined ? undefined : readClosuresAfter(context, spec, state, args)
  if ((following?.state ?? state).complete) return following?.args ?? args
  context.position = end
  throw tooFew(context, spec, args.length)
}

const readValue = (context: ParseContext, { accepts, shorts }: CallState): Operand => {
  const start = context.position
  const value = context.readExpression(context, accepts, shorts)
  // A class that is the whole argument is the type, also in parentheses and after a spread: asNumber((int)).
  if (value instanceof AmbiguousClass) return readBareName(context, value.written, start, accepts, shorts)
  return ofStep(context, value)
}

const ofStep = (context: ParseContext, value: Operand): Operand =>
  context.hasAmbiguousClasses ? withTypes(value) : value

/** A method that configures a source acts when the script is read, so that its arguments must be known. */
const noSpread = (spec: CallSpec): string =>
  `${spec.name}() of a traversal source takes no spread list: write its arguments, ${usage(spec)}`

/** The error for an argument that no signature accepts. The argument begins at offset `from`. */
const wrongKind = (
  context: ParseContext,
  spec: CallSpec,
  state: CallState,
  at: number,
  from: number
): GremlinSyntaxError => {
  context.position = from
  context.skip()
  const problem = `argument ${at + 1} of ${spec.name}() is ${inWords(context.kind)}, but ${inWords(state.accepts)} was expected`
  return context.failAt(context.position, `${problem}: ${usage(spec)}`)
}

const tooMany = (context: ParseContext, spec: CallSpec, count: number): GremlinSyntaxError => {
  context.skip()
  const limit = count === 0 ? "no argument" : `at most ${count} argument${count === 1 ? "" : "s"}`
  return context.failAt(context.position, `${spec.name}() takes ${limit}: ${usage(spec)}`)
}

const tooFew = (context: ParseContext, spec: CallSpec, count: number): GremlinSyntaxError => {
  const given = `${count} argument${count === 1 ? " is" : "s are"}`
  return context.failAt(context.position, `${given} not enough for ${spec.name}(): ${usage(spec)}`)
}

/**
 * Reads the arguments of a call that has no signatures. Each argument may be any expression. The position must be at the
 * opening parenthesis. Throws GremlinSyntaxError.
 */
export const readAnyArguments = (context: ParseContext, name: string): readonly Operand[] => {
  const wasInStep = context.isInStep
  context.isInStep = false
  context.position++
  if (context.skip() === RIGHT_PAREN) {
    context.isInStep = wasInStep
    context.position++
    return NO_ARGUMENTS
  }
  context.enter()
  const args: Array<Operand> = enterLoop(context, LoopKind.arguments, [])
  for (;;) {
    if (args.length > 0) {
      const code = context.skip()
      if (code === RIGHT_PAREN) break
      if (code !== COMMA) throw unexpected(context, `',' or ')' after an argument of ${name}()`)
      context.position++
      // Groovy allows a comma before the parenthesis.
      if (context.skip() === RIGHT_PAREN) break
    }
    readArgument(context, args, context.skip() === ASTERISK)
    stepLoop(context)
  }
  leaveLoop(context, args.length)
  context.isInStep = wasInStep
  context.position++
  context.leave()
  return args
}
