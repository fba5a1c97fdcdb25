import { isNumber, type NumberKind, numberKind } from "../../structure/Numbers.ts"
import { Char } from "../../structure/Temporal.ts"
import { isInstance } from "./Instances.ts"
import { numberTypeOf } from "./NumberTypes.ts"

// Which arguments a typed parameter takes. Groovy is stricter here than for assignments: it widens numbers only.

/** Distance of a type that takes any value, of an interface, and of the next wider number type. */
const ANY = 1000
const GENERAL = 100
const WIDER = 1

/** The number types that each type takes, itself first. */
const taken: { readonly [kind in NumberKind]: readonly NumberKind[] } = {
  Byte: ["Byte"],
  Short: ["Short", "Byte"],
  Int: ["Int", "Short", "Byte"],
  Long: ["Long", "Int", "Short", "Byte"],
  BigInteger: ["BigInteger", "Long", "Int", "Short", "Byte"],
  Float: ["Float", "Long", "Int", "Short", "Byte", "BigInteger"],
  Double: ["Double", "Float", "BigDecimal", "Long", "Int", "Short", "Byte", "BigInteger"],
  BigDecimal: ["BigDecimal", "Double", "Float", "BigInteger", "Long", "Int", "Short", "Byte"]
}

/** Types whose parameters take values of these JavaScript types only. */
const exact: { readonly [type: string]: (value: unknown) => boolean } = {
  String: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  Boolean: (value) => typeof value === "boolean",
  char: (value) => value instanceof Char,
  Character: (value) => value instanceof Char
}

/**
 * How far the type of a parameter is from the value of its argument: 0 for the type of the value itself, more for a wider or more
 * general type. Undefined if the parameter does not take the value.
 */
export const distanceTo = (type: string, value: unknown): number | undefined => {
  if (type === "" || type === "Object") return ANY
  if (value === null) return /^[A-Z]/.test(type) ? GENERAL : undefined
  const kind = numberTypeOf(type)
  if (kind !== undefined) {
    const at = isNumber(value) ? taken[kind].indexOf(numberKind(value)) : -1
    return at < 0 ? undefined : at * WIDER
  }
  if (Object.hasOwn(exact, type)) return exact[type]!(value) ? 0 : undefined
  return isInstance(value, type) === false ? undefined : GENERAL
}
