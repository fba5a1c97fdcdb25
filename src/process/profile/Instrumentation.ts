import type { Activation } from "../plan/Activation.ts"
import type { Step } from "../plan/Step.ts"
import { Profile } from "./Profile.ts"

/**
 * Makes a step of a traversal with profile() measure its calls. Steps of other traversals are not changed, so they have no
 * extra cost.
 */
export const instrument = (step: Step): void => {
  const { flush, run } = step
  step.run = (batch, activation) => {
    const { profile } = activation.run
    if (!(profile instanceof Profile) || activation.scout !== null) return run.call(step, batch, activation)
    watch(activation, profile)
    return profile.measure(step, () => run.call(step, batch, activation))
  }
  step.flush = (group, activation) => {
    const { profile } = activation.run
    if (!(profile instanceof Profile)) return flush.call(step, group, activation)
    watch(activation, profile)
    return profile.measure(step, () => flush.call(step, group, activation))
  }
}

const watched = new WeakSet<Activation>()

/** Counts the rows that steps emit in an activation, and adds the time of a step's callbacks to that step. */
const watch = (activation: Activation, profile: Profile): void => {
  if (watched.has(activation)) return
  watched.add(activation)
  const { emit, invoke, invokeAll, invokeGroups, openStream, pass } = activation
  activation.pass = (step: Step, out) => {
    profile.emitted(step, out)
    pass.call(activation, step, out)
  }
  activation.emit = (step: Step, out) => {
    profile.emitted(step, out)
    emit.call(activation, step, out)
  }
  /** A callback is code of the step that started the child. */
  const measured = <A extends ReadonlyArray<unknown>>(code: (...args: A) => void): ((...args: A) => void) => {
    const step = profile.current
    return step === null ? code : (...args) => profile.measure(step, () => code(...args))
  }
  activation.invoke = (child, batch, mode, done) => invoke.call(activation, child, batch, mode, measured(done))
  activation.invokeAll = (child, batch, onBatch, done) =>
    invokeAll.call(activation, child, batch, measured(onBatch), done === undefined ? undefined : measured(done))
  activation.openStream = (step, child, row, onBatch, done) =>
    openStream.call(activation, step, child, row, measured(onBatch), measured(done))
  activation.invokeGroups = (child, batch, groups, count, done) =>
    invokeGroups.call(activation, child, batch, groups, count, measured(done))
}
