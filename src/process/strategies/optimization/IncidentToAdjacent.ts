import { CLOSURE_OPERATOR } from "../../language/ClosureChild.ts"
import { type Needs, NO_NEEDS } from "../../plan/Activation.ts"
import { addNeeds } from "../../plan/Plan.ts"
import type { Step, Traversal } from "../../plan/Step.ts"
import type { Strategy, StrategyContext } from "../../plan/Strategy.ts"
import { VertexStep } from "../../steps/flatmap/VertexStep.ts"
import { EdgeOtherVertexStep, EdgeVertexStep } from "../../steps/map/EdgeVertexStep.ts"

/** Replaces outE().inV() by out(), and so on, which does not read the edges. Not if paths would show them. */
export const incidentToAdjacent: Strategy = {
  name: "IncidentToAdjacentStrategy",
  kind: "optimization",
  apply: (root, _configuration, compiler) => {
    // A splitter of withSack() shows whether there are two steps or one.
    const isSeen =
      compiler.sack?.splitter == null
        ? needsOf(root, compiler, (step) => step instanceof EdgeOtherVertexStep).path === 2
        : keepsEdges(root)
    if (!isSeen) root.visitTraversals(join)
  }
}

const join = (traversal: Traversal): void => {
  let joined: VertexStep | undefined
  traversal.replaceEach((step, at) => {
    if (joined !== undefined) {
      const found = joined
      joined = undefined
      return [found]
    }
    const vertices = traversal.steps[at + 1]
    if (!(step instanceof VertexStep) || !step.edges || step.labels.length > 0) return undefined
    if (vertices === undefined || !meets(step, vertices)) return undefined
    const { direction } = step
    joined = new VertexStep(direction.toLowerCase(), direction, false, step.edgeLabels)
    joined.labels = vertices.labels
    return nothing
  })
}

const nothing: ReadonlyArray<never> = []

/** Whether TinkerPop keeps outE().inV(): if a step reads whole paths, calls a closure or changes sacks. */
const keepsEdges = (root: Traversal): boolean => {
  let keeps = false
  root.visit((step) => {
    if (step instanceof EdgeOtherVertexStep) return
    const needs: Needs = { ...NO_NEEDS }
    step.require(needs)
    keeps ||= needs.path === 2 || step.operator === CLOSURE_OPERATOR || (needs.sack && step.traits.keepsObject)
  })
  return keeps
}

/** Whether the second step leads to the vertices at the other ends of the edges. */
const meets = (edges: VertexStep, vertices: Step): boolean =>
  vertices instanceof EdgeOtherVertexStep ||
  (vertices instanceof EdgeVertexStep &&
    ((edges.direction === "OUT" && vertices.direction === "IN") ||
      (edges.direction === "IN" && vertices.direction === "OUT")))

/** What the rows of the plan must carry for the current steps, except those for which `without` is true. */
export const needsOf = (root: Traversal, compiler: StrategyContext, without?: (step: Step) => boolean): Needs => {
  const needs = compiler.needs()
  addNeeds(root, needs, without)
  return needs
}
