import type { Step, Traversal } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { RepeatStep } from "../../steps/branch/RepeatStep.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { VertexStep } from "../../steps/flatmap/VertexStep.ts"
import { EdgeOtherVertexStep, EdgeVertexStep } from "../../steps/map/EdgeVertexStep.ts"

/**
 * Marks each repeat() that TinkerPop writes out as copies of its body, with barriers between them. Where merging sacks or
 * withBulk(false) make barriers observable, only these have them. The strategy runs before others rewrite the body, as there.
 */
export const repeatUnroll: Strategy = {
  name: "RepeatUnrollStrategy",
  kind: "optimization",
  apply: (root) => {
    root.visit((step) => {
      if (step instanceof RepeatStep) step.isCopied = isCopied(step)
    })
  }
}

const isCopied = ({ body, emit, until }: RepeatStep): boolean =>
  body !== null && emit === null && until?.kind === "times" && until.rounds > 0 && bodySteps(body).every(isHop)

/** The steps at the two ends of a body are parts of the repeat() here. */
const bodySteps = ({ steps }: Traversal): ReadonlyArray<Step> => steps.slice(1, -1)

/** Whether TinkerPop copies a step. It copies a repeat() inside if it copies the steps of its body and of its tests. */
const isHop = (step: Step): boolean => {
  if (!(step instanceof RepeatStep)) return hops.some((hop) => step instanceof hop)
  const tests = step.localChildren().flatMap(({ steps }) => steps)
  return step.body !== null && step.until !== null && [...bodySteps(step.body), ...tests].every(isHop)
}

const hops = [VertexStep, EdgeVertexStep, EdgeOtherVertexStep, HasStep]
