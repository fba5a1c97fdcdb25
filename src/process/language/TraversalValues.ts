import { GremlinMap, GremlinSet } from "../../structure/Collections.ts"
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

/** Throws TraversalInvalid if a value is a traversal, or a list, set or map that holds one. `where` names the argument. */
export const refuseTraversalValue = (where: string, value: unknown): void => {
  if (!holdsTraversal(value)) return
  throw new TraversalInvalid(
    `${where} takes values, but was given a traversal. To use the results of a traversal, use union(), map() or flatMap().`
  )
}

const holdsTraversal = (value: unknown): boolean => {
  if (value instanceof Bytecode) return true
  if (Array.isArray(value)) return value.some(holdsTraversal)
  if (value instanceof GremlinSet) return [...value].some(holdsTraversal)
  return value instanceof GremlinMap && [...value].some((entry) => entry.some(holdsTraversal))
}
