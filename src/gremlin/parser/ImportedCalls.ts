import { ClassName } from "../../structure/Temporal.ts"
import { ChainExpression, type Operand } from "../Script.ts"
import { argumentCount } from "./ArgumentCounts.ts"
import { readAnyArguments } from "./ArgumentParser.ts"
import { Kind } from "./Kinds.ts"
import type { ParseContext } from "./ParseContext.ts"

/**
 * Reads the call of a static method that the configuration imports: `sqrt(16)` is `Math.sqrt(16)`. The position is at the
 * parenthesis. Undefined, without moving, for another call: as in Groovy, the number of arguments decides whether `max` is the method
 * or the step. A variable of the script hides the method.
 */
export const readImportedCall = (context: ParseContext, name: string, start: number): Operand | undefined => {
  const methods = context.imports.get(name)
  if (methods === undefined || context.declared.has(name)) return undefined
  const count = argumentCount(context)
  const method = methods.find(({ counts: [least, most] }) => count >= least && count <= most)
  if (method === undefined) return undefined
  const args = readAnyArguments(context, name)
  context.kind = Kind.variable
  context.calculates = true
  return new ChainExpression(start, new ClassName(method.className), [
    { kind: "call", name, args, safe: false, position: start }
  ])
}
