import type { NumberKind } from "../../structure/Numbers.ts"

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
