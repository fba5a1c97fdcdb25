import type { EnumValue } from "../../structure/Enums.ts"
import { resolve } from "../language/Operand.ts"
import type { Plan } from "./Plan.ts"
import type { Run, SideEffectSpec } from "./Run.ts"
import type { Traversal } from "./Step.ts"

/** How the run's sack starts, and how sacks split and merge. */
export interface SackSpec {
  readonly initial: unknown
  /** An Operator, or null: a merge of traversers keeps sacks apart. */
  readonly merge: EnumValue | null
}

/** What a traversal compiles to, parameters outside. Shared by all runs. */
export interface Compiled {
  readonly plan: Plan
  readonly traversal: Traversal
  readonly options: ReadonlyMap<string, unknown>
  readonly sideEffects: readonly SideEffectSpec[]
  readonly sack: SackSpec | null
  /** Of SeedStrategy; null = a new one for each run. */
  readonly seed: bigint | null
  /** False after withBulk(false): equal traversers that meet at a barrier count as one. */
  readonly bulk: boolean
  /** True when the steps measure themselves, for profile(). */
  readonly profiled: boolean
}

/** A traversal ready to run: a shared plan and this request's parameters. */
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
  /** with() options of the source: evaluationTimeout, batchSize, materializeProperties... */
  get options(): ReadonlyMap<string, unknown> {
    return this.compiled.options
  }
  get sideEffects(): readonly SideEffectSpec[] {
    return this.compiled.sideEffects
  }
  initialSack(run: Run): unknown {
    return resolve(this.compiled.sack?.initial, run)
  }
}
