import { Cardinality, type EnumName, EnumValue, enumValue } from "../../structure/Enums.ts"
import { BigInteger, Byte, Short } from "../../structure/Numbers.ts"
import { typeName } from "../../structure/TypeNames.ts"
import { Bytecode, Instruction, Lambda } from "./Bytecode.ts"
import { TraversalInvalid } from "./Errors.ts"
import { isPredicate, type Predicate } from "./Predicate.ts"

/** Readers of step arguments. Each throws TraversalInvalid with the step's name and what was expected. */

/** A string, such as a property key or a side effect's key. */
export const stringArgument = (operator: string, value: unknown, what: string): string => {
  if (typeof value === "string") return value
  throw new TraversalInvalid(`${operator}() takes a string as its ${what}, but was given ${nameOf(value)}`)
}

/** Strings; nested arrays are spread, as drivers send varargs in either form. */
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

/** Strings where null is allowed (an absent label matches nothing). */
export const labelArguments = (operator: string, values: readonly unknown[]): Array<string> =>
  stringArguments(
    operator,
    values.filter((value) => value !== null),
    "label"
  )

/** An integer of any integral kind, as a number. Drivers send counts as Int or Long. */
export const integerArgument = (operator: string, value: unknown, what: string): number => {
  if (typeof value === "number" && Number.isInteger(value)) return value
  if (typeof value === "bigint") return Number(value)
  if (value instanceof Byte || value instanceof Short) return value.value
  if (value instanceof BigInteger) return Number(value.value)
  throw new TraversalInvalid(`${operator}() takes an integer as its ${what}, but was given ${nameOf(value)}`)
}

export const isEnum = (value: unknown, enumName: EnumName): value is EnumValue =>
  value instanceof EnumValue && value.enumName === enumName

/** A nested traversal. Cardinality.single(x) travels as one, too: see {@link cardinalityValue}. */
export const isTraversal = (value: unknown): value is Bytecode => value instanceof Bytecode

export const predicateArgument = (operator: string, value: unknown): Predicate => {
  if (isPredicate(value)) return value
  throw new TraversalInvalid(`${operator}() takes a predicate such as P.gt(1), but was given ${nameOf(value)}`)
}

/** Cardinality.single(x) as it travels: the cardinality and the value, or undefined for anything else. */
export const cardinalityValue = (value: unknown): { cardinality: EnumValue; value: unknown } | undefined => {
  if (!(value instanceof Bytecode)) return undefined
  const [instruction] = value.sourceInstructions
  if (instruction?.operator !== "CardinalityValueTraversal") return undefined
  const [cardinality, inner] = instruction.args
  // The Java driver sends the constant's name, the others the constant.
  const named = typeof cardinality === "string" ? enumValue("Cardinality", cardinality) : cardinality
  return { cardinality: named instanceof EnumValue ? named : Cardinality.single, value: inner }
}

/** A value with its cardinality, as {@link cardinalityValue} reads it. */
export const cardinalityOf = (cardinality: EnumValue, value: unknown): Bytecode =>
  new Bytecode([new Instruction("CardinalityValueTraversal", [cardinality, value])], [])

/** A value's kind in words, for error messages. */
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

/** Arguments whose types are named. */
const NAMED = 32

/** The types of arguments for an error message; of very many the first ones. */
export const typeNames = (args: readonly unknown[]): string => {
  const names = args.slice(0, NAMED).map(typeName).join(", ")
  return args.length > NAMED ? `${names}, ...` : names
}
