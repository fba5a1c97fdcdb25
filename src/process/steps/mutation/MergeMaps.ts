import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { isSame } from "../../../structure/comparison/SameValue.ts"
import { Direction, EnumValue, Merge, T } from "../../../structure/scalars/Enums.ts"
import { briefText } from "../../../structure/texts/Text.ts"
import { cardinalityOf, cardinalityValue, nameOf } from "../../language/Arguments.ts"
import { TraversalError } from "../../language/Errors.ts"
import { checkEntries } from "../../plan/MapEntries.ts"

// Checks of the maps of mergeV() and mergeE(). Each of them throws a TraversalError that names the key.

/**
 * Checks search and onCreate maps: keys are strings, T.id, T.label or, for edges, directions; token values are not
 * null.
 */
export const checkMergeMap = (map: GremlinMap, operator: string): void => {
  const edge = operator === "mergeE"
  const allowed = edge ? "[id, label, IN, OUT]" : "[id, label]"
  for (const [key, value] of map) {
    if (typeof key === "string") {
      checkPropertyKey(key)
      continue
    }
    if (key instanceof EnumValue && value === null) {
      throw new TraversalError(`${operator}() does not allow null Map values - check: ${key.name}`)
    }
    if (!(key === T.id || key === T.label || (edge && (key === Direction.IN || key === Direction.OUT)))) {
      throw new TraversalError(
        `${operator}() and option(onCreate) args expect keys in Map to be either String or ${allowed} - check: ${nameOf(key)}`
      )
    }
    if (key === T.label) checkLabel(value, operator)
    if (key === Direction.OUT && isMerge(value) && value !== Merge.outV) throw wrongToken("outV", "OUT", value)
    if (key === Direction.IN && isMerge(value) && value !== Merge.inV) throw wrongToken("inV", "IN", value)
  }
}

/** Checks an onMatch map: it holds only properties, because ids, labels and ends cannot change. */
export const checkKeys = (map: GremlinMap): void => {
  for (const key of map.keys()) {
    if (typeof key !== "string") {
      throw new TraversalError(`option(onMatch) expects keys in Map to be of String - check: ${nameOf(key)}`)
    }
    checkPropertyKey(key)
  }
}

/** Checks that onCreate adds to the criteria and does not contradict them. As in Java, a number of another type is another value. */
export const checkNoOverrides = (criteria: GremlinMap, onCreate: GremlinMap): void => {
  for (const [key, value] of onCreate) {
    if (criteria.has(key) && !isSame(criteria.get(key), value)) {
      const name = key instanceof EnumValue ? key.name : String(key)
      throw new TraversalError(
        `option(onCreate) cannot override values from merge() argument: (${name}, ${briefText(value)})`
      )
    }
  }
}

/** The entries of a map whose properties have a cardinality, where they have none of their own. */
export const withCardinality = (map: GremlinMap, cardinality: EnumValue): GremlinMap =>
  new GremlinMap(
    [...map].map(([key, value]) => {
      const plain = typeof key !== "string" || cardinalityValue(value) !== undefined
      return [key, plain ? value : cardinalityOf(cardinality, value)]
    })
  )

/** A given map. Null means an empty map. */
export const mapOf = (value: unknown, operator: string): GremlinMap => {
  if (value === null) return new GremlinMap()
  if (value instanceof GremlinMap) {
    checkEntries(value, `${operator}()`)
    return value
  }
  throw new TraversalError(`${operator}() takes a map, but was given ${nameOf(value)}`)
}

const checkLabel = (label: unknown, operator: string): void => {
  if (typeof label !== "string") {
    throw new TraversalError(
      `${operator}() and option(onCreate) args expect T.label value to be of String - found: ${nameOf(label)}`
    )
  }
  if (label === "") throw new TraversalError("Label can not be empty")
  if (label.startsWith("~")) throw new TraversalError(`Label can not be a hidden key: ${label}`)
}

const checkPropertyKey = (key: string): void => {
  if (key === "") throw new TraversalError("Property key can not be the empty string")
  if (key.startsWith("~")) throw new TraversalError(`Property key can not be a hidden key: ${key}`)
}

const isMerge = (value: unknown): value is EnumValue => value instanceof EnumValue && value.enumName === "Merge"

const wrongToken = (token: string, direction: string, found: EnumValue): TraversalError =>
  new TraversalError(`Only Merge.${token} token may be used for Direction.${direction}, found: ${found.name}`)
