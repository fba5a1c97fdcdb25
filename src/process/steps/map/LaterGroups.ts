import type { Activation } from "../../plan/Activation.ts"
import type { Step, Traversal } from "../../plan/Step.ts"

/** Whether a traversal changes the graph or a side effect. */
export const hasEffects = (traversal: Traversal): boolean => {
  let has = false
  traversal.visit(({ traits }) => (has ||= traits.access === "writes" || traits.work === "acts"))
  return has
}

/**
 * Whether group('key') may run its value traversal for all rows when cap() reads the map, and not each time when it receives rows. So
 * long as nobody else sees the map, and the value traversal finds the same graph and the same side effects, the answer is the same.
 */
export const mayWait = (step: Step, key: string, value: Traversal | undefined, { plan, run }: Activation): boolean =>
  run.profile === null &&
  !plan.writes &&
  !plan.computes &&
  run.sideEffects.isOfOneStep(key) &&
  isSeenByCapOnly(step, key) &&
  value !== undefined &&
  findsTheSame(value, run.sideEffects)

const known = new WeakMap<Step, boolean>()

/** Whether no step but cap() can read a side effect, nor a copy of `step` write it. */
const isSeenByCapOnly = (step: Step, key: string): boolean => {
  const found = known.get(step)
  if (found !== undefined) return found
  let others = 0
  step.traversal.root.visit((other) => {
    const { access, labels } = other.traits
    const read = other.labelsRead()
    const isCopy = other !== step && other.constructor === step.constructor
    // A step that processes labels and names none may read any, as select(traversal) does.
    const mayRead = read.length > 0 ? read.includes(key) : labels !== "none"
    if (isCopy || mayRead || other.callsClosure || access === "services") others++
  })
  known.set(step, others === 0)
  return others === 0
}

/** Whether a traversal gives the same later, as long as the graph is unchanged. */
const findsTheSame = (value: Traversal, sideEffects: Activation["run"]["sideEffects"]): boolean => {
  if (hasEffects(value)) return false
  let same = true
  value.visit((step) => {
    same &&= !step.varies && !step.labelsRead().some((label) => sideEffects.has(label))
  })
  return same
}
