import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { type Branch, type Needs, NO_NEEDS, type PlanSummary } from "./Activation.ts"
import type { StepPosition } from "./Run.ts"
import { isSilent } from "./Silence.ts"
import type { Step, Traversal } from "./Step.ts"

/** Default number of rows in a batch. Larger batches are not faster, and V8 promotes them to the old generation. */
export const BATCH_WIDTH = 256

/**
 * A linked traversal, immutable and shared by all runs. One array has its steps and those of its global children; every step
 * comes after the steps that feed it. Each local child has a separate plan.
 */
export interface Plan extends PlanSummary {
  readonly steps: readonly Step[]
  /** Barriers on the main line that emit a result even without input. */
  readonly answering: readonly Step[]
  /** Largest number of rows in a batch of the step with this index. */
  width(index: number): number
}

const plans = new WeakMap<Traversal, Plan>()

/** The plan of a child traversal, which was linked together with its root. */
export const planOf = (child: Traversal): Plan => plans.get(child)!

/** True for a step on the main line of its plan, not in a branch or a body of repeat(). A limit there may stop the steps before it. */
export const onMainLine = (step: StepPosition): boolean => mainLine.has(step)
const mainLine = new WeakSet<StepPosition>()

/** Barriers directly in a branch (of union(), choose() or repeat()) that emit a result for every origin that entered it. */
export const answeringIn = (branch: Branch): readonly Step[] => answering.get(branch) ?? NO_STEPS
const answering = new WeakMap<Branch, readonly Step[]>()
const NO_STEPS: readonly Step[] = []

class LinkedPlan implements Plan {
  readonly steps: readonly Step[]
  readonly firstIndex: number
  readonly path: 0 | 1 | 2
  readonly sack: boolean
  readonly mergingShows: boolean
  readonly sequential: boolean
  readonly writes: boolean
  readonly computes: boolean
  readonly isConstant: boolean
  readonly answering: readonly Step[]
  constructor(traversal: Traversal, steps: readonly Step[], needs: Needs) {
    this.steps = steps
    this.firstIndex = traversal.first?.index ?? -1
    this.isConstant = !needs.computes && isConstant(traversal)
    this.path = needs.path
    this.sack = needs.sack
    this.mergingShows = needs.mergingShows
    this.sequential = needs.sequential
    this.writes = needs.writes
    this.computes = needs.computes
    this.answering = traversal.steps.filter((step) => step.traits.answersEmpty)
  }
  width(_index: number): number {
    return this.sequential ? 1 : BATCH_WIDTH
  }
}

/** True for a child that begins with V() or E(), has no effects, and reads nothing of the incoming traversers. */
const isConstant = (traversal: Traversal): boolean => {
  if (traversal.parent === null || traversal.first?.traits.role !== "startsAnew" || !isSilent(traversal)) return false
  const own: Needs = { ...NO_NEEDS }
  let varies = false
  traversal.visit((step) => {
    step.require(own)
    varies ||= step.varies
  })
  return own.path === 0 && !(varies || own.sack || own.sequential || own.writes || own.computes)
}

/**
 * Adds what the rows of a plan must carry for its steps, except those for which `without` is true. Labels alone require paths only
 * where merging shows, because traversers with different paths do not merge. Else the steps that read labels raise `path`.
 */
export const addNeeds = (root: Traversal, needs: Needs, without: (step: Step) => boolean = () => false): void => {
  let labelled = false
  root.visit((step) => {
    labelled ||= step.labels.length > 0
    if (!without(step)) step.require(needs)
  })
  if (labelled && needs.mergingShows && needs.path === 0) needs.path = 1
}

/** Makes the plans of a root traversal and of all its children, with yields. Steps must not change afterwards. */
export function* link(root: Traversal, needs: Needs, slice: TimeSlice): Task<Plan> {
  addNeeds(root, needs)
  return yield* linkOne(root, needs, slice)
}

function* linkOne(traversal: Traversal, needs: Needs, slice: TimeSlice): Task<Plan> {
  const order: Array<Step> = []
  collect(traversal, order)
  order.forEach((step, at) => {
    step.index = at
  })
  let position = 0
  number(traversal, () => position++)
  wire(traversal, -1)
  for (const step of traversal.steps) mainLine.add(step)
  const plan = new LinkedPlan(traversal, order, needs)
  plans.set(traversal, plan)
  for (const step of order) {
    for (const child of step.localChildren()) {
      if (slice.isOverNow()) yield
      yield* linkOne(child, needs, slice)
    }
  }
  return plan
}

/** Steps in array order. Later branches come first, so that "deepest step first" processes the first branch first. */
const collect = (traversal: Traversal, order: Array<Step>): void => {
  for (const step of traversal.steps) {
    order.push(step)
    const branches = step.globalChildren()
    for (let i = branches.length - 1; i >= 0; i--) collect(branches[i]!, order)
  }
}

/** Numbers the steps in program order, which determines the order in which barriers are flushed. */
const number = (traversal: Traversal, next: () => number): void => {
  for (const step of traversal.steps) {
    step.position = next()
    for (const branch of step.globalChildren()) number(branch, next)
  }
}

/** Sets the step after each step. After the last step of a branch comes the step after the branching step. */
const wire = (traversal: Traversal, after: number): void => {
  traversal.steps.forEach((step, at) => {
    step.nextIndex = traversal.steps[at + 1]?.index ?? after
    for (const branch of step.globalChildren()) {
      wire(branch, step.nextIndex)
      const barriers = branch.steps.filter((inner) => inner.traits.answersEmpty)
      if (barriers.length > 0) answering.set(branch, barriers)
    }
  })
}

/** Index of the step at which rows enter a branch of `step`: its first step, or the step after `step` for an empty branch. */
export const branchEntry = (step: StepPosition, branch: Branch): number => branch.first?.index ?? step.nextIndex
