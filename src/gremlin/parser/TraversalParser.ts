import { Bytecode, Instruction } from "../../process/language/Bytecode.ts"
import { inWords, Kind } from "../../process/language/Kinds.ts"
import { isPredicate } from "../../process/language/Predicate.ts"
import { type CallSpec, usage } from "../../process/language/Signatures.ts"
import { sourceMethods, sourceSteps, steps } from "../../process/language/StepSignatures.ts"
import { ChainExpression, type Operand, SourceExpression, type Terminal, TraversalExpression } from "../Script.ts"
import { closureRefused, insteadOf } from "../ScriptHints.ts"
import { callSuggestion } from "../SyntaxErrors.ts"
import { readArguments } from "./ArgumentParser.ts"
import { DOT, LEFT_BRACE, RIGHT_PAREN } from "./Characters.ts"
import { LoopKind } from "./LoopKinds.ts"
import { enterLoop, leaveLoop, stepLoop } from "./Loops.ts"
import { graphNames, iterated, spawns, terminals } from "./Methods.ts"
import type { ParseContext } from "./ParseContext.ts"
import { negated, negatedLater, readJoinedPredicate } from "./PredicateParser.ts"
import { expect, opens, peekName, unexpected, wordAt } from "./Scanner.ts"
import { beginsClosure, CLOSURE_CHARS, isClosureOfWith, readClosuresAfter, takesGroovyClosure } from "./StepClosures.ts"
import { readStrategies } from "./StrategyParser.ts"
import { asData } from "./Variables.ts"

// Traversals: chains of steps, anonymous or on a source, with terminal methods.

/** Methods and properties of a source other than the methods that begin or configure a traversal. */
const sourceNames: ReadonlySet<string> = new Set(["tx", "toString", "close", "getGraph", "graph"])

/**
 * Methods of sources that closures and collections have as well. On a variable of the script, the value decides when the script
 * runs.
 */
const groovyMethods: ReadonlySet<string> = new Set(["call", "inject"])

const NO_CLOSURES: readonly unknown[] = Object.freeze([])

const NO_INSTRUCTIONS: readonly Instruction[] = Object.freeze([])

const instruction = (spec: CallSpec, args: readonly unknown[]): Instruction =>
  new Instruction(args.length === 0 ? spec.emptyOperator : spec.operator, args)

/** Reads the closures of a step or source method without parentheses. The position is at the first brace. */
const closureInstruction = (context: ParseContext, spec: CallSpec): Instruction => {
  const start = context.position
  const { args, state } = readClosuresAfter(context, spec, spec.start, NO_CLOSURES)
  if (state.complete) return new Instruction(spec.operator, args)
  throw context.failAt(start, `${spec.name}() needs other arguments: ${usage(spec)}`)
}

/** Reads an anonymous traversal whose first step was named. The position is at that step's parenthesis. */
export const readAnonymous = (context: ParseContext, spec: CallSpec, start: number): Bytecode => {
  return readAnonymousFrom(context, [instruction(spec, readArguments(context, spec, start))])
}

/** Reads an anonymous traversal that begins with a closure, as `filter{...}` does. The position is at the brace. */
export const readAnonymousClosure = (context: ParseContext, spec: CallSpec): Bytecode => {
  return readAnonymousFrom(context, [closureInstruction(context, spec)])
}

/** Reads an anonymous traversal after `__`. The position is at the point. */
export const readAfterUnderscores = (context: ParseContext): Bytecode => {
  return readAnonymousFrom(context, [])
}

/** Reads `not(...)`: a step when it contains a traversal, a predicate when it contains one. The position is at the parenthesis. */
export const readNot = (context: ParseContext, start: number, accepts: number): Operand => {
  context.enter()
  context.position++
  const read = context.readExpression(context, Kind.predicate | Kind.traversal | Kind.variable, 0)
  const inner = asData(context, read)
  const kind = context.kind
  expect(context, RIGHT_PAREN, "')' of not()")
  context.leave()
  if (kind === Kind.predicate && read instanceof ChainExpression)
    return readJoinedPredicate(context, negatedLater(context, read, start), start)
  if (kind === Kind.predicate && isPredicate(inner)) return readJoinedPredicate(context, negated(inner), start)
  if (kind === Kind.traversal || (kind === Kind.variable && (accepts & Kind.traversal) !== 0)) {
    return readAnonymousFrom(context, [new Instruction("not", [inner])])
  }
  throw context.failAt(start, `not() takes a traversal or a predicate, but was given ${inWords(kind)}`)
}

