import type { Strategy } from "../../plan/Strategy.ts"
import { PropertiesStep } from "../../steps/flatmap/PropertiesStep.ts"
import { By } from "../../steps/shared/By.ts"
import { ModulatedStep } from "../../steps/shared/ModulatedStep.ts"

/**
 * Replaces by(values('key')) by by('key'), which needs no child and accepts maps. The second by() of group() stays, because
 * by('key') collects all values there and a traversal only the first. So does by(values('key', 'key')), as in TinkerPop: it takes
 * the first of several properties.
 */
export const byModulators: Strategy = {
  name: "ByModulatorOptimizationStrategy",
  kind: "optimization",
  apply: (root) => {
    root.visit((step) => {
      if (!(step instanceof ModulatedStep)) return
      step.replaceBys(step.bys().map((by, at) => (step.collects(at) ? by : simplified(by))))
    })
  }
}

const simplified = (by: By): By => {
  const steps = by.child?.steps ?? []
  const [only] = steps
  if (steps.length !== 1 || !(only instanceof PropertiesStep) || only.labels.length > 0) return by
  return only.operator === "values" && only.namesOneKey
    ? new By({ kind: "key", key: only.keys![0]! }, by.orNull, by.single)
    : by
}
