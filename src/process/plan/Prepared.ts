import { ClosureSource, type Combiner } from "../language/Closure.ts"
import { resolve } from "../language/Operand.ts"
import type { Plan } from "./Plan.ts"
import type { Run, SideEffectSpec } from "./Run.ts"
import type { Traversal } from "./Step.ts"

/** The options of withSack(). */
export interface SackSpec {
  /** The first value of each traverser's sack, possibly a Parameter; or a closure that gives it. */
  readonly initial: unknown
  /** The closure that copies the sack of a traverser that becomes several; null = they share it. */
  readonly splitter: ClosureSource | null
  /** What merges sacks; null = traversers with different sacks do not merge. */
  readonly merge: Combiner | null
}

/** The result of compiling a traversal, without the values of its parameters. Shared by all runs. */
export interface Compiled {
  readonly plan: Plan
  readonly traversal: Traversal
  /** The with() options of the source. */
  readonly options: ReadonlyMap<string, unknown>
  readonly sideEffects: readonly SideEffectSpec[]
  readonly sack: SackSpec | null
  /** The seed of SeedStrategy; null = a random seed in each run. */
  readonly seed: bigint | null
  /** False after withBulk(false): equal traversers that meet at a barrier count as one. */
  readonly bulk: boolean
  /** True when the steps measure themselves, for profile(). */
  readonly profiled: boolean
  /** True when steps or source instructions have closures. */
  readonly callsClosures: boolean
}

/** A traversal that is ready to run: a shared plan, and the parameters of this request. */
export class Prepared {
  readonly compiled: Compiled
  readonly parameters: readonly unknown[]
  constructor(compiled: Compiled, parameters: readonly unknown[]) {
    this.compiled = compiled
    this.parameters = parameters
  }
  get plan(): Plan {
    return this.compiled.plan
  }
  /** True when the traversal changes the graph. */
  get writes(): boolean {
    return this.compiled.plan.writes
  }
  /** The with() options of the source, such as evaluationTimeout and batchSize. */
  get options(): ReadonlyMap<string, unknown> {
    return this.compiled.options
  }
  get sideEffects(): readonly SideEffectSpec[] {
    return this.compiled.sideEffects
  }
  /** The first value of each traverser's sack in this run. */
  initialSack(run: Run): unknown {
    const initial = this.compiled.sack?.initial
    return initial instanceof ClosureSource ? run.closures.of(initial).now([], "withSack()") : resolve(initial, run)
  }
}
