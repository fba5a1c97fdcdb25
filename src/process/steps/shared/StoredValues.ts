import { EnumValue } from "../../../structure/scalars/Enums.ts"
import { nameOf } from "../../language/Arguments.ts"
import { TraversalError } from "../../language/Errors.ts"
import { holdsNoValue, isNoValue } from "../../language/TraversalValues.ts"

/** Throws TraversalError if a property must not hold this: a predicate, a traversal or a token, or a list or map that holds such. */
export const checkPropertyValue = (key: string, value: unknown): void => {
  if (value instanceof EnumValue || isNoValue(value)) {
    throw new TraversalError(`A property holds a value, but ${key} was given ${nameOf(value)}`)
  }
  if (typeof value === "object" && value !== null && holdsNoValue(value)) {
    throw new TraversalError(
      `A property holds values, but ${key} was given ${nameOf(value)} with a predicate or a traversal`
    )
  }
}

/** The id that a new element is given. Throws TraversalError if it is a predicate, a traversal or a token, or holds one. */
export const checkedId = (id: unknown): unknown => {
  if (id instanceof EnumValue || holdsNoValue(id)) {
    throw new TraversalError(`An id is a value, but was given ${nameOf(id)}`)
  }
  return id
}
