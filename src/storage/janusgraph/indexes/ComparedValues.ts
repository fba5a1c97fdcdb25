import { comparisonOperands, type IndexCondition, isComparison } from "../../../structure/graph/GraphReads.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { objectType } from "../format/Attributes.ts"
import type { PropertyKey } from "../schema/Schema.ts"

/**
 * The value with which values of a key are compared. As in JanusGraph, a value of another type is converted as in a write: a text finds
 * a UUID, a Character or a number, and a Double finds the Float that it becomes. Numbers of other types stay as they are, because
 * Gremlin compares them exactly. A value that cannot be converted also stays as it is, and equals none.
 */
export const comparedValue = (key: PropertyKey | undefined, value: unknown): unknown => {
  if (key === undefined || value === null || value === undefined) return value
  const { dataType } = key
  if (dataType === objectType || dataType.is(value)) return value
  if (isNumber(value) && exact.has(dataType.name)) return value
  return dataType.convert(value) ?? value
}

/** The types of numbers that Gremlin compares without a loss. */
const exact: ReadonlySet<string> = new Set(["Byte", "Short", "Integer", "Long", "Double", "BigInteger", "BigDecimal"])

/** The condition with values of the key's type; see {@link comparedValue}. */
export const comparedCondition = (key: PropertyKey | undefined, condition: IndexCondition): IndexCondition => {
  const { operator, value } = condition
  if (key === undefined || !isComparison(operator)) return condition
  if (comparisonOperands[operator] === "one") {
    const wanted = comparedValue(key, value)
    return wanted === value ? condition : { ...condition, value: wanted }
  }
  if (!Array.isArray(value) || value.every((each) => key.dataType.is(each))) return condition
  return { ...condition, value: value.map((each) => comparedValue(key, each)) }
}
