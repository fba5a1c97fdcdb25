import { HostConstant } from "../../../structure/collections/HostConstant.ts"
import { dayNames, monthNames } from "./DatePatterns.ts"

const constantsOf = (className: string, names: readonly string[]): readonly HostConstant[] =>
  names.map((name) => new HostConstant(className, name.toUpperCase()))

/** The constants of java.time.DayOfWeek, from Monday. */
export const daysOfWeek = constantsOf("DayOfWeek", dayNames)

/** The constants of java.time.Month. */
export const months = constantsOf("Month", monthNames)

/** The number of a day of the week or of a month, from 1, as getValue() gives it; undefined for another constant. */
export const numberOfConstant = (constant: HostConstant): number | undefined => {
  const at = (constant.className === "Month" ? months : daysOfWeek).indexOf(constant)
  return at < 0 ? undefined : at + 1
}
