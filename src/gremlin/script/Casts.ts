import { castTo, toDouble } from "../../structure/Arithmetic.ts"
import { BulkSet, GremlinSet } from "../../structure/Collections.ts"
import { parseDecimal } from "../../structure/Decimal.ts"
import { type GremlinNumber, isNumber, type NumberKind } from "../../structure/Numbers.ts"
import { typeName } from "../../structure/TypeNames.ts"
import { type Budget, membersOf, OperandError } from "./Budget.ts"
import { isTrue } from "./Operators.ts"

/** Number types by their names in scripts. */
const numberTypes: { readonly [name: string]: NumberKind } = {
  byte: "Byte",
  Byte: "Byte",
  short: "Short",
  Short: "Short",
  int: "Int",
  Integer: "Int",
  long: "Long",
  Long: "Long",
  BigInteger: "BigInteger",
  float: "Float",
  Float: "Float",
  double: "Double",
  Double: "Double",
  BigDecimal: "BigDecimal"
}

/** The number type with this name in scripts; undefined if no number type has this name. */
export const numberTypeOf = (name: string): NumberKind | undefined =>
  Object.hasOwn(numberTypes, name) ? numberTypes[name] : undefined

/**
 * Converts a number, or a string that contains a number, to a number type. Throws OperandError for other types of values,
 * MalformedText for a string without a number, and ArithmeticFailure for a number that is out of range.
 */
export const toNumber = (value: unknown, kind: NumberKind): GremlinNumber => {
  if (isNumber(value)) return castTo(value, kind)
  if (typeof value !== "string") throw new OperandError(`${typeName(value)} is not a number`)
  const spelt = value.trim()
  if (spelt.length > 1000) throw new OperandError("a text of more than 1000 characters is not read as a number")
  const decimal = parseDecimal(spelt)
  if (kind === "Double" || kind === "Float") return castTo(toDouble(decimal), kind)
  return castTo(decimal, kind)
}

/** The value of `x as Type`. Throws OperandError for an unknown type, and the errors of {@link toNumber}. */
export const cast = (value: unknown, type: string, budget: Budget): unknown => {
  const kind = numberTypeOf(type)
  if (kind !== undefined) return toNumber(value, kind)
  switch (type) {
    case "String":
      return budget.text(value)
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
      return new GremlinSet(budget.list([...membersOf(value, "'as Set'")]))
  }
  throw new OperandError(
    `${type} is not a type that a value can be made with 'as': numbers, String, boolean, List, Set`
  )
}
