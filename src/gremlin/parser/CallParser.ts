import { anything, Kind } from "../../process/language/Kinds.ts"
import { sourceMethods, steps } from "../../process/language/StepSignatures.ts"
import { ClassName } from "../../structure/scalars/ClassNames.ts"
import { Cardinality } from "../../structure/scalars/Enums.ts"
import { CallExpression, NewExpression } from "../ProgramExpressions.ts"
import type { Operand } from "../Script.ts"
import { insteadOf, isScriptFunction, noClass, wordHint } from "../ScriptHints.ts"
import { callSuggestion, noCode } from "../SyntaxErrors.ts"
import { readAnyArguments } from "./ArgumentParser.ts"
import { COMMA, LEFT_BRACE, LEFT_BRACKET, RIGHT_BRACE, RIGHT_BRACKET } from "./Characters.ts"
import { readCardinalityValue } from "./ClassParser.ts"
import { readImportedCall } from "./ImportedCalls.ts"
import { readTrailingClosures } from "./LinkParser.ts"
import { spawns, terminals } from "./Methods.ts"
import { codeWords, constructedClasses, vertexClasses } from "./Names.ts"
import type { ParseContext } from "./ParseContext.ts"
import { readPredicate } from "./PredicateParser.ts"
import { expect, opens } from "./Scanner.ts"
import type { StaticImports } from "./StaticImports.ts"
import { isStrategyName, readStrategyValue } from "./StrategyParser.ts"
import { readAnonymous, readNot } from "./TraversalParser.ts"
import { readQualifiedName, skipTypeArguments } from "./TypeNames.ts"
import { readDatetime, readUuid, readVertex } from "./ValueParser.ts"

// Calls without a value before them: functions, steps of anonymous traversals, predicates, constructors.

const cardinalities = new Map<string, typeof Cardinality.single>([
  ["single", Cardinality.single],
  ["list", Cardinality.list],
  ["set", Cardinality.set]
])

/** Reads the call of `name`. The position is at the parenthesis. */
export const readCall = (context: ParseContext, name: string, start: number, accepts: number): Operand => {
  if (name === "not") return readNot(context, start, accepts)
  if (context.names.isCallable(name)) return readFunctionCall(context, name, start)
  const imported = readImportedCall(context, name, start)
  if (imported !== undefined) return imported
  const spec = steps.get(name)
  if (spec !== undefined) return readAnonymous(context, spec, start)
  const predicate = readPredicate(context, name, start)
  if (predicate !== undefined) return predicate
  const cardinality = cardinalities.get(name)
  if (cardinality !== undefined) return readCardinalityValue(context, cardinality)
  if (name === "datetime" || name === "DateTime") return readDatetime(context, start)
  if (name === "UUID") return readUuid(context, start)
  if (name === "traversal" && readAnyArguments(context, name).length === 0) {
    context.kind = Kind.class
    return new ClassName("AnonymousTraversalSource")
  }
  if (vertexClasses.has(name)) return readVertex(context, start, name)
  if (isFileFormat(context, name)) return name
  if (!context.isDeclared(name) && !isScriptFunction(name)) noteUnknownCall(context, name, start)
  return readFunctionCall(context, name, start)
}

/** Reads the parentheses of `graphson()`, as in `graph.io(graphson())`. False for another call. */
const isFileFormat = (context: ParseContext, name: string): boolean => {
  if (!/^graph(?:son|ml)$|^gryo$/.test(name) || context.isDeclared(name)) return false
  const call = /\s*\(\s*\)/y
  call.lastIndex = context.position
  if (!call.test(context.text)) return false
  context.position = call.lastIndex
  context.kind = Kind.string
  return true
}

/** Refuses the call of a name that cannot be a function, and notes one that may be a function of the session. */
const noteUnknownCall = (context: ParseContext, name: string, start: number): void => {
  if (codeWords.has(name) || wordHint(name) !== undefined || /^[A-Z]/.test(name))
    throw context.failAt(start, notCallable(name))
  if (context.blockDepth > 0) return
  const { imports } = context
  context.noteCall(name, {
    position: start,
    // The search for similar names takes long: a script may call many names, and nearly all scripts that call one have it.
    get problem() {
      return otherCount(imports, name) ?? notCallable(name)
    }
  })
}

/** The error text for the call of an imported method with a number of arguments that it does not take; undefined for another name. */
const otherCount = (imports: StaticImports, name: string): string | undefined => {
  const [method] = imports.get(name) ?? []
  if (method === undefined) return undefined
  const [least, most] = method.counts
  const counts =
    most === Number.POSITIVE_INFINITY ? `${least} or more` : least === most ? `${least}` : `${least} or ${most}`
  return `${name}() of ${method.className} takes ${counts} ${counts === "1" ? "argument" : "arguments"}`
}

