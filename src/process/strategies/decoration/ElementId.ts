import { randomUUID } from "node:crypto"
import { EnumValue, T } from "../../../structure/scalars/Enums.ts"
import { P } from "../../language/Predicate.ts"
import type { Step } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { HasContainer } from "../../predicates/HasContainer.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { GraphStep } from "../../steps/flatmap/GraphStep.ts"
import { PropertiesStep } from "../../steps/flatmap/PropertiesStep.ts"
import { TokenStep } from "../../steps/map/MapSteps.ts"
import { AddElementStep } from "../../steps/mutation/AddSteps.ts"

/** The default of idPropertyKey: the property that has the id. */
const DEFAULT_KEY = "__id"

/** ElementIdStrategy: stores ids of clients in a property, for graphs that allocate ids. A new element without an id gets a UUID. */
export const elementId: Strategy = {
  name: "ElementIdStrategy",
  kind: "decoration",
  apply: (root, configuration, compiler) => {
    const given = configuration.get("idPropertyKey")
    const key = typeof given === "string" ? given : DEFAULT_KEY
    const change = (step: Step): ReadonlyArray<Step> | undefined => {
      if (step instanceof GraphStep && step.ids.length > 0) {
        const filter = new HasStep("has", [new HasContainer(key, new P("within", [...step.ids]))])
        const all = new GraphStep(step.element, [])
        all.labels = step.labels
        return [all, filter]
      }
      if (step instanceof HasStep) {
        step.conditions = step.conditions.map((condition) =>
          condition.key instanceof EnumValue && condition.key === T.id
            ? new HasContainer(key, condition.predicate)
            : condition
        )
      } else if (step instanceof AddElementStep) step.idAsProperty(key, randomUUID, compiler)
      else if (step instanceof TokenStep && step.operator === "id") {
        const values = new PropertiesStep("values", [key])
        values.labels = step.labels
        return [values]
      }
      return undefined
    }
    root.visitTraversals((traversal) => traversal.replaceEach(change))
  }
}
