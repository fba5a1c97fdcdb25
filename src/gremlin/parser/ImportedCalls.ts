import { Kind } from "../../process/language/Kinds.ts"
import { ClassName } from "../../structure/scalars/ClassNames.ts"
import { ChainExpression, type Operand } from "../Script.ts"
import { argumentCount } from "./ArgumentCounts.ts"
import { readAnyArguments } from "./ArgumentParser.ts"
import type { ParseContext } from "./ParseContext.ts"
import type { ImportedConstant, ImportedMethod, StaticMembers } from "./StaticImports.ts"

/**
 * Reads the call of a static method that the configuration or the script imports: `sqrt(16)` is `Math.sqrt(16)`. The position is at the
 * parenthesis. Undefined, without moving, for another call: as in Groovy, the number of arguments decides whether `max` is the method
 * or the step. A variable of the script hides the method.
 */
export const readImportedCall = (context: ParseContext, name: string, start: number): Operand | undefined => {
  const methods = context.imports.get(name)
  if (methods === undefined || context.isDeclared(name)) return undefined
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

/** The imports of the script, with those of the configuration. */
const ownImports = (context: ParseContext) => {
  const methodImports = context.hasOwnImports ? context.imports : new Map(context.imports)
  const constantImports = context.hasOwnImports ? context.fields : new Map(context.fields)
  context.hasOwnImports = true
  context.imports = methodImports
  context.fields = constantImports
  return {
    methodImports: methodImports as Map<string, ReadonlyArray<ImportedMethod>>,
    constantImports: constantImports as Map<string, ImportedConstant>
  }
}

/**
 * Lets the rest of the script call and read the members of a static import without their class. As in Groovy, a name that an import
 * gives alone comes first, then those of `*` in their order, and last the same name of the configuration.
 */
export const importMembers = (
  context: ParseContext,
  className: string,
  { constants, isEach, methods }: StaticMembers
): void => {
  const { constantImports, methodImports } = ownImports(context)
  for (const [name, method] of methods) {
    const known = methodImports.get(name) ?? []
    if (isEach && known.some((other) => other.isOfScript === true && other.className === className)) continue
    const others = known.filter((other) => other.className !== className)
    const at = isEach ? others.filter(({ isOfScript }) => isOfScript === true).length : 0
    methodImports.set(name, others.toSpliced(at, 0, method))
  }
  for (const [name, constant] of constants) {
    if (!(isEach && constantImports.has(name))) constantImports.set(name, { className, constant, isEach })
  }
}
