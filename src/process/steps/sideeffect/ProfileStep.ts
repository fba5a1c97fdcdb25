import type { Task } from "../../../scheduling/Task.ts"
import { stringArgument } from "../../language/Arguments.ts"
import { flushTask } from "../../machine/StepTasks.ts"
import type { Activation, BarrierGroup } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import { noParameters, type Operators } from "../../plan/Operator.ts"
import { type PlanBuilder, Step } from "../../plan/Step.ts"
import { acting, type StepTraits } from "../../plan/StepTraits.ts"
import { emitReduced } from "../map/CountStep.ts"

const passing: StepTraits = {
  ...acting({ scout: "stops", limits: "stay", keepsObject: true, merging: "none", children: "none", access: "reads" }),
  role: "measures"
}
const answering: StepTraits = { ...passing, answersEmpty: true, keepsObject: false }

/**
 * profile(): runs the traversal to its end and emits the measurements instead of the results. profile('key') passes the
 * results, and cap('key') emits the measurements. A strategy enables measurement in the other steps.
 */
export class ProfileStep extends Step {
  readonly operator = "profile"
  readonly name = "ProfileSideEffectStep"
  readonly traits: StepTraits
  /** The side-effect key; null for the form that emits the measurements. */
  readonly key: string | null

  constructor(key: string | null, compiler: PlanBuilder) {
    super()
    this.key = key
    this.traits = key === null ? answering : passing
    if (key !== null) compiler.sideEffect(key, (run) => run.profile)
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    if (this.key !== null) activation.pass(this, batch)
  }

  override flush(group: BarrierGroup, activation: Activation): boolean {
    return flushTask(this, group, () => this.#measured(group, activation))
  }

  *#measured(group: BarrierGroup, activation: Activation): Task {
    const { profile } = activation.run
    if (profile !== null) emitReduced(this, group, activation, [yield* profile.metricsTask()])
  }

  override describe(): string {
    return this.key ?? ""
  }
}

/** The operator profile(). */
export const profileSteps: Operators = {
  profile: {
    parameters: noParameters,
    withParameters: noParameters,
    /** The plan of profile() contains the values of the traversal and measures each run itself. */ sharesPlan: false,
    build: (args, compiler) =>
      new ProfileStep(args.length === 0 ? null : stringArgument("profile", args[0], "side-effect key"), compiler)
  }
}
