import { T } from "../../../structure/scalars/Enums.ts"
import { P } from "../../language/Predicate.ts"
import type { Step, Traversal } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { GraphStep } from "../../steps/flatmap/GraphStep.ts"

/** Replaces V().hasId(..) by V(..), which looks elements up by id instead of scanning. */
export const idFolding: Strategy = {
  name: "IdFolding",
  kind: "optimization",
  apply: (root) => root.visitTraversals(fold)
}

const fold = (traversal: Traversal): void => {
  /** The replacement of the has() after a V(). */
  let rest: ReadonlyArray<Step> | undefined
  traversal.replaceEach((step, at) => {
    if (rest !== undefined) {
      const left = rest
      rest = undefined
      return left
    }
    if (!(step instanceof GraphStep) || step.ids.length > 0) return undefined
    const has = traversal.steps[at + 1]
    if (!(has instanceof HasStep)) return undefined
    const condition = has.conditions.find(
      ({ key, predicate }) => key === T.id && predicate instanceof P && operators.has(predicate.operator)
    )
    if (condition === undefined) return undefined
    const byId = new GraphStep(step.element, [(condition.predicate as P).value], true)
    byId.labels = step.labels
    const others = has.conditions.filter((other) => other !== condition)
    rest = []
    if (others.length > 0 || has.labels.length > 0) {
      const tests = new HasStep(has.operator, others)
      tests.labels = has.labels
      rest = [tests]
    }
    return [byId]
  })
}

const operators: ReadonlySet<string> = new Set(["eq", "within"])
