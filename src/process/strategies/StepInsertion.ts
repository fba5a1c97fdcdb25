import { Instruction } from "../language/Bytecode.ts"
import type { Step } from "../plan/Step.ts"
import type { StrategyContext } from "../plan/Strategy.ts"
import { PropertiesStep } from "../steps/flatmap/PropertiesStep.ts"

/** Moves labels of as() from a step to a later filter, so that only objects that pass the filter are labelled. */
export const moveLabels = (from: Step, to: Step): void => {
  // There may be more labels than a call can have arguments.
  if (to.labels.length === 0) to.labels = from.labels
  else for (const label of from.labels) to.labels.push(label)
  from.labels = []
}

/** Inserts filters after a step, in order. Its labels move to the last filter. */
export const insertAfter = (step: Step, ...filters: ReadonlyArray<Step>): void => {
  const { traversal } = step
  let at = traversal.steps.indexOf(step)
  for (const filter of filters) traversal.insert(++at, filter)
  const last = filters[filters.length - 1]
  if (last !== undefined) moveLabels(step, last)
}

/** Inserts a filter after properties(). Replaces values() by properties(), the filter and value(). */
export const insertPropertyFilter = (step: PropertiesStep, filter: Step, compiler: StrategyContext): void => {
  if (step.operator === "properties") {
    insertAfter(step, filter)
    return
  }
  const properties = new PropertiesStep("properties", step.keys)
  const value = compiler.build([new Instruction("value", [])]).steps[0]!
  moveLabels(step, value)
  step.traversal.replace(step, properties, filter, value)
}
