import { anything } from "../../process/language/Kinds.ts"
import { NamedArguments } from "../NamedArguments.ts"
import { SpreadExpression } from "../ProgramExpressions.ts"
import type { Operand } from "../Script.ts"
import { COLON } from "./Characters.ts"
import { readKey } from "./CollectionParser.ts"
import type { ParseContext } from "./ParseContext.ts"
import { readSpread } from "./SpreadParser.ts"
import { asData } from "./Variables.ts"

/** Reads an argument of a call, which may be `*list`, `*:map` or named, such as `a: 1`, and adds it to the others. */
export const readArgument = (context: ParseContext, args: Array<Operand>, isSpread: boolean): void => {
  const start = context.position
  const key = isSpread ? readSpread(context) : readKey(context)
  const isSpreadMap = key instanceof SpreadExpression && key.isMap
  if (!isSpreadMap && context.skip() !== COLON) {
    args.push(key)
    return
  }
  if (!isSpreadMap) context.position++
  const value = isSpreadMap ? null : asData(context, context.readExpression(context, anything, 0))
  // The value may end a slice. The next slice reads the argument again.
  const [first] = args
  const named = first instanceof NamedArguments ? first : new NamedArguments(start)
  if (named !== first) args.unshift(named)
  named.add(key, value)
  context.calculates = true
}
