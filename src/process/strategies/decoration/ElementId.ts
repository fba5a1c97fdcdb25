import { randomUUID } from "node:crypto"
import { EnumValue, T } from "../../../structure/Enums.ts"
import { P } from "../../language/Predicate.ts"
import type { Step } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { HasContainer } from "../../predicates/HasContainer.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { GraphStep } from "../../steps/flatmap/GraphStep.ts"
import { PropertiesStep } from "../../steps/flatmap/PropertiesStep.ts"
import { TokenStep } from "../../steps/map/MapSteps.ts"
import { AddElementStep } from "../../steps/mutation/AddSteps.ts"

/** Where ids are kept unless idPropertyKey says otherwise. */
const DEFAULT_KEY = "__id"

/** ElementIdStrategy: ids of one's own as a property, for graphs that allocate ids; new elements get a UUID where none is given. */
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