/** Reads the call of a function or closure. The position is at the parenthesis. */
export const readFunctionCall = (context: ParseContext, name: string, start: number): Operand => {
  const args = [...readAnyArguments(context, name), ...readTrailingClosures(context)]
  context.kind = Kind.variable
  context.calculates = true
  return new CallExpression(start, name, args)
}

/** Reads the call `f { ... }` with a closure on the same line. The position is after the name. Undefined for another name. */
export const readClosureCall = (context: ParseContext, name: string, start: number): Operand | undefined => {
  if (!/^[ \t]*\{/.test(context.text.slice(context.position, context.position + MAX_INDENTATION_CHARS)))
    return undefined
  if (!context.isDeclared(name) && !isScriptFunction(name)) noteUnknownCall(context, name, start)
  const args = readTrailingClosures(context)
  context.kind = Kind.variable
  context.calculates = true
  return new CallExpression(start, name, args)
}

/** Characters before the brace of `f {` that are read. */
const MAX_INDENTATION_CHARS = 20

/** Gremlin Server keeps the functions of requests without a session for all later ones. */
const OF_ANOTHER_REQUEST = ". A session keeps its functions; an initialisation script defines those of all requests"

/** The text of the error for the call of a name that cannot be called. */
const notCallable = (name: string): string => {
  const hint = wordHint(name)
  if (hint !== undefined) return hint
  if (codeWords.has(name)) return noCode(`'${name}' is a keyword and no function`)
  if (/^[A-Z]/.test(name)) return noClass(`scripts do not have the class ${name}`, name)
  if (spawns.has(name) || sourceMethods.has(name) || terminals.has(name) || name === "tx") {
    return `${name}() needs a traversal source before it, such as g.${name}()`
  }
  const instead = insteadOf(name) || callSuggestion(name, steps.keys()) || OF_ANOTHER_REQUEST
  return `there is no step, predicate or function ${name}()${instead}`
}

/** Reads `new X(...)`. The position is after `new`. */
export const readConstruction = (context: ParseContext, start: number): Operand => {
  const name = readQualifiedName(context)
  if (isStrategyName(name)) return readStrategyValue(context, start)
  skipTypeArguments(context)
  if (arrayTypes.has(name) && context.skip() === LEFT_BRACKET) return readArray(context, name, start)
  if (opens(context)) {
    if (vertexClasses.has(name)) return readVertex(context, start, name)
    if (constructedClasses.has(name)) {
      const args = readAnyArguments(context, name)
      context.kind = Kind.variable
      context.calculates = true
      return new NewExpression(start, name, args)
    }
  }
  throw context.failAt(start, noClass(`scripts do not have the constructor new ${name}(...)`, name))
}

/** Types of the members of arrays. */
const arrayTypes: ReadonlySet<string> = new Set(
  (
    "byte short int long float double boolean char Byte Short Integer Long Float Double Boolean Character BigInteger BigDecimal Number " +
    "Object String UUID Date List Map Set Vertex Edge"
  ).split(" ")
)

/** Reads `new int[3]` and `new int[]{1, 2}`. The position is at the bracket. */
const readArray = (context: ParseContext, name: string, start: number): Operand => {
  context.enter()
  context.position++
  const args: Array<Operand> = []
  const isSized = context.skip() !== RIGHT_BRACKET
  if (isSized) args.push(context.readExpression(context, anything, 0))
  expect(context, RIGHT_BRACKET, "']' of the array")
  if (!isSized) {
    expect(context, LEFT_BRACE, "'{' before the members of the array")
    while (context.skip() !== RIGHT_BRACE) {
      args.push(context.readExpression(context, anything, 0))
      if (context.skip() !== COMMA) break
      context.position++
    }
    expect(context, RIGHT_BRACE, "'}' after the members of the array")
  }
  if (isSized && context.skip() === LEFT_BRACKET) {
    throw context.failAt(context.position, "an array has one dimension in scripts: collect { } makes a list of lists")
  }
  context.leave()
  context.kind = Kind.variable
  context.calculates = true
  return new NewExpression(start, isSized ? `${name}[]` : `${name}[]{}`, args)
}

/** Reads `println x`: a call without parentheses. The position is after the name. */
export const readPrinting = (context: ParseContext, name: string, start: number): Operand => {
  const value = context.readExpression(context, anything, 0)
  context.kind = Kind.variable
  context.calculates = true
  return new CallExpression(start, name, [value])
}
