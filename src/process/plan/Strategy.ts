import type { Task } from "../../scheduling/Task.ts"
import type { StrategySpec } from "../language/Bytecode.ts"
import type { Needs } from "./Activation.ts"
import type { SackSpec } from "./Prepared.ts"
import type { PlanBuilder, Traversal } from "./Step.ts"

/** The compilation that a strategy is applied in. */
export interface StrategyContext extends PlanBuilder {
  /** Strategies of the request, in order, and the names of those switched off. */
  readonly strategies: readonly StrategySpec[]
  readonly without: ReadonlySet<string>
  readonly sack: SackSpec | null
  /** False after withBulk(false): every traverser keeps a bulk of 1. */
  readonly bulk: boolean
  /** The seed of SeedStrategy; null = a new one for each run. */
  seed: bigint | null
  /** Set by ProfileStrategy: the steps measure themselves. */
  profiled: boolean
  /** What the plan carries in any case; its steps raise it. */
  needs(): Needs
  /** Builds the children that wait for it, in pieces: each before what stands behind it. */
  finish(): Task
}

/** Rewrites a root traversal and its children; `configuration` is what the request gave, empty for strategies of our own. */
export interface Strategy {
  readonly name: string
  /** Decorations change the meaning (SubgraphStrategy), optimisations the speed, verifications refuse. Applied in this order. */
  readonly kind: "decoration" | "optimization" | "finalization" | "verification"
  /** One that adds much to each step gives it as pieces. */
  // biome-ignore lint/suspicious/noConfusingVoidType: nearly all do their work at once and give nothing
  apply(traversal: Traversal, configuration: ReadonlyMap<string, unknown>, compiler: StrategyContext): void | Task
}

/** Sees the traversal as written (null) and after each strategy. */
export type StrategyObserver = (strategy: Strategy | null, traversal: Traversal) => void

/** The strategies of the language. */
export interface Strategies {
  /** Applied to every traversal unless withoutStrategies() names them. */
  readonly standard: readonly Strategy[]
  /** Applied when withStrategies() names them. */
  readonly onRequest: readonly Strategy[]
  /** Names that are accepted and have no effect. */
  readonly accepted: ReadonlySet<string>
}
