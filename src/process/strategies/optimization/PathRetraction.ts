import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { LimitExceeded } from "../../language/Errors.ts"
import type { Step } from "../../plan/Step.ts"
import type { Traversal } from "../../plan/Traversal.ts"
import { RetractStep } from "../../steps/barrier/RetractStep.ts"
import { RepeatStep } from "../../steps/branch/RepeatStep.ts"
import { TraversalFilterStep } from "../../steps/filter/TraversalFilterStep.ts"
import { moveLabels } from "../Inserting.ts"
import type { Strategy } from "../Strategy.ts"
import { needsOf } from "./IncidentToAdjacent.ts"

/**
 * Takes labels off the path that nothing further on reads, where it can be seen: in the body of a repeat() without
 * until(), times() and emit(). Behind a step that reads labels the body goes on with those only that a step of the body
 * reads itself, or that is read further on; labels that only children of the steps so far read begin anew each round, so
 * that select(first, ..) and select(all, ..) in them see one round.
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
    yield* retraction.retractIn(step.body, none, readBehind(step))
  }
}

/** Labels that are taken off in a traversal, each as often as it is: a plan with more takes longer to make than anybody waits. */
const MOST_RETRACTED = 100_000

type Labels = ReadonlySet<string>
/** Labels that somebody reads. */
type Read = Pick<Labels, "has">

/** The body is its only child, and the same holds for all steps around it: else children share what they keep. */
const isAlone = (step: Step): boolean => {
  for (let at: Step | null = step; at !== null; at = at.traversal.parent) if (childrenOf(at) > 1) return false
  return true
}

const childrenOf = (step: Step): number => {
  if (step instanceof RepeatStep) {
    return [step.body, step.until, step.emit].filter((child) => child !== null).length
  }
  const count = step.localChildren().length + step.globalChildren().length
  return count
}

/** match() goes on from what its labels are bound to. */
const binds = (traversal: Traversal): boolean => {
  let found = false
  traversal.visit((step) => {
    found ||= step.name === "MatchStep"
  })
  return found
}

/** Labels that are read behind a step, up to the end of the whole traversal. */
const readBehind = (step: Step): Set<string> => {
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

  /** `begun`: labels that children of the steps so far have read; `kept`: those that are read behind the traversal. */
  *retractIn(traversal: Traversal, begun: Labels, kept: Read): Task {
    /** Where each label is last read in the traversal: endlessly where a step itself reads it, as the body begins anew. */
    const lastRead = new Map<string, number>()
    for (let at = 0; at < traversal.steps.length; at++) {
      const step = traversal.steps[at]!
      if (this.#slice.isOverNow()) yield
      for (const label of childLabels(step)) lastRead.set(label, Math.max(at, lastRead.get(label) ?? 0))
      for (const label of directLabels(step)) lastRead.set(label, Number.POSITIVE_INFINITY)
    }
    const children = new Set(begun)
    /** Read by the children of the filters right before a step. */
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
      if (ranked.has(step.name)) addAll(filters, own)
      else {
        addAll(children, filters)
        addAll(children, own)
        if (filters.size > 0) filters = new Set()
      }
      const behind: Read = childrenOf(step) > 1 ? { has: (label) => own.has(label) || further.has(label) } : further
      for (const child of flowing) yield* this.retractIn(child, inside, behind)
      if (!processesPaths(step)) continue
      // A where() without children comes before the filters next to it that are asked through children.
      if (step.name !== "WherePredicateStep" || step.localChildren().length > 0) addAll(children, filters)
      const retracted = new Set([...children].filter((label) => !further.has(label)))
      if (retracted.size === 0) continue
      this.#retracted += retracted.size
      if (this.#retracted > MOST_RETRACTED) throw tooMany()
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
    "The body of a repeat() reads too many labels in too many steps: the plan would let go of labels more than " +
      `${MOST_RETRACTED} times. Use fewer labels in it.`
  )

const none: Labels = new Set()

/** Filters that change places with one another where that is cheaper. */
const ranked: Labels = new Set(["AndStep", "NotStep", "OrStep", "TraversalFilterStep", "WherePredicateStep"])

/** Children whose rows go on behind the step with the paths they have there. */
const flowingThrough = (step: Step): ReadonlyArray<Traversal> => {
  if (step.operator === "local" || step.operator === "optional") return step.localChildren()
  return step instanceof RepeatStep ? [] : step.globalChildren()
}

const processors: Labels = new Set([
  "FormatStep",
  "MathStep",
  "SelectOneStep",
  "SelectStep",
  "TraversalSelectStep",
  "WherePredicateStep"
])

/** True for the steps that TinkerPop counts as path processors: they read labels for themselves. */
export const processesPaths = (step: Step): boolean => processors.has(step.name) || isWhereWithVariables(step)

/** True for where() of a traversal with labels at its ends. */
export const isWhereWithVariables = (step: Step): step is TraversalFilterStep =>
  step instanceof TraversalFilterStep && step.operator === "where" && variablesOf(step.child).size > 0

/** The labels at the ends of a where() traversal, also inside and(), or() and not() at its start. */
const variablesOf = (traversal: Traversal): Labels => {
  const labels = new Set<string>()
  for (const step of traversal.steps) {
    if (step.name === "WhereStartStep" || step.name === "WhereEndStep") addAll(labels, step.labelsRead())
    else if (step === traversal.first) for (const child of step.localChildren()) addAll(labels, variablesOf(child))
  }
  return labels
}

/** What a step reads itself. */
const directLabels = (step: Step): Labels =>
  isWhereWithVariables(step) ? variablesOf(step.child) : new Set(step.labelsRead())

/** True for a step that reads labels itself. */
export const readsLabels = (step: Step): boolean => directLabels(step).size > 0

/** What is read in the children of a step, at any depth. */
const childLabels = (step: Step): Labels => {
  const labels = new Set<string>()
  for (const child of [...step.localChildren(), ...step.globalChildren()]) {
    child.visit((inner) => {
      addAll(labels, directLabels(inner))
    })
  }
  return labels
}

/** What a step and its children read. */
export const labelsReadIn = (step: Step): Labels => union(directLabels(step), childLabels(step))

const addAll = (into: Set<string>, labels: Iterable<string>): void => {
  for (const label of labels) into.add(label)
}

const union = (...all: ReadonlyArray<Labels>): Labels => {
  const labels = new Set<string>()
  for (const some of all) addAll(labels, some)
  return labels
}
