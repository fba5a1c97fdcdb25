import type { Step, Traversal } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { RepeatStep } from "../../steps/branch/RepeatStep.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { VertexStep } from "../../steps/flatmap/VertexStep.ts"
import { EdgeOtherVertexStep, EdgeVertexStep } from "../../steps/map/EdgeVertexStep.ts"

/**
 * Marks each repeat() that TinkerPop writes out as copies of its body, with a barrier after each copy. Where merging sacks or
 * withBulk(false) make barriers observable, only these have them. The strategy runs before others rewrite the body, as there.
 */
export const repeatUnroll: Strategy = {
  name: "RepeatUnrollStrategy",
  kind: "optimization",
  apply: (root, _configuration, compiler) => {
    if (compiler.without.has("LazyBarrierStrategy")) return
    root.visit((step) => {
      if (step instanceof RepeatStep) step.hasBarriers = isUnrolled(step)
    })
  }
}

const isUnrolled = ({ body, emit, until }: RepeatStep): boolean =>
  body !== null && emit === null && until?.kind === "times" && until.rounds > 0 && hasOnlyHops(body)

/** Whether a body has no steps but those that TinkerPop copies. The steps at its two ends are parts of the repeat() here. */
const hasOnlyHops = ({ steps }: Traversal): boolean => steps.slice(1, -1).every(isHop)

const isHop = (step: Step): boolean => {
  if (step instanceof RepeatStep) {
    return (
      step.until?.kind === "times" && step.emit?.kind !== "traversal" && step.body !== null && hasOnlyHops(step.body)
    )
  }
  return hops.some((hop) => step instanceof hop)
}

const hops = [VertexStep, EdgeVertexStep, EdgeOtherVertexStep, HasStep]
