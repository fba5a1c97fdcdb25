import { ClassName } from "../../structure/Temporal.ts"
import { ChainExpression, type Operand } from "../Script.ts"
import { argumentCount } from "./ArgumentCounts.ts"
import { readAnyArguments } from "./ArgumentParser.ts"
import { Kind } from "./Kinds.ts"
import type { ParseContext } from "./ParseContext.ts"
import type { StaticMembers } from "./StaticImports.ts"

/**
 * Reads the call of a static method that the configuration or the script imports: `sqrt(16)` is `Math.sqrt(16)`. The position is at the
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
    { kind: "call", name: method.method ?? name, args, safe: false, position: start }
  ])
}

/** Reads a constant that a static import of the script names: `PI` after `import static java.lang.Math.PI`. Undefined for another name. */
export const readImportedConstant = (context: ParseContext, name: string, start: number): Operand | undefined => {
  const found = context.fields.get(name)
  if (found === undefined) return undefined
  context.kind = Kind.variable
  context.calculates = true
  return new ChainExpression(start, new ClassName(found.className), [
    { kind: "member", name: found.constant, safe: false, position: start }
  ])
}

/** Lets the rest of the script call and read the members of a static import without their class. */
export const importMembers = (
  context: ParseContext,
  className: string,
  { methods, constants }: StaticMembers
): void => {
  const imports = new Map(context.imports)
  // As in Groovy, a name that the script imports comes before the same name of the configuration.
  for (const [name, method] of methods) {
    imports.set(name, [method, ...(imports.get(name) ?? []).filter((other) => other.className !== method.className)])
  }
  context.imports = imports
  const fields = new Map(context.fields)
  for (const [name, constant] of constants) fields.set(name, { className, constant })
  context.fields = fields
}
