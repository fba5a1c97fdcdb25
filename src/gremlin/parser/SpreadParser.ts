import { anything, Kind } from "../../process/language/Kinds.ts"
import { SpreadExpression } from "../ProgramExpressions.ts"
import { COLON } from "./Characters.ts"
import type { ParseContext } from "./ParseContext.ts"

/** Reads `*list` or `*:map`. The position is at the asterisk. */
export const readSpread = (context: ParseContext): SpreadExpression => {
  const { position } = context
  context.position++
  const isMap = context.skip() === COLON
  if (isMap) context.position++
  context.enter()
  const operand = context.readExpression(context, anything, 0)
  context.leave()
  context.kind = Kind.variable
  context.calculates = true
  return new SpreadExpression(position, operand, isMap)
}
