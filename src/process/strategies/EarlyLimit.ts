import type { Step } from "../Step.ts"
import { RangeGlobalStep } from "../steps/RangeStep.ts"
import type { Traversal } from "../Traversal.ts"
import { moveLabels } from "./Inserting.ts"
import type { Strategy } from "./Strategy.ts"

/**
 * limit(), skip() and range() come before the steps in front of them that give one object for each, so that those work on
 * no more than what is asked for. It shows in what sideEffect() and property() have done.
 */
export const earlyLimit: Strategy = {
  name: "EarlyLimitStrategy",
  kind: "optimization",
  apply: (root) => {
    moveIn(root)
    root.visit((step) => {
      for (const child of [...step.localChildren(), ...step.globalChildren()]) moveIn(child)
    })
  }
}

const moveIn = (traversal: Traversal): void => {
  const { steps } = traversal
  for (const range of [...steps]) {
    if (!(range instanceof RangeGlobalStep)) continue
    const at = steps.indexOf(range)
    let place = at
    while (place > 0 && single.has(steps[place - 1]!.name)) place--
    // At the start of a child all of it would move, and nothing would be gained.
    if (place === at || place === 0) continue
    moveLabels(range, steps[at - 1]!)
    steps.splice(at, 1)
    steps.splice(place, 0, range as Step)
  }
}

/** Steps that give one object for each, and those that let it pass. */
const single: ReadonlySet<string> = new Set([
  "AddPropertyStep",
  "ConstantStep",
  "CountLocalStep",
  "EdgeOtherVertexStep",
  "ElementMapStep",
  "FailStep",
  "IdStep",
  "LabelStep",
  "MathStep",
  "OrderLocalStep",
  "PathStep",
  "ProjectStep",
  "PropertyKeyStep",
  "PropertyMapStep",
  "PropertyValueStep",
  "SackStep",
  "SampleLocalStep",
  "TraversalSideEffectStep"
])
