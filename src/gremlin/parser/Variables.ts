import { Variable } from "../../process/language/Bytecode.ts"
import { Calculated, Expression, type Operand, TraversalExpression } from "../Script.ts"
import { Kind } from "./Kinds.ts"
import { shorts } from "./Names.ts"
import type { ParseContext } from "./ParseContext.ts"

/** An operand as a part of data: an expression becomes a variable whose value is calculated when the script runs. */
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

/** A variable of this name, which the script reads at offset `start`. */
export const useVariable = (context: ParseContext, name: string, start: number): Variable => {
  context.kind = Kind.variable
  context.noteVariable(name, start)
  return new Variable(name)
}

/**
 * The meaning of a name alone: a constant of an enumeration that its place asks for, otherwise a variable.
 *
 * @param accepts mask of the kinds that may stand here
 * @param asked mask of the enumerations whose constants come before variables here
 */
export const readBareName = (
  context: ParseContext,
  name: string,
  start: number,
  accepts: number,
  asked: number
): unknown => {
  const found = context.declared.has(name) ? undefined : shorts.get(name)
  if (found === undefined) return useVariable(context, name, start)
  const strong = found.find((short) => (short.kind & asked) !== 0)
  if (strong !== undefined) {
    context.kind = strong.kind
    return strong.value
  }
  const weak = found.find((short) => (short.kind & accepts) !== 0)
  if (weak === undefined) return useVariable(context, name, start)
  if (/^[A-Z]+$/.test(name)) {
    context.kind = weak.kind
    return weak.value
  }
  // Where any value may stand, a variable comes first, because programs use names such as `from`, `list` and `value`. The
  // constant is the meaning of the name when there is no such variable.
  context.noteConstant(name, weak.value)
  return useVariable(context, name, start)
}
