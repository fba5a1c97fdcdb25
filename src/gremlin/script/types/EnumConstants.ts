import { type AnyConstant, HostConstant } from "../../../structure/collections/HostConstant.ts"
import { roundingModes } from "../../../structure/numbers/Rounding.ts"
import { EnumValue, enums } from "../../../structure/scalars/Enums.ts"
import { beginningOf } from "../../../structure/texts/Text.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { timeUnitNanos, unitNanos } from "../../../structure/times/TimeUnits.ts"
import { javaClassName } from "../../parser/Imports.ts"
import { janusGraphConstants } from "../../parser/JanusGraphEnums.ts"
import { constantOf, isEnumName } from "../../parser/Names.ts"
import { daysOfWeek, months } from "../dates/DateConstants.ts"
import { OperandError } from "../values/OperandErrors.ts"

/** The constants of java.math.RoundingMode. */
export const roundingConstants = roundingModes.map((name) => new HostConstant("RoundingMode", name))

/** The names of the constants of Java's and JanusGraph's enumerations, by class, in the order of Java's values(). */
export const enumConstants: { readonly [className: string]: readonly string[] } = {
  TimeUnit: Object.keys(timeUnitNanos),
  ChronoUnit: [
    ...Object.keys(unitNanos),
    ...["WEEKS", "MONTHS", "YEARS", "DECADES", "CENTURIES", "MILLENNIA", "ERAS", "FOREVER"]
  ],
  ...janusGraphConstants
}

/** The constants of the same enumerations and of three others, whose constants are one object each. */
const constants: ReadonlyMap<string, readonly HostConstant[]> = new Map([
  ["RoundingMode", roundingConstants],
  ["DayOfWeek", daysOfWeek],
  ["Month", months],
  ...Object.entries(enumConstants).map(
    ([className, names]) => [className, names.map((name) => new HostConstant(className, name))] as const
  )
])

/** The constants of Gremlin's enumerations whose order in Java is not that of {@link enums}. */
const javaOrders: { readonly [enumName: string]: readonly string[] } = {
  T: ["label", "id", "key", "value"],
  Order: ["shuffle", "asc", "desc"],
  Scope: ["global", "local"]
}

/** True for the simple name of an enumeration whose constants scripts know. */
export const isEnumeration = (className: string): boolean => isEnumName(className) || constants.has(className)

/** True for a constant of this enumeration. JanusGraph's cardinalities are constants of Gremlin's Cardinality. */
export const isConstantOf = (className: string, value: unknown): boolean =>
  value instanceof EnumValue
    ? value.enumName === className
    : value instanceof HostConstant && value.className === className

/** The constant of an enumeration with a name. Fails with OperandError, whose message is Java's, if there is none. */
export const constantNamed = (className: string, name: string): AnyConstant => {
  const constant = isEnumName(className)
    ? constantOf(className, name)
    : constants.get(className)?.find((each) => each.name === name)
  if (constant !== undefined) return constant
  const text = `No enum constant ${javaClassName(className).replace("$", ".")}.${beginningOf(name, MAX_NAME_CHARS)}`
  const known = valuesOf(className).map((value) => value.name)
  throw new OperandError(`${text}: the constants are ${known.join(", ")}`, "IllegalArgumentException", text)
}

const MAX_NAME_CHARS = 100

const valuesOf = (className: string): ReadonlyArray<AnyConstant> => {
  if (!isEnumName(className)) return constants.get(className) ?? []
  const order = javaOrders[className] ?? Object.keys(enums[className])
  return order.map((name) => enums[className][name]!)
}

/** The value of `valueOf(name)` or `values()` of an enumeration; undefined for another method. Fails with OperandError. */
export const callEnumeration = (
  className: string,
  name: string,
  args: readonly unknown[]
): { readonly value: unknown } | undefined => {
  if (!isEnumeration(className)) return undefined
  if (name === "values" && args.length === 0) return { value: [...valuesOf(className)] }
  if (name !== "valueOf" || args.length !== 1) return undefined
  const [wanted] = args
  if (typeof wanted === "string") return { value: constantNamed(className, wanted) }
  const problem = wanted === null ? "Name is null" : `valueOf() takes the name of a constant, not ${typeName(wanted)}`
  throw new OperandError(problem, wanted === null ? "NullPointerException" : "MissingMethodException", problem)
}
