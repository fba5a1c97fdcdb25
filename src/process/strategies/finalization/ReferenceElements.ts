import type { Strategy } from "../../plan/Strategy.ts"
import { instrument } from "../../profile/Instrumentation.ts"
import { ReferenceElementStep } from "../../steps/map/ReferenceElementStep.ts"
import { ProfileStep } from "../../steps/sideeffect/ProfileStep.ts"

/** ReferenceElementStrategy: the elements among the results have their id and label only, whatever the request asks for. */
export const referenceElements: Strategy = {
  name: "ReferenceElementStrategy",
  kind: "finalization",
  apply: (root, _configuration, compiler) => {
    const step = new ReferenceElementStep()
    if (compiler.profiled) instrument(step)
    const at = root.steps.findIndex((other) => other instanceof ProfileStep)
    root.insert(at < 0 ? root.steps.length : at, step)
  }
}
