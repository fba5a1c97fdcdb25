import { Bytecode, Variable } from "../../process/language/Bytecode.ts"
import { anyValue, Kind } from "../../process/language/Kinds.ts"
import { ClassName } from "../../structure/scalars/ClassNames.ts"
import type { EnumValue } from "../../structure/scalars/Enums.ts"
import { Calculated, ChainExpression, Expression, type Operand, TraversalExpression } from "../Script.ts"
import { bareConstants } from "./JanusGraphEnums.ts"
import { shorts } from "./Names.ts"
import type { ParseContext } from "./ParseContext.ts"

/**
 * Converts an operand to a value that bytecode or a collection can contain. An expression becomes a {@link Calculated}, whose
 * value is calculated when the script runs. Throws GremlinSyntaxError for a traversal that begins at a source, unless a method
 * such as next() ends it.
 */
export const asData = (context: ParseContext, value: Operand): unknown => {
  if (!(value instanceof Expression)) return value
  if (value instanceof TraversalExpression && value.terminal === undefined) {
    throw context.failAt(
      value.position,
      "a traversal that begins at a source cannot be nested: begin it with __ or with its first step, or end it with " +
        "a method such as next()"
    )
  }
  context.calculates = true
  return new Calculated(value)
}

/** The first steps that mean the same at a source and in a child. */
const childSteps: ReadonlySet<string> = new Set(["V", "E", "addV", "addE"])

/**
 * Converts an argument of a step, as {@link asData} does. Where the step takes a child, the child may begin at the source of its
 * parent, as in `g.addE('knows').to(g.V(1))`, which TinkerPop allowed before 3.5: it is the anonymous traversal with the same
 * steps. The source must have no configuration, which would be lost.
 *
 * @param accepts bit mask of the kinds of values that are allowed. A step that takes values of any kind takes no child.
 */
export const asArgument = (context: ParseContext, value: Operand, accepts: number): unknown => {
  if (!(value instanceof TraversalExpression) || value.terminal !== undefined) return asData(context, value)
  if ((accepts & anyValue) === anyValue || (accepts & Kind.traversal) === 0) return asData(context, value)
  const { source, bytecode } = value
  const isOfParent = source !== "" && source === context.source && bytecode.sourceInstructions.length === 0
  if (!isOfParent || !childSteps.has(bytecode.stepInstructions[0]!.operator)) return asData(context, value)
  context.kind = Kind.traversal
  return new Bytecode(bytecode.sourceInstructions, bytecode.stepInstructions)
}

/** Creates a variable with this name. The script reads it at offset `start`. */
export const useVariable = (context: ParseContext, name: string, start: number): Variable => {
  context.kind = Kind.variable
  context.names.readVariable(name, start)
  return new Variable(name)
}

/**
 * Reads a constant that a static import of the script names: `PI` after `import static java.lang.Math.PI`. Undefined for another name, for
 * a variable of the script, and for a constant of `*` whose name a step asks for: `typeOf(STRING)` after `Mapping.*`.
 *
 * @param asked the enumerations that the step asks for; see {@link Grammar.expression}
 */
export const readImportedConstant = (
  context: ParseContext,
  name: string,
  start: number,
  asked: number
): Operand | undefined => {
  const found = context.fields.get(name)
  if (found === undefined || context.isDeclared(name)) return undefined
  if (found.isEach && shorts.get(name)?.some(({ kind }) => (kind & asked) !== 0) === true) return undefined
  context.kind = Kind.variable
  context.calculates = true
  return new ChainExpression(start, new ClassName(found.className), [
    { kind: "member", name: found.constant, safe: false, position: start }
  ])
}

/**
 * Resolves a bare name: it is a constant of an enumeration if one is expected at this position, otherwise a variable or a constant.
 *
 * @param accepts bit mask of the kinds of values that are allowed at this position
 * @param asked bit mask of the enumerations whose constants take precedence over variables at this position
 */
export const readBareName = (
  context: ParseContext,
  name: string,
  start: number,
  accepts: number,
  asked: number
): unknown => {
  if (context.isDeclared(name)) return useVariable(context, name, start)
  const found = shorts.get(name)
  const expected = found?.find((short) => (short.kind & asked) !== 0)
  if (expected !== undefined) {
    context.kind = expected.kind
    return expected.value
  }
  const allowed = found?.find((short) => (short.kind & accepts) !== 0)
  if (allowed?.kind === Kind.Direction && name === allowed.value.name) {
    context.kind = allowed.kind
    return allowed.value
  }
  // In all other cases a variable takes precedence, because programs use names such as `from`, `list` and `STRING` for
  // variables. If no variable has this name when the script runs, the name means the constant.
  const constant = constantNamed(context, name, allowed?.value)
  if (constant !== undefined) context.noteConstant(name, constant)
  return useVariable(context, name, start)
}

/**
 * The constant of a name that no variable has. `LIST` and `SET` are JanusGraph's, as `SINGLE` is, except in steps of gremlin-lang, which
 * knows them as types only.
 */
const constantNamed = (context: ParseContext, name: string, ofGremlin: EnumValue | undefined) =>
  context.isGroovy || !context.isInStep
    ? (bareConstants.get(name) ?? ofGremlin)
    : (ofGremlin ?? bareConstants.get(name))
