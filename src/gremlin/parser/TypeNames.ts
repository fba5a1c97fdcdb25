import { DOT } from "./Characters.ts"
import { packageRoots } from "./Names.ts"
import type { ParseContext } from "./ParseContext.ts"
import { readName, skip } from "./Scanner.ts"

/** Reads the name of a class or type, without the package before it; "" when there is none. */
export const readQualifiedName = (context: ParseContext): string => {
  skip(context)
  let name = readName(context)
  if (!packageRoots.has(name)) return name
  while (/^[a-z]/.test(name) && skip(context) === DOT) {
    context.position++
    skip(context)
    name = readName(context)
  }
  return name
}
