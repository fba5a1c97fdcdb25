import { DOT } from "./Characters.ts"
import { packageRoots } from "./Names.ts"
import type { ParseContext } from "./ParseContext.ts"

/** Reads the name of a class or type, without the package before it; "" when there is none. */
export const readQualifiedName = (context: ParseContext): string => {
  context.skip()
  let name = context.readName()
  if (!packageRoots.has(name)) return name
  while (/^[a-z]/.test(name) && context.skip() === DOT) {
    context.position++
    context.skip()
    name = context.readName()
  }
  return name
}
