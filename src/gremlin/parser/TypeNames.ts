import { DOT } from "./Characters.ts"
import { packageRoots } from "./Names.ts"
import type { ParseContext } from "./ParseContext.ts"

const ARGUMENT = "[\\w$.,? ]|\\[\\]"
const nested = (inside: string): string => `<(?:${ARGUMENT}${inside}){0,200}>`

/** The source of a regular expression for type arguments such as `<String, List<Integer>>`, of four levels at most. */
export const TYPE_ARGUMENTS = nested(`|${nested(`|${nested(`|${nested("")}`)}`)}`)

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

/** Longest list of type arguments. */
const MAX_TYPE_ARGUMENTS_CHARS = 200

/** Skips `<String, Object>` after the name of a constructed class: types of members are not checked, as in Groovy. */
export const skipTypeArguments = (context: ParseContext): void => {
  context.skip()
  const rest = context.text.slice(context.position, context.position + MAX_TYPE_ARGUMENTS_CHARS)
  const [found = ""] = /^<[\w\s.,?<>]*>(?=\s*\()/.exec(rest) ?? []
  context.position += found.length
}

const ARGUMENTS_AND_BRACKETS = new RegExp(`^(?:${TYPE_ARGUMENTS})?(\\[\\])?`)

/** Reads the name of the type after `as` or `instanceof`. */
export const readTypeAfter = (context: ParseContext, operator: string): string => {
  const at = context.position
  const type = readQualifiedName(context)
  if (type === "") {
    throw context.failAt(at, `the name of a type, such as int or String, was expected after '${operator}'`)
  }
  const parameters = ARGUMENTS_AND_BRACKETS.exec(context.text.slice(context.position, context.position + 210))
  context.position += parameters?.[0].length ?? 0
  return parameters?.[1] === undefined ? type : `${type}[]`
}
