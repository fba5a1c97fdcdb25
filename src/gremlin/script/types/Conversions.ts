import { GremlinSet } from "../../../structure/collections/Collections.ts"
import { toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { double, isInt, isNumber } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Budget } from "../budget/Budget.ts"
import { isTrue } from "../comparison/Truth.ts"
import { characterOf } from "../values/Characters.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { membersOf } from "../values/Members.ts"
import { numberTypeOf } from "../values/NumberTypes.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { SortedMap, SortedSet } from "../values/SortedCollections.ts"
import { cast, javaCast } from "./Casts.ts"
import { isEnumeration } from "./EnumConstants.ts"
import { isInstance } from "./Instances.ts"

const sets: ReadonlySet<string> = new Set(["Set", "HashSet", "LinkedHashSet"])
const primitives: ReadonlySet<string> = new Set(["byte", "short", "int", "long", "float", "double", "char"])

/** True for a value that {@link converted} returns as it is: an Int for an `int`, and any value without a type. */
export const isOfType = (value: unknown, type: string): boolean =>
  type === "" || ((type === "int" || type === "Integer") && typeof value === "number" && isInt(value))

/**
 * Converts a value that is assigned to a variable or parameter of this type, as Groovy does. A number becomes a number of the
 * type, and a String variable gets the text of the value. Types that scripts do not know accept all values. Fails with OperandError
 * for a value that cannot be converted.
 */
export const converted = (value: unknown, type: string, budget: Budget): unknown => {
  if (type === "" || type === "Object") return value
  if (type === "boolean" || type === "Boolean") return type === "Boolean" && value === null ? null : isTrue(value)
  if (value === null || value === undefined) {
    if (primitives.has(type)) throw refused(value, type)
    return null
  }
  if (type.endsWith("[]")) {
    return value instanceof JavaArray || value instanceof Uint8Array ? value : cast(value, type, budget)
  }
  const kind = numberTypeOf(type)
  if (kind !== undefined) {
    if (isNumber(value)) return kind === "Double" ? double(toDouble(value)) : javaCast(value, kind)
    // A text of one character is the code of the character.
    if (typeof value === "string" && value.length === 1) return javaCast(value.charCodeAt(0), kind)
    if (value instanceof Char) return javaCast(value.text.charCodeAt(0), kind)
    throw refused(value, type)
  }
  if (type === "String") return budget.text(value)
  if (type === "char" || type === "Character") {
    if (isNumber(value) || value instanceof Char || (typeof value === "string" && value.length === 1))
      return characterOf(value)
    throw refused(value, type)
  }
  if (type === "TreeMap" || type === "TreeSet") return cast(value, type, budget)
  // As in Groovy, a text becomes the constant of this name.
  if (isEnumeration(type)) return cast(value, type, budget)
  if (/^Sorted(?:Map|Set)$/.test(type) && !(value instanceof SortedMap || value instanceof SortedSet)) {
    throw refused(value, type)
  }
  if (sets.has(type) && Array.isArray(value)) return new GremlinSet(budget.keys([...membersOf(value, "a set")]))
  if (isInstance(value, type) === false) throw refused(value, type)
  return value
}

const refused = (value: unknown, type: string): OperandError =>
  new OperandError(`${typeName(value)} cannot be converted to ${type}: write 'x as ${type}'`, "GroovyCastException")
