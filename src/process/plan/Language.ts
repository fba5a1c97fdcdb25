import type { Operator } from "./Operator.ts"
import type { Strategies } from "./Strategy.ts"

/**
 * What the closure of an operator gets: the traverser of a row, or its object. A step with `own` calls its closures itself.
 * With `key`, a closure of one argument gets the object, and one of two arguments compares.
 */
export type ClosureUse = "traverser" | "object" | "key" | "own"

/** The language that the compiler is given. The compiler itself knows no step and no strategy by name. */
export interface Language {
  /** The operators that make steps, by name. */
  readonly operators: ReadonlyMap<string, Operator>
  /** Operators that take closures, by name. */
  readonly closures: ReadonlyMap<string, ClosureUse>
  /** The strategies, by the way in which they are selected. */
  readonly strategies: Strategies
}
