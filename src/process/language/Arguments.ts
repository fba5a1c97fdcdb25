import { BigInteger, Byte, Short } from "../../structure/numbers/Numbers.ts"
import { Cardinality, type EnumName, EnumValue, enumValue } from "../../structure/scalars/Enums.ts"
import { typeName } from "../../structure/texts/TypeNames.ts"
import { Bytecode, Instruction, Lambda } from "./Bytecode.ts"
import { TraversalInvalid } from "./Errors.ts"
import { Parameter } from "./Operand.ts"
import { isPredicate, type Predicate } from "./Predicate.ts"

/** Functions that check and convert step arguments. Each throws TraversalInvalid with the step's name and the expected type. */

/** A string, such as a property key or a side effect's key. */
export const stringArgument = (operator: string, value: unknown, what: string): string => {
  if (typeof value === "string") return value
  throw new TraversalInvalid(`${operator}() takes a string as its ${what}, but was given ${nameOf(value)}`)
}

/** Strings. Nested arrays are flattened, because drivers send varargs in either form. */
export const stringArguments = (
  operator: string,
  values: readonly unknown[],
  what: string,
  into: Array<string> = []
): Array<string> => {
  for (const value of values) {
    if (Array.isArray(value)) stringArguments(operator, value, what, into)
    else into.push(stringArgument(operator, value, what))
  }
  return into
}

/** Labels or keys that elements may have. Null is dropped, because it matches nothing. */
export const labelArguments = (operator: string, values: readonly unknown[], what = "label"): Array<string> =>
  stringArguments(
    operator,
    values.filter((value) => value !== null),
    what
  )

/** An integer of any integral kind, as a number. Drivers send counts as Int or Long. */
export const integerArgument = (operator: string, value: unknown, what: string): number => {
  if (typeof value === "number" && Number.isInteger(value)) return value
  if (typeof value === "bigint") return Number(value)
  if (value instanceof Byte || value instanceof Short) return value.value
  if (value instanceof BigInteger) return Number(value.value)
  throw new TraversalInvalid(`${operator}() takes an integer as its ${what}, but was given ${nameOf(value)}`)
}

/** Whether a value is a constant of this enumeration. */
export const isEnum = (value: unknown, enumName: EnumName): value is EnumValue =>
  value instanceof EnumValue && value.enumName === enumName

/** Whether a value is a nested traversal. Cardinality.single(x) has the same form, see {@link cardinalityValue}. */
export const isTraversal = (value: unknown): value is Bytecode => value instanceof Bytecode

/** A predicate such as P.gt(1). */
export const predicateArgument = (operator: string, value: unknown): Predicate => {
  if (isPredicate(value)) return value
  throw new TraversalInvalid(`${operator}() takes a predicate such as P.gt(1), but was given ${nameOf(value)}`)
}

/** Reads Cardinality.single(x) in its bytecode form. Undefined for anything else. */
export const cardinalityValue = (value: unknown): { cardinality: EnumValue; value: unknown } | undefined => {
  if (!(value instanceof Bytecode)) return undefined
  const [instruction] = value.sourceInstructions
  if (instruction?.operator !== "CardinalityValueTraversal") return undefined
  const [cardinality, inner] = instruction.args
  // The Java driver sends the constant's name, the others the constant.
  const named = typeof cardinality === "string" ? enumValue("Cardinality", cardinality) : cardinality
  return { cardinality: named instanceof EnumValue ? named : Cardinality.single, value: inner }
}

/** Cardinality.single(x) in its bytecode form, which {@link cardinalityValue} reads. */
export const cardinalityOf = (cardinality: EnumValue, value: unknown): Bytecode =>
  new Bytecode([new Instruction("CardinalityValueTraversal", [cardinality, value])], [])

/** Describes a value for error messages, such as "a list" or "the number 3". */
export const nameOf = (value: unknown): string => {
  if (value === null || value === undefined) return "null"
  if (value instanceof Bytecode) return "a traversal"
  if (value instanceof Lambda) return "a lambda"
  if (value instanceof EnumValue) return `${value.enumName}.${value.name}`
  if (isPredicate(value)) return "a predicate"
  if (Array.isArray(value)) return "a list"
  if (typeof value === "object") return `a ${typeName(value)}`
  return `the ${typeof value} ${String(value).slice(0, 80)}`
}

/** Number of arguments whose types an error message names. */
const MAX_NAMED_TYPES = 32

/** The types of arguments for an error message, at most {@link MAX_NAMED_TYPES} of them. */
export const typeNames = (args: readonly unknown[]): string => {
  const names = args
    .slice(0, MAX_NAMED_TYPES)
    .map((arg) => (arg instanceof Parameter ? "Object" : typeName(arg)))
    .join(", ")
  return args.length > MAX_NAMED_TYPES ? `${names}, ...` : names
}
