import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { T } from "../../../structure/scalars/Enums.ts"
import { ConnectiveP, type Predicate } from "../../language/Predicate.ts"
import type { Step, Traversal } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { HasContainer } from "../../predicates/HasContainer.ts"
import { ConnectiveStep } from "../../steps/filter/ConnectiveStep.ts"
import { HasPropertyStep } from "../../steps/filter/HasPropertyStep.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { TraversalFilterStep } from "../../steps/filter/TraversalFilterStep.ts"
import { PropertiesStep } from "../../steps/flatmap/PropertiesStep.ts"
import { moveLabels } from "../StepInsertion.ts"

/**
 * Replaces a filter whose children consist of filters by these filters: filter(has(..)), and(has(..), is(..)),
 * or(has(k, p), has(k, q)). has(key) reads the key without a child, and adjacent has() steps become one.
 */
export const inlineFilters: Strategy = {
  name: "InlineFilterStrategy",
  kind: "optimization",
  apply: (root, _configuration, { slice }) => inlineIn(slice, root)
}

/** Processes children first, because their results decide whether the parent can be replaced. */
function* inlineIn(slice: TimeSlice, traversal: Traversal): Task {
  const steps: Array<Step> = []
  for (const step of traversal.steps) {
    if (slice.isOverNow()) yield
    for (const child of step.localChildren()) yield* inlineIn(slice, child)
    for (const child of step.globalChildren()) yield* inlineIn(slice, child)
    const simpler = inlined(step)
    if (simpler === undefined) {
      steps.push(step)
      continue
    }
    for (const one of simpler) {
      one.traversal = traversal
      steps.push(one)
    }
    const last = steps[steps.length - 1]
    if (last !== undefined) moveLabels(step, last)
  }
  traversal.steps = steps
  joinHas(traversal)
}

/** Steps that are equivalent to a filter; undefined if there are no simpler ones. */
const inlined = (step: Step): ReadonlyArray<Step> | undefined => {
  if (step instanceof TraversalFilterStep) {
    const key = onlyKey(step.child)
    if (key !== undefined) return [new HasPropertyStep(step.positive ? "has" : "hasNot", key)]
    if (!step.positive || !isFilters(step.child)) return undefined
    // A step with labels must not be replaced by nothing.
    return step.child.steps.length === 0 && step.labels.length > 0 ? undefined : step.child.steps
  }
  if (!(step instanceof ConnectiveStep) || step.localChildren().length === 0) return undefined
  if (step.operator === "or") return alternatives(step.localChildren())
  if (!step.localChildren().every(isFilters)) return undefined
  const steps = step.localChildren().flatMap((child) => child.steps)
  return steps.length === 0 && step.labels.length > 0 ? undefined : steps
}

const isFilters = (traversal: Traversal): boolean =>
  traversal.steps.every((step) => step.traits.filter !== "no" && step.labels.length === 0)

/** The key if a traversal is only values(key) or properties(key). */
const onlyKey = ({ steps }: Traversal): string | undefined => {
  const [step] = steps
  if (steps.length !== 1 || !(step instanceof PropertiesStep) || step.labels.length > 0) return undefined
  return step.keys?.length === 1 ? step.keys[0] : undefined
}

/** One has() for an or() over has() steps of the same key, or over labels; undefined for any other or(). */
const alternatives = (children: ReadonlyArray<Traversal>): ReadonlyArray<Step> | undefined => {
  const predicates: Array<Predicate> = []
  let key: HasContainer["key"] | undefined
  for (const { steps } of children) {
    const [step] = steps
    if (steps.length !== 1 || !(step instanceof HasStep) || step.labels.length > 0) return undefined
    const [condition] = step.conditions
    if (step.conditions.length !== 1 || !condition!.isJoinable) return undefined
    if (typeof condition!.key !== "string" && condition!.key !== T.label) return undefined
    key ??= condition!.key
    if (condition!.key !== key) return undefined
    predicates.push(condition!.predicate)
  }
  if (key === undefined) return undefined
  const predicate = predicates.length === 1 ? predicates[0]! : new ConnectiveP("or", predicates)
  return [new HasStep("has", [new HasContainer(key, predicate)])]
}

const joinHas = (traversal: Traversal): void => {
  const joined: Array<Step> = []
  let run: Array<HasStep> = []
  const end = (): void => {
    if (run.length > 1) {
      const has = new HasStep(
        "has",
        run.flatMap(({ conditions }) => conditions)
      )
      has.labels = run.flatMap(({ labels }) => labels)
      has.traversal = traversal
      joined.push(has)
    } else joined.push(...run)
    run = []
  }
  for (const step of traversal.steps) {
    if (step instanceof HasStep) run.push(step)
    else {
      end()
      joined.push(step)
    }
  }
  end()
  traversal.steps = joined
}
