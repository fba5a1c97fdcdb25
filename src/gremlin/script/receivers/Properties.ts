import { BulkSet, GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { Tree } from "../../../structure/collections/Tree.ts"
import { isElement } from "../../../structure/elements/Element.ts"
import { Path } from "../../../structure/elements/Path.ts"
import { isMembers, membersOf } from "../values/Members.ts"
import { methodNamed, methodsOf } from "./ValueMethods.ts"

/**
 * The getter that a property means, such as `isEmpty` for `list.empty`; undefined without one. A property of a map or a tree is a key,
 * and one of a path a label.
 */
export const getterOf = (value: unknown, name: string): string | undefined => {
  if (value instanceof GremlinMap || value instanceof Tree || value instanceof Path) return undefined
  if (typeof value !== "object" && typeof value !== "string") return undefined
  const getter = `is${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return methodNamed(methodsOf(value), getter)?.[0] === 0 ? getter : undefined
}

/**
 * The members whose properties `collection.name` gives, if reading one may ask the host: elements, and collections that may have some.
 * As in Groovy, a null has no property. Undefined for another value.
 */
export const readMembersOf = (value: unknown, name: string): readonly unknown[] | undefined => {
  const isSpread = Array.isArray(value) || value instanceof GremlinSet || value instanceof BulkSet
  if (!isSpread || name === "class" || (name === "length" && Array.isArray(value))) return undefined
  const members = membersOf(value, name)
  const mayAsk = (member: unknown): boolean => isElement(member) || (isMembers(member) && !(member instanceof Path))
  return members.some(mayAsk) ? members.filter((member) => member !== null) : undefined
}
