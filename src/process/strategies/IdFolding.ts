import { T } from "../../structure/Enums.ts"
import { P } from "../Predicate.ts"
import { GraphStep } from "../steps/GraphStep.ts"
import { HasStep } from "../steps/HasStep.ts"
import type { Traversal } from "../Traversal.ts"
import type { Strategy } from "./Strategy.ts"

/** V().hasId(..) becomes V(..): the elements are looked up instead of searched for. */
export const idFolding: Strategy = {
  name: "IdFolding",
  kind: "optimization",
  apply: (root) => root.visitTraversals(fold)
}

const fold = (traversal: Traversal): void => {
  traversal.steps.forEach((step, at) => {
    if (!(step instanceof GraphStep) || step.ids.length > 0) return
    const has = traversal.steps[at + 1]
    if (!(has instanceof HasStep)) return
    const condition = has.conditions.find(
      ({ key, predicate }) => key === T.id && predicate instanceof P && operators.has(predicate.operator)
    )
    if (condition === undefined) return
    const byId = new GraphStep(step.element, [(condition.predicate as P).value], true)
    byId.labels = step.labels
    traversal.replace(step, byId)
    const rest = has.conditions.filter((other) => other !== condition)
    if (rest.length > 0 || has.labels.length > 0) {
      const tests = new HasStep(has.operator, rest)
      tests.labels = has.labels
      traversal.replace(has, tests)
    } else traversal.remove(has)
  })
}

const operators: ReadonlySet<string> = new Set(["eq", "within"])
