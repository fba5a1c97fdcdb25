import { castTo, toDouble } from "../../structure/Arithmetic.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { parseDecimal } from "../../structure/Decimal.ts"
import { type Byte, type GremlinNumber, isNumber, type NumberKind } from "../../structure/Numbers.ts"
import { typeName } from "../../structure/TypeNames.ts"
import { type Budget, membersOf } from "./Budget.ts"
import { characterOf } from "./DateMethods.ts"
import { numberTypeOf } from "./NumberTypes.ts"
import { OperandError } from "./OperandErrors.ts"
import { isTrue } from "./Operators.ts"

/** Maximum length of a string that a script converts to a number. */
const MAX_NUMBER_CHARS = 1000

/**
 * Converts a number, or a string that contains a number, to a number type. Throws OperandError for other types of values,
 * MalformedText for a string without a number, and ArithmeticFailure for a number that is out of range.
 */
export const toNumber = (value: unknown, kind: NumberKind): GremlinNumber => {
  if (isNumber(value)) return castTo(value, kind)
  if (typeof value !== "string") throw new OperandError(`${typeName(value)} is not a number`, "GroovyCastException")
  const spelt = value.trim()
  if (spelt.length > MAX_NUMBER_CHARS) {
    throw new OperandError(
      `a string with more than ${MAX_NUMBER_CHARS} characters cannot be converted to a number`,
      "GroovyCastException"
    )
  }
  const decimal = parseDecimal(spelt)
  if (kind === "Double" || kind === "Float") return castTo(toDouble(decimal), kind)
  return castTo(decimal, kind)
}

/** The value of `x as Type`. Throws OperandError for an unknown type, and the errors of {@link toNumber}. */
export const cast = (value: unknown, type: string, budget: Budget): unknown => {
  const kind = numberTypeOf(type)
  if (type.endsWith("[]")) return arrayOf(value, type.slice(0, -2), budget)
  if (kind !== undefined) return toNumber(value, kind)
  switch (type) {
    case "String":
      return budget.text(value)
    case "char":
    case "Character":
      return characterOf(value)
    case "boolean":
    case "Boolean":
      return isTrue(value)
    case "List":
    case "ArrayList":
      return value instanceof GremlinSet || value instanceof BulkSet
        ? budget.list([...membersOf(value, "'as List'")])
        : [...membersOf(value, "'as List'")]
    case "Set":
    case "HashSet":
    case "LinkedHashSet":
      return new GremlinSet(budget.keys([...membersOf(value, "'as Set'")]))
    case "Map":
    case "HashMap":
    case "LinkedHashMap":
    // The hook of an initialisation script is a map from the names of its methods to closures.
    case "LifeCycleHook":
      if (value instanceof GremlinMap) return value
      throw new OperandError(`${typeName(value)} cannot be converted to ${type}`, "GroovyCastException")
  }
  throw new OperandError(`'as' cannot convert to ${type}; use a number type, String, boolean, List, Map or Set`)
}

/** The value of `x as int[]`: a list of the converted members. A byte[] is binary data. */
const arrayOf = (value: unknown, type: string, budget: Budget): unknown => {
  const members = budget.list([...membersOf(value, `'as ${type}[]'`)]).map((member) => cast(member, type, budget))
  return type === "byte" ? Uint8Array.from(members, (member) => (member as Byte).value) : members
}
