import type { Operator } from "./Operator.ts"
import type { Strategies } from "./Strategy.ts"

/** What the compiler knows of the language: it names no step and no strategy itself. */
export interface Language {
  /** The operators that make steps, by name. */
  readonly operators: ReadonlyMap<string, Operator>
  readonly strategies: Strategies
}
