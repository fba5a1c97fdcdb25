import { HostConstant } from "../../../structure/collections/HostConstant.ts"
import type { ClassName } from "../../../structure/scalars/ClassNames.ts"
import { bareConstants } from "../../parser/JanusGraphEnums.ts"
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
  // A static import names a constant of JanusGraph's Cardinality, whose simple name Gremlin's has, too.
  const ofJanusGraph = of.name === "org.janusgraph.core.Cardinality" ? bareConstants.get(name) : undefined
  const { simpleName } = of
  const ofGremlin = isEnumName(simpleName) ? constantOf(simpleName, name) : undefined
  return (
    ofJanusGraph ??
    ofGremlin ??
    classProperty(of, name) ??
    classConstant(simpleName, name) ??
    new HostConstant(simpleName, name)
  )
}