/** Reads the steps that follow the first ones of an anonymous traversal. */
const readAnonymousFrom = (context: ParseContext, instructions: Array<Instruction>): Bytecode => {
  const all = readSteps(context, instructions)
  if (context.skip() === DOT) {
    context.position++
    context.skip()
    const name = peekName(context)
    if (terminals.has(name)) {
      throw context.failAt(
        context.position,
        `a nested traversal is not ended with ${name}(): leave it out, or begin the traversal with g`
      )
    }
    throw noStep(context, name)
  }
  if (all.length === 0) throw unexpected(context, "a step after '__'")
  context.kind = Kind.traversal
  return new Bytecode(NO_INSTRUCTIONS, all)
}

/** The error of a name at the position that is no step. */
const noStep = (context: ParseContext, name: string): Error => {
  if (name === "") return unexpected(context, "the name of a step")
  const following = context.text.slice(context.position + name.length, context.position + name.length + 20)
  if (/^\s*\{/.test(following)) return context.failAt(context.position, closureRefused(name))
  if (steps.has(name) || terminals.has(name)) {
    return context.failAt(context.position, `${name} needs parentheses: ${name}()`)
  }
  const isCall = /^\s*\(/.test(following)
  const property = isCall ? insteadOf(name) : `: values('${name}') reads a property`
  const similar = isCall && property !== "" ? "" : callSuggestion(name, steps.keys())
  return context.failAt(context.position, `there is no step ${name}()${property}${similar}`)
}

/** Fails when the name after the server's source `g` is no method of a source. The position is at the point. */
export const checkSourceMethod = (context: ParseContext): void => {
  context.position++
  context.skip()
  const name = peekName(context)
  if (sourceNames.has(name) || graphNames.has(name)) return
  if (spawns.has(name) || sourceMethods.has(name)) {
    throw context.failAt(context.position, `${name} needs parentheses: g.${name}()`)
  }
  const known = [...spawns, ...sourceMethods.keys(), "tx"]
  const hint = steps.has(name) ? `: begin with V(), as in g.V().${name}()` : callSuggestion(name, known)
  throw context.failAt(
    context.position,
    `a traversal does not begin with ${name || wordAt(context, context.position)}()${hint}`
  )
}

/** Reads all steps that follow. Stops at a point that no step follows. */
const readSteps = (context: ParseContext, first: Array<Instruction>): ReadonlyArray<Instruction> => {
  const instructions = enterLoop(context, LoopKind.steps, first)
  while (context.skip() === DOT) {
    const before = context.position
    context.position++
    context.skip()
    const start = context.position
    const spec = steps.get(context.readName())
    if (spec !== undefined && beginsClosure(context, spec)) {
      instructions.push(closureInstruction(context, spec))
      stepLoop(context)
      continue
    }
    if (spec === undefined || !opens(context) || takesGroovyClosure(context, spec.name)) {
      context.position = before
      break
    }
    instructions.push(instruction(spec, readArguments(context, spec, start)))
    stepLoop(context)
  }
  leaveLoop(context, instructions.length)
  return instructions
}

/** True for `(graphson())` and the like: io() of a graph, not of a source, takes a format. The position is after the name. */
const namesFormat = ({ position, text }: ParseContext): boolean =>
  /^\s*\(\s*(?:IoCore\s*\.\s*)?(?:graphson|graphml|gryo)\s*\(/.test(text.slice(position, position + 60))

/**
 * Reads what follows a traversal source: its methods, a traversal, a terminal method. The position is at the point.
 * Undefined, without moving, when neither a method of sources nor a first step follows.
 *
 * @param source the name of the source, or the expression that gives it
 * @param start offset of the source
 */
export const readFromSource = (context: ParseContext, source: string | Operand, start: number): Operand | undefined => {
  let configured = NO_INSTRUCTIONS
  let before = context.position
  let name = readMethodName(context)
  const configuring = sourceMethods.get(name)
  if (configuring !== undefined && configuring.closure === undefined && context.skip() === LEFT_BRACE) {
    context.position = before
    return undefined
  }
  // A variable may be a traversal, and what it gives to with() a closure.
  const isVariable = typeof source === "string" && context.isDeclared(source)
  const isOfValue =
    (isVariable && (groovyMethods.has(name) || name === "with")) ||
    (name === "with" && isClosureOfWith(context, source !== "g"))
  if (isOfValue || (name === "io" && namesFormat(context))) {
    context.position = before
    return undefined
  }
  if (sourceMethods.has(name)) {
    context.position = before
    configured = readSourceMethods(context)
    before = context.position
    name = readMethodName(context)
  }
  const at = context.position - name.length
  if (spawns.has(name) && opens(context)) {
    const spec = sourceSteps.get(name) ?? steps.get(name)!
    const outer = context.source
    context.source = typeof source === "string" ? source : ""
    const first = instruction(spec, readArguments(context, spec, at))
    const bytecode = new Bytecode(configured, readSteps(context, [first]))
    context.source = outer
    const end = context.position
    const terminal = readTerminal(context)
    context.kind = Kind.variable
    if (typeof source === "string") context.names.readSource(source)
    return new TraversalExpression(start, source, bytecode, [terminal, end])
  }
  context.position = before
  context.kind = Kind.variable
  if (configured.length === 0) return undefined
  if (typeof source === "string") context.names.readSource(source)
  return new SourceExpression(start, source, new Bytecode(configured, NO_INSTRUCTIONS))
}

/** Reads the methods that configure a source. */
const readSourceMethods = (context: ParseContext): readonly Instruction[] => {
  const found: Array<Instruction> = enterLoop(context, LoopKind.source, [])
  for (let spec = sourceMethods.get(peekMethod(context)); spec !== undefined; ) {
    context.position++
    context.skip()
    const start = context.position
    context.readName()
    if (beginsClosure(context, spec)) {
      found.push(closureInstruction(context, spec))
    } else {
      if (!opens(context)) throw unexpected(context, `'(' after ${spec.name}`)
      found.push(readSourceMethod(context, spec, start))
    }
    stepLoop(context)
    spec = sourceMethods.get(peekMethod(context))
  }
  leaveLoop(context, found.length)
  return found
}

/** Reads a point and the name after it. Gives the name; "" when no point follows. */
const readMethodName = (context: ParseContext): string => {
  if (context.skip() !== DOT) return ""
  context.position++
  context.skip()
  return context.readName()
}

/** The name after a point; "" when no point follows. The position is at the point then. */
const peekMethod = (context: ParseContext): string => {
  context.skip()
  const before = context.position
  const name = readMethodName(context)
  context.position = before
  return name
}

const readSourceMethod = (context: ParseContext, spec: CallSpec, start: number): Instruction => {
  const wasInStep = context.isInStep
  context.isInStep = true
  const strategies = readStrategies(context, spec.name)
  context.isInStep = wasInStep
  return strategies ?? instruction(spec, readArguments(context, spec, start))
}

/** Reads the method that ends a traversal on a source; undefined when none follows. Fails for an unknown step. */
const readTerminal = (context: ParseContext): Terminal | undefined => {
  if (context.skip() !== DOT) return undefined
  const before = context.position
  context.position++
  context.skip()
  const start = context.position
  const name = context.readName()
  const spec = terminals.get(name)
  if (spec === undefined || !opens(context)) {
    const isIterated =
      takesGroovyClosure(context, name) ||
      (iterated.has(name) &&
        !steps.has(name) &&
        /^\s*[({]/.test(context.text.slice(context.position, context.position + CLOSURE_CHARS)))
    context.position = start
    if (name !== "toString" && !isIterated) throw noStep(context, name)
    context.position = before
    return undefined
  }
  const [count] = readArguments(context, spec, start)
  if (count !== undefined && (typeof count !== "number" || count < 0)) {
    throw context.failAt(start, `${name}() takes the number of results, such as ${name}(2)`)
  }
  return { name: name as Terminal["name"], count: count as number | undefined }
}
