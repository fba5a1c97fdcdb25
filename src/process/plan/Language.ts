import type { Operator } from "./Operator.ts"
import type { Strategies } from "./Strategy.ts"

/** The language that the compiler is given. The compiler itself knows no step and no strategy by name. */
export interface Language {
  /** The operators that make steps, by name. */
  readonly operators: ReadonlyMap<string, Operator>
  /** The strategies, by the way in which they are selected. */
  readonly strategies: Strategies
}
