import type { Task } from "../../scheduling/Task.ts"
import { TraversalInvalid } from "../language/Errors.ts"
import type { Traversal } from "../plan/Step.ts"
import type { Strategies, StrategyContext, StrategyObserver } from "../plan/Strategy.ts"

const order = { decoration: 0, optimization: 1, finalization: 2, verification: 3 } as const
const NOTHING: ReadonlyMap<string, unknown> = new Map()

/** Applies all active strategies, with a yield after each. Throws TraversalInvalid for an unknown strategy, and VerificationFailed. */
export function* applyStrategies(
  traversal: Traversal,
  { accepted, onRequest, standard }: Strategies,
  compiler: StrategyContext,
  observe: StrategyObserver
): Task {
  const applied = standard
    .filter((strategy) => !compiler.without.has(strategy.name))
    .map((strategy) => ({ strategy, configuration: NOTHING }))
  for (const spec of compiler.strategies) {
    if (compiler.without.has(spec.name)) continue
    const strategy = onRequest.find(({ name }) => name === spec.name)
    if (strategy !== undefined) applied.push({ strategy, configuration: spec.configuration })
    else if (!accepted.has(spec.name) && !standard.some((known) => known.name === spec.name)) {
      const known = [...onRequest.map(({ name }) => name), ...accepted].sort()
      throw new TraversalInvalid(`There is no strategy ${spec.name}. Known: ${known.join(", ")}`)
    }
  }
  applied.sort((a, b) => order[a.strategy.kind] - order[b.strategy.kind])
  for (const { strategy, configuration } of applied) {
    const pieces = strategy.apply(traversal, configuration, compiler)
    if (pieces !== undefined) yield* pieces
    yield* compiler.finish()
    observe(strategy, traversal)
    yield
  }
}
