import { toBigInt, toDouble } from "../../../structure/numbers/Arithmetic.ts"
import type { NumberKind } from "../../../structure/numbers/Numbers.ts"
import { type GremlinNumber, isNumber, numberKind } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { OperandError } from "./OperandErrors.ts"

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

/** True for the integer types. */
export const isIntegral = (value: GremlinNumber): boolean => {
  const kind = numberKind(value)
  return kind !== "Float" && kind !== "Double" && kind !== "BigDecimal"
}

/** A whole number of a script. */
export const whole = (value: unknown): bigint => {
  if (isNumber(value) && Number.isInteger(toDouble(value))) return toBigInt(value)
  throw new OperandError(`a whole number was expected, not ${typeName(value)}`)
}
