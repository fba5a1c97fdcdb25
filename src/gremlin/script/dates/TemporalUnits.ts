import { HostConstant } from "../../../structure/collections/HostConstant.ts"
import { LONG_MAX, LONG_MIN } from "../../../structure/numbers/Numbers.ts"
import type { Duration } from "../../../structure/times/Temporal.ts"
import { timeUnitNanos, unitNanos } from "../../../structure/times/TimeUnits.ts"
import { whole } from "../values/NumberTypes.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { checkedDuration } from "./DateMethods.ts"

const constantName = (unit: unknown): string =>
  unit instanceof HostConstant && unit.className === "ChronoUnit" ? unit.name : ""

/** Nanoseconds of a unit. Fails with OperandError for a unit without an exact length, such as MONTHS. */
export const nanosOfUnit = (unit: unknown): bigint => {
  const name = constantName(unit)
  if (Object.hasOwn(unitNanos, name)) return unitNanos[name]!
  throw new OperandError(`the unit must be one of ${Object.keys(unitNanos).join(", ")} of ChronoUnit`)
}

/** The name of a unit as methods have it: `Days` for ChronoUnit.DAYS. Fails with OperandError for another value. */
export const unitName = (unit: unknown): string => {
  const name = constantName(unit)
  if (name === "") throw new OperandError("a unit of ChronoUnit was expected, such as ChronoUnit.DAYS")
  return `${name.slice(0, 1)}${name.slice(1).toLowerCase()}`
}

/** The duration of an amount of a unit of ChronoUnit: `Duration.of(3, ChronoUnit.HOURS)`. */
export const durationOfUnit = (amount: unknown, unit: unknown): Duration =>
  checkedDuration(whole(amount) * nanosOfUnit(unit))

/** A duration, or an amount and its unit. */
export const amountOf = ([amount, unit]: ReadonlyArray<unknown>): unknown =>
  unit === undefined ? amount : durationOfUnit(amount, unit)

/**
 * The value of a method of a constant of TimeUnit, such as `TimeUnit.HOURS.toMillis(2)`: towards zero, and as in Java at most the
 * largest Long. Undefined for another method.
 */
export const timeUnitValue = (unit: string, method: string, amount: unknown): bigint | undefined => {
  if (!Object.hasOwn(timeUnitNanos, unit) || !Object.hasOwn(timeUnitMethods, method)) return undefined
  const value = (whole(amount) * timeUnitNanos[unit]!) / timeUnitNanos[timeUnitMethods[method]!]!
  if (value > LONG_MAX) return LONG_MAX
  if (value < LONG_MIN) return LONG_MIN
  return value
}

/** The units to which the methods of TimeUnit convert. */
const timeUnitMethods: { readonly [method: string]: string } = {
  toNanos: "NANOSECONDS",
  toMicros: "MICROSECONDS",
  toMillis: "MILLISECONDS",
  toSeconds: "SECONDS",
  toMinutes: "MINUTES",
  toHours: "HOURS",
  toDays: "DAYS"
}
