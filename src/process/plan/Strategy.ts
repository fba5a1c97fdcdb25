import type { Task } from "../../scheduling/Task.ts"
import type { StrategySpec } from "../language/Bytecode.ts"
import type { Needs } from "./Activation.ts"
import type { SackSpec } from "./Prepared.ts"
import type { PlanBuilder, Traversal } from "./Step.ts"

/** The compilation to which a strategy belongs. */
export interface StrategyContext extends PlanBuilder {
  /** Strategies of withStrategies(), in order. */
  readonly strategies: readonly StrategySpec[]
  /** Names of withoutStrategies(). */
  readonly without: ReadonlySet<string>
  readonly sack: SackSpec | null
  /** True if the traversal has closures. */
  readonly callsClosures: boolean
  /** False after withBulk(false): every traverser has a bulk of 1. */
  readonly bulk: boolean
  /** The seed of SeedStrategy; null = a random seed in each run. */
  seed: bigint | null
  /** Set by ProfileStrategy: the steps are measured. */
  profiled: boolean
  /** What the rows of the plan must carry before its steps add their needs. */
  needs(): Needs
  /** Builds the children that are not built yet, with yields. */
  finish(): Task
}

/** A strategy, which rewrites a root traversal and its children. */
export interface Strategy {
  readonly name: string
  /**
   * Decorations change the meaning (SubgraphStrategy), optimizations change the speed, finalizations prepare the run, and
   * verifications refuse traversals. They are applied in this order.
   */
  readonly kind: "decoration" | "optimization" | "finalization" | "verification"
  /**
   * Rewrites a traversal. `configuration` comes from withStrategies(), and is empty for standard strategies. A strategy that
   * adds many steps returns a task, which yields.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most strategies need no yield and return nothing
  apply(traversal: Traversal, configuration: ReadonlyMap<string, unknown>, compiler: StrategyContext): void | Task
}

/** Is called with the traversal as written (null) and after each strategy. */
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
