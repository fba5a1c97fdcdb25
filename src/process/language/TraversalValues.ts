import { GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import { Bytecode } from "./Bytecode.ts"
import { ClosureSource } from "./Closure.ts"
import { TraversalInvalid } from "./Errors.ts"
import { ConnectiveP, isPredicate, NotP, P } from "./Predicate.ts"

/**
 * Throws TraversalInvalid for a predicate among the arguments whose operand is a traversal. TinkerPop compares with the
 * traversal object, which equals no value, and returns an empty result without an error.
 */
export const refuseComparedTraversals = (operator: string, args: readonly unknown[]): void => {
  for (const argument of args) if (isPredicate(argument)) refuseIn(operator, argument)
}

const refuseIn = (operator: string, predicate: unknown): void => {
  if (predicate instanceof NotP) refuseIn(operator, predicate.predicate)
  else if (predicate instanceof ConnectiveP) for (const part of predicate.predicates) refuseIn(operator, part)
  else if (predicate instanceof P && predicate.value instanceof ClosureSource) {
    throw new TraversalInvalid(
      `P.${predicate.operator}() in ${operator}() compares with a value, but was given a closure`
    )
  } else if (predicate instanceof P && holdsTraversal(predicate.value)) {
    throw new TraversalInvalid(
      `P.${predicate.operator}() in ${operator}() compares with a value, but was given a traversal. Ask for the value ` +
        "first and label it, then compare: .as('a')...where(P." +
        `${predicate.operator}('a')).by(...)`
    )
  }
}

/**
 * Throws TraversalInvalid if a value is a traversal, or a list, set or map that holds one. `where` names the argument, and `advice` says
 * what to do.
 */
export const refuseTraversalValue = (
  where: string,
  value: unknown,
  advice = "To use the results of a traversal, use union(), map() or flatMap()."
): void => {
  if (holds(value, isTraversal))
    throw new TraversalInvalid(`${where} takes values, but was given a traversal. ${advice}`)
}

/** Throws TraversalInvalid if a value is a traversal or a predicate, or a list, set or map that holds one. */
export const refuseNoValue = (where: string, value: unknown): void => {
  refuseTraversalValue(where, value)
  if (!holdsNoValue(value)) return
  throw new TraversalInvalid(
    `${where} takes values, but was given a predicate. Predicates belong in has(), is() or where().`
  )
}

/** Whether this is a traversal or a predicate, which can be neither kept nor sent. */
export const isNoValue = (value: unknown): boolean => isTraversal(value) || isPredicate(value)

/** Whether this is a traversal or a predicate, or a list, set or map that holds one. */
export const holdsNoValue = (value: unknown): boolean => holds(value, isNoValue)

const isTraversal = (value: unknown): boolean => value instanceof Bytecode

const holdsTraversal = (value: unknown): boolean => holds(value, isTraversal)

const holds = (value: unknown, is: (value: unknown) => boolean): boolean => {
  if (is(value)) return true
  if (Array.isArray(value)) return value.some((item) => holds(item, is))
  if (value instanceof GremlinSet) return [...value].some((item) => holds(item, is))
  return value instanceof GremlinMap && [...value].some((entry) => entry.some((item) => holds(item, is)))
}
