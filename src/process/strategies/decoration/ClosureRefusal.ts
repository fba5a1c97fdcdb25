import { VerificationFailed } from "../../language/Errors.ts"
import type { Step, Traversal } from "../../plan/Step.ts"
import type { StrategyContext } from "../../plan/Strategy.ts"

/**
 * Refuses closures in a traversal that sees only a part of the graph: a closure reads the properties of its element directly,
 * without the filters that a strategy adds to steps.
 */
export const refuseClosures = (traversal: Traversal, strategy: string, { callsClosures }: StrategyContext): void => {
  if (!callsClosures) return
  traversal.visit((step) => {
    if (step.callsClosure) throw refusal(strategy, `${nameOf(step)}() with steps`)
  })
  throw refusal(strategy, "withSack() and withSideEffect() with values and operators")
}

const refusal = (strategy: string, instead: string): VerificationFailed =>
  new VerificationFailed(`${strategy} allows no closures: write ${instead}`)

/** The step that the user wrote: the closure of filter() is a step in a child of filter(). */
const nameOf = ({ operator, traversal }: Step): string =>
  operator === "closure" ? (traversal.parent?.operator ?? operator) : operator
