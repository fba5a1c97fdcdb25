import type { Step } from "../Step.ts"
import { RepeatStep } from "../steps/RepeatStep.ts"
import { RetractStep } from "../steps/RetractStep.ts"
import { TraversalFilterStep } from "../steps/TraversalFilterStep.ts"
import type { Traversal } from "../Traversal.ts"
import { needsOf } from "./IncidentToAdjacent.ts"
import type { Strategy } from "./Strategy.ts"

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
    if (needsOf(root, compiler).path !== 1) return
    root.visit((step) => {
      if (!(step instanceof RepeatStep) || step.body === null || !isAlone(step) || binds(step.body)) return
      retractIn(step.body, new Set(), readBehind(step))
    })
  }
}

type Labels = ReadonlySet<string>

/** The body is its only child, and the same holds for all steps around it: else children share what they keep. */
const isAlone = (step: Step): boolean => {
  for (let at: Step | null = step; at !== null; at = at.traversal.parent) if (childrenOf(at) > 1) return false
  return true
}

const childrenOf = (step: Step): number =>
  step instanceof RepeatStep
    ? [step.body, step.until, step.emit].filter((child) => child !== null).length
    : step.localChildren().length + step.globalChildren().length

/** match() goes on from what its labels are bound to. */
const binds = (traversal: Traversal): boolean => {
  let found = false
  traversal.visit((step) => {
    found ||= step.name === "MatchStep"
  })
  return found
}

/** Labels that are read behind a step, up to the end of the whole traversal. */
export const readBehind = (step: Step): Set<string> => {
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

/** `begun`: labels that children of the steps so far have read; `kept`: those that are read behind the traversal. */
const retractIn = (traversal: Traversal, begun: Labels, kept: Labels): void => {
  const own = union(kept, ...traversal.steps.map(directLabels))
  const children = new Set(begun)
  /** Read by the children of the filters right before a step. */
  let filters = new Set<string>()
  for (const step of [...traversal.steps]) {
    const further = union(own, ...after(step).map(labelsReadIn))
    const inside = union(children, filters)
    if (ranked.has(step.name)) addAll(filters, childLabels(step))
    else {
      addAll(children, union(filters, childLabels(step)))
      filters = new Set()
    }
    for (const child of flowingThrough(step)) {
      retractIn(child, inside, union(further, childrenOf(step) > 1 ? childLabels(step) : none))
    }
    if (!processesPaths(step)) continue
    // A where() without children comes before the filters next to it that are asked through children.
    if (step.name !== "WherePredicateStep" || step.localChildren().length > 0) addAll(children, filters)
    const retracted = new Set([...children].filter((label) => !further.has(label)))
    if (retracted.size === 0) continue
    const retract = new RetractStep(retracted)
    retract.labels = step.labels
    step.labels = []
    traversal.insert(traversal.steps.indexOf(step) + 1, retract)
  }
}

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

/** What is read in the children of a step, at any depth. */
const childLabels = (step: Step): Labels => {
  const labels = new Set<string>()
  for (const child of [...step.localChildren(), ...step.globalChildren()]) {
    child.visit((inner) => addAll(labels, directLabels(inner)))
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
