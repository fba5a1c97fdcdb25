import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { LimitExceeded } from "../../language/Errors.ts"
import type { Step, Traversal } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { RetractStep } from "../../steps/barrier/RetractStep.ts"
import { RepeatStep } from "../../steps/branch/RepeatStep.ts"
import { moveLabels } from "../StepInsertion.ts"
import { needsOf } from "./IncidentToAdjacent.ts"

/**
 * Removes labels that no later step reads from paths, where this is observable: in the body of a repeat() without a traversal in
 * until() or emit(). After a step of the body that reads labels, paths keep only the labels that a step of the body itself
 * reads, or that is read later. Labels that only children of earlier steps read start again in each round, so that
 * select(first, ..) and select(all, ..) in them see one round.
 */
export const pathRetraction: Strategy = {
  name: "PathRetractionStrategy",
  kind: "optimization",
  apply: (root, _configuration, compiler) => {
    if (needsOf(root, compiler).path !== 1) return undefined
    const repeats: Array<RepeatStep> = []
    root.visit((step) => {
      if (step instanceof RepeatStep) repeats.push(step)
    })
    return repeats.length === 0 ? undefined : retract(repeats, compiler.slice)
  }
}

function* retract(repeats: ReadonlyArray<RepeatStep>, slice: TimeSlice): Task {
  const retraction = new Retraction(slice)
  for (const step of repeats) {
    if (slice.isOverNow()) yield
    if (step.body === null || !isAlone(step) || binds(step.body)) continue
    yield* retraction.retractIn(step.body, none, readAfter(step))
  }
}

/** Limit of retractions of a label in one traversal, which bounds the time of planning. */
const MAX_RETRACTIONS = 100_000

type Labels = ReadonlySet<string>
/** Labels that are read. */
type Read = Pick<Labels, "has">

/** Whether the body is the only child of the step, and every ancestor has one child, too. Several children would share labels. */
const isAlone = (step: Step): boolean => {
  for (let at: Step | null = step; at !== null; at = at.traversal.parent) if (childrenOf(at) > 1) return false
  return true
}

const childrenOf = (step: Step): number => {
  if (step instanceof RepeatStep) {
    return [step.body, step.until, step.emit].filter((child) => child !== null).length
  }
  return step.localChildren().length + step.globalChildren().length
}

/** Whether a traversal has a match(), which continues from the objects of its labels. */
const binds = (traversal: Traversal): boolean => {
  let found = false
  traversal.visit((step) => {
    found ||= step.traits.labels === "binds"
  })
  return found
}

/** Labels that are read after a step, up to the end of the root traversal. */
const readAfter = (step: Step): Set<string> => {
  const labels = new Set<string>()
  for (let at: Step | null = step; at !== null; at = at.traversal.parent) {
    for (const later of after(at)) addAll(labels, labelsReadIn(later))
  }
  return labels
}

const after = (step: Step): ReadonlyArray<Step> => {
  const { steps } = step.traversal
  return steps.slice(steps.indexOf(step) + 1)
}

class Retraction {
  readonly #slice: TimeSlice

  constructor(slice: TimeSlice) {
    this.#slice = slice
  }

  /** `begun`: labels that children of earlier steps have read; `kept`: those that are read after the traversal. */
  *retractIn(traversal: Traversal, begun: Labels, kept: Read): Task {
    /** Index of the last step whose children read the label; Infinity if a step itself reads it, because the body repeats. */
    const lastRead = new Map<string, number>()
    for (let at = 0; at < traversal.steps.length; at++) {
      const step = traversal.steps[at]!
      if (this.#slice.isOverNow()) yield
      for (const label of childLabels(step)) lastRead.set(label, Math.max(at, lastRead.get(label) ?? 0))
      for (const label of step.labelsRead()) lastRead.set(label, Number.POSITIVE_INFINITY)
    }
    const children = new Set(begun)
    /** Labels that the children of the filters directly before a step read. */
    let filters = new Set<string>()
    const steps: Array<Step> = []
    for (let at = 0; at < traversal.steps.length; at++) {
      const step = traversal.steps[at]!
      const further: Read = { has: (label) => (lastRead.get(label) ?? -1) > at || kept.has(label) }
      steps.push(step)
      if (this.#slice.isOverNow()) yield
      const flowing = flowingThrough(step)
      const inside = flowing.length === 0 ? none : union(children, filters)
      const own = childLabels(step)
      if (step.traits.filter === "asks") addAll(filters, own)
      else {
        addAll(children, filters)
        addAll(children, own)
        if (filters.size > 0) filters = new Set()
      }
      const read: Read = childrenOf(step) > 1 ? { has: (label) => own.has(label) || further.has(label) } : further
      for (const child of flowing) yield* this.retractIn(child, inside, read)
      if (!processesPaths(step)) continue
      // A where() without children runs before adjacent filters with children.
      if (step.localChildren().length > 0 || step.traits.filter !== "asks") addAll(children, filters)
      const retracted = new Set([...children].filter((label) => !further.has(label)))
      if (retracted.size === 0) continue
      this.#retracted += retracted.size
      if (this.#retracted > MAX_RETRACTIONS) throw tooMany()
      const retract = new RetractStep(retracted)
      retract.traversal = traversal
      moveLabels(step, retract)
      steps.push(retract)
    }
    traversal.steps = steps
  }

  #retracted = 0
}

const tooMany = (): LimitExceeded =>
  new LimitExceeded(
    "The body of a repeat() reads too many labels in too many steps: the plan would drop labels from paths more than " +
      `${MAX_RETRACTIONS} times. Use fewer labels in it.`
  )

const none: Labels = new Set()

/** Children whose results the step emits with the paths from the child. */
const flowingThrough = (step: Step): ReadonlyArray<Traversal> => {
  const { children } = step.traits
  if (children === "local" || children === "flowing") return step.localChildren()
  return children === "loop" ? [] : step.globalChildren()
}

/** Whether a step is one of TinkerPop's path processors, which read labels. */
export const processesPaths = (step: Step): boolean => step.traits.labels === "processes"

/** Whether a step itself reads labels. */
export const readsLabels = (step: Step): boolean => step.labelsRead().length > 0

/** The labels that the descendants of a step read. */
const childLabels = (step: Step): Labels => {
  const labels = new Set<string>()
  for (const child of [...step.localChildren(), ...step.globalChildren()]) {
    child.visit((inner) => {
      addAll(labels, inner.labelsRead())
    })
  }
  return labels
}

/** The labels that a step and its descendants read. */
export const labelsReadIn = (step: Step): Labels => union(step.labelsRead(), childLabels(step))

const addAll = (into: Set<string>, labels: Iterable<string>): void => {
  for (const label of labels) into.add(label)
}

const union = (...all: ReadonlyArray<Iterable<string>>): Labels => {
  const labels = new Set<string>()
  for (const some of all) addAll(labels, some)
  return labels
}
