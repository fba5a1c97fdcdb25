import { VerificationFailed } from "../../language/Errors.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { instrument } from "../../profile/Instrumentation.ts"
import { ProfileStep } from "../../steps/sideeffect/ProfileStep.ts"

/** Instruments the steps of a traversal with profile(). Must be the last strategy that changes the traversal. */
export const profile: Strategy = {
  name: "ProfileStrategy",
  kind: "finalization",
  apply: (root, _configuration, compiler) => {
    if (!root.steps.some((step) => step instanceof ProfileStep)) return
    compiler.profiled = true
    root.visit((step) => {
      if (!(step instanceof ProfileStep)) instrument(step)
    })
  }
}

/** Verifies that profile() is the last step, or is followed only by cap(). */
export const profileVerification: Strategy = {
  name: "ProfileVerification",
  kind: "verification",
  apply: (root) => {
    root.visit((step) => {
      if (!(step instanceof ProfileStep)) return
      const { steps } = step.traversal
      const after = steps.slice(steps.indexOf(step) + 1)
      if (step.traversal !== root || after.length > 1 || after.some(({ operator }) => operator !== "cap")) {
        throw new VerificationFailed(
          "When specified, the profile()-Step must be the last step or followed only by the cap()-step"
        )
      }
    })
  }
}
