import { BulkSet, GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { MalformedText } from "../../../structure/errors/ValueErrors.ts"
import { castTo, toBigInt, toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { parseDecimal } from "../../../structure/numbers/Decimal.ts"
import {
  BigInteger,
  type Byte,
  double,
  Float,
  type GremlinNumber,
  isNumber,
  type NumberKind,
  numberKind
} from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { functionalInterfaces } from "../../parser/Names.ts"
import { ScriptClosure } from "../../ScriptClosure.ts"
import type { Budget } from "../budget/Budget.ts"
import { sortedMap, sortedSet } from "../comparison/SortedKeys.ts"
import { isTrue } from "../comparison/Truth.ts"
import { characterOf } from "../values/Characters.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { membersOf } from "../values/Members.ts"
import { numberTypeOf } from "../values/NumberTypes.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { SortedMap, SortedSet } from "../values/SortedCollections.ts"
import { constantNamed, isConstantOf, isEnumeration } from "./EnumConstants.ts"
import { isInstance } from "./Instances.ts"

/** Maximum length of a string that a script converts to a number. */
const MAX_NUMBER_CHARS = 1000

/** Bits of Java's integer types. */
const bits: { readonly [kind in NumberKind]?: number } = { Byte: 8, Short: 16, Int: 32, Long: 64 }

/**
 * Converts a number, or a string that contains a number, to a number type. Throws OperandError for other types of values,
 * MalformedText for a string without a number of the type, and ArithmeticFailure for a number that is out of range.
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
  if (kind === "BigDecimal") return parseDecimal(spelt)
  const isIntegral = kind !== "Double" && kind !== "Float"
  if (!(isIntegral ? /^[+-]?\d+$/ : DECIMAL).test(spelt)) throw notNumber(spelt)
  if (!isIntegral) return castTo(Number(spelt.replace(/[dDfF]$/, "")), kind)
  const whole = BigInt(spelt.replace("+", ""))
  const width = bits[kind]
  if (width !== undefined && BigInt.asIntN(width, whole) !== whole) throw notNumber(spelt)
  return castTo(new BigInteger(whole), kind)
}

const DECIMAL = /^[+-]?(?:NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[dDfF]?)$/

/** Java's error for a text that is no number of a type. */
const notNumber = (text: string): MalformedText =>
  new MalformedText(text === "" ? "empty String" : `For input string: "${text}"`)

/** Throws MalformedText for a text with spaces around it: Java's parseInt() takes none, unlike Groovy's conversions. */
export const assertUnspaced = (text: string): void => {
  if (text.trim() !== text) throw notNumber(text)
}

/**
 * A number as a number of another type, by the rules of Java's casts: integers lose their upper bits, a Double outside of Int or Long
 * becomes the nearest limit, and NaN is 0.
 */
export const javaCast = (value: GremlinNumber, kind: NumberKind): GremlinNumber => {
  const width = bits[kind]
  if (width === undefined) {
    const isOutside = !Number.isFinite(toDouble(value))
    if (kind === "Float") return new Float(toDouble(value))
    return kind === "Double" && isOutside ? double(toDouble(value)) : castTo(value, kind)
  }
  const whole = isFloating(value)
    ? saturated(toDouble(value), width === 64 ? 64 : 32)
    : toBigInt(castTo(value, "BigInteger"))
  return castTo(new BigInteger(BigInt.asIntN(width, whole)), kind)
}

const isFloating = (value: GremlinNumber): boolean => ["Double", "Float"].includes(numberKind(value))

const saturated = (value: number, width: number): bigint => {
  if (Number.isNaN(value)) return 0n
  const limit = 1n << BigInt(width - 1)
  if (value >= Number(limit)) return limit - 1n
  return value <= -Number(limit) ? -limit : BigInt(Math.trunc(value))
}

/** Types to which null is converted as null. */
const NULLABLE: ReadonlySet<string> = new Set(
  "Object String Character Boolean List ArrayList Set HashSet LinkedHashSet Map HashMap LinkedHashMap".split(" ")
)

/** The value of `x as Type`. Throws OperandError for an unknown type, and the errors of {@link toNumber}. */
export const cast = (value: unknown, type: string, budget: Budget): unknown => {
  const kind = numberTypeOf(type)
  if (type.endsWith("[]")) return arrayOf(value, type.slice(0, -2), budget)
  if (kind !== undefined) {
    if (value === null && /^[A-Z]/.test(type)) return null
    const number = value instanceof Char ? value.text.charCodeAt(0) : value
    return isNumber(number) ? javaCast(number, kind) : toNumber(number, kind)
  }
  if (value === null && NULLABLE.has(type)) return null
  if (functionalInterfaces.has(type)) return functionOf(value, type)
  switch (type) {
    case "Object":
      return value
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
      if (typeof value === "string") return budget.list(budget.whole(value).split(""))
      return value instanceof GremlinSet || value instanceof BulkSet
        ? budget.list([...membersOf(value, "'as List'")])
        : [...membersOf(value, "'as List'")]
    case "Set":
    case "HashSet":
    case "LinkedHashSet":
      return new GremlinSet(budget.keys([...membersOf(value, "'as Set'")]))
    case "TreeSet":
    case "SortedSet":
      if (value instanceof SortedSet) return value
      return sortedSet(budget.keys([...membersOf(value, "'as TreeSet'")]))
    case "TreeMap":
    case "SortedMap":
      if (value instanceof SortedMap) return value
      if (value instanceof GremlinMap) return sortedMap(budget.list([...value]) as Array<[unknown, unknown]>)
      throw new OperandError(`${typeName(value)} cannot be converted to ${type}`, "GroovyCastException")
    case "Map":
    case "HashMap":
    case "LinkedHashMap":
    // The hook of an initialisation script is a map from the names of its methods to closures.
    case "LifeCycleHook":
      if (value instanceof GremlinMap) return value
      throw new OperandError(`${typeName(value)} cannot be converted to ${type}`, "GroovyCastException")
  }
  if (isEnumeration(type)) return constantFrom(value, type)
  const isInstanceAlready = isInstance(value, type)
  if (value === null && isInstanceAlready !== undefined) return null
  if (isInstanceAlready === true) return value
  if (isInstanceAlready === false)
    throw new OperandError(`${typeName(value)} cannot be converted to ${type}`, "GroovyCastException")
  throw new OperandError(`'as' cannot convert to ${type}; use a number type, String, boolean, List, Map or Set`)
}

/** A constant of an enumeration, or its name, as the constant. */
const constantFrom = (value: unknown, type: string): unknown => {
  if (value === null || isConstantOf(type, value)) return value
  if (typeof value === "string") return constantNamed(type, value)
  throw new OperandError(`${typeName(value)} cannot be converted to ${type}`, "GroovyCastException")
}

/** A closure as one of Java's interfaces with one method: the closure itself. */
const functionOf = (value: unknown, type: string): unknown => {
  if (value === null) return value
  if (!(value instanceof ScriptClosure)) {
    throw new OperandError(`${typeName(value)} cannot be converted to ${type}`, "GroovyCastException")
  }
  if (type !== "Comparator" || value.parameterCount === 2) return value
  throw new OperandError("a Comparator is a closure of two parameters: write { a, b -> a <=> b } as Comparator")
}

/** Types whose values are not converted when they become members of an array. */
export const unconverted: ReadonlySet<string> = new Set(["Object", "Number", "Vertex", "Edge", "UUID", "Date"])

/** The value of `x as int[]`: a list of the converted members. A byte[] is binary data. */
const arrayOf = (value: unknown, type: string, budget: Budget): unknown => {
  const isText = typeof value === "string" && type === "String"
  const given = budget.list(isText ? budget.whole(value).split("") : [...membersOf(value, `'as ${type}[]'`)])
  const members = unconverted.has(type) ? budget.members(given) : given.map((member) => cast(member, type, budget))
  return type === "byte" ? Uint8Array.from(members, (member) => (member as Byte).value) : new JavaArray(type, members)
}
