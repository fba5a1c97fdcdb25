import { HostConstant } from "../../../structure/collections/HostConstant.ts"
import type { ClassName } from "../../../structure/scalars/ClassNames.ts"
import { constantOf, isEnumName } from "../../parser/Names.ts"
import { callCalendar } from "../dates/CalendarStatics.ts"
import { classProperty } from "../types/ClassMethods.ts"
import { classConstant } from "./ClassConstants.ts"

/**
 * The value of `Class.name`: a property that all classes have, `Calendar.instance`, or a constant. Fails with OperandError for an
 * unknown constant.
 */
export const memberOfClass = (of: ClassName, name: string): unknown => {
  const made = name === "instance" ? callCalendar(of.simpleName, "getInstance", []) : undefined
  if (made !== undefined) return made.value
  const ofGremlin = isEnumName(of.simpleName) ? constantOf(of.simpleName, name) : undefined
  return (
    ofGremlin ?? classProperty(of, name) ?? classConstant(of.simpleName, name) ?? new HostConstant(of.simpleName, name)
  )
}
