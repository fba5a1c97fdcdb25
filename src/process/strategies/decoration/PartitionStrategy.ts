import { Property, VertexProperty } from "../../../structure/elements/Element.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { P } from "../../language/Predicate.ts"
import type { Step } from "../../plan/Step.ts"
import type { Strategy, StrategyContext } from "../../plan/Strategy.ts"
import { HasContainer } from "../../predicates/HasContainer.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { ObjectFilterStep } from "../../steps/filter/ObjectFilterStep.ts"
import { GraphStep } from "../../steps/flatmap/GraphStep.ts"
import { PropertiesStep } from "../../steps/flatmap/PropertiesStep.ts"
import { VertexStep } from "../../steps/flatmap/VertexStep.ts"
import { EdgeOtherVertexStep, EdgeVertexStep } from "../../steps/map/EdgeVertexStep.ts"
import { PropertyMapStep } from "../../steps/map/PropertyMapStep.ts"
import { AddElementStep } from "../../steps/mutation/AddElementStep.ts"
import { MergeStep } from "../../steps/mutation/MergeStep.ts"
import { PropertyStep } from "../../steps/mutation/PropertyStep.ts"
import { insertPropertyFilter, moveLabels } from "../StepInsertion.ts"
import { booleanOf, stringOf, stringsOf } from "../StrategyConfiguration.ts"

const NAME = "PartitionStrategy"

/**
 * PartitionStrategy: new elements get a partition property, and the traversal sees only elements of readPartitions. With
 * includeMetaProperties the same holds for vertex properties, by a meta-property of the same key.
 */
export const partition: Strategy = {
  name: NAME,
  kind: "decoration",
  *apply(root, configuration, compiler) {
    const key = stringOf(NAME, configuration, "partitionKey")
    const read = stringsOf(NAME, configuration, "readPartitions")
    const write = configuration.get("writePartition")
    const meta = booleanOf(NAME, configuration, "includeMetaProperties", false)
    const condition = new HasContainer(key, new P("within", read))
    const steps: Array<Step> = []
    root.visit((step) => steps.push(step))
    for (const step of steps) {
      // An insertion takes time linear in the number of steps.
      if (compiler.slice.isOverNow()) yield
      if (emitsElements(step)) insertAfterHas(step, new HasStep("has", [condition]))
      const adds = step instanceof MergeStep || step instanceof AddElementStep
      if (adds || (meta && step instanceof PropertyStep)) {
        if (typeof write !== "string") throw new TraversalInvalid(`${NAME} needs a string as writePartition to write`)
        if (step instanceof MergeStep) {
          step.partition.push([key, write])
          if (meta) step.meta = [...step.meta, key, write]
        } else {
          if (step instanceof AddElementStep) step.write(key, write, compiler)
          if (meta) step.addMeta(key, write, compiler)
        }
      }
      if (!meta) continue
      if (step instanceof PropertiesStep || step instanceof PropertyMapStep) refuseKey(step, key)
      if (step instanceof PropertiesStep) filterProperties(step, key, read, compiler)
    }
  }
}

const emitsElements = (step: Step): boolean =>
  step instanceof GraphStep ||
  step instanceof VertexStep ||
  step instanceof EdgeVertexStep ||
  step instanceof EdgeOtherVertexStep

/** Inserts a filter after the has() steps that follow a step, so that an index can still answer these. */
const insertAfterHas = (step: Step, filter: Step): void => {
  const { steps } = step.traversal
  let at = steps.indexOf(step)
  while (steps[at + 1] instanceof HasStep) at++
  moveLabels(steps[at]!, filter)
  step.traversal.insert(at + 1, filter)
}

const refuseKey = (step: PropertiesStep | PropertyMapStep, key: string): void => {
  if (step.keys?.includes(key))
    throw new TraversalInvalid("Cannot explicitly request the partitionKey in the traversal")
}

/** Keeps the vertex properties of readPartitions, except the partition key itself. */
const filterProperties = (
  step: PropertiesStep,
  key: string,
  read: readonly string[],
  compiler: StrategyContext
): void => {
  const visible = new ObjectFilterStep("partition", (object) => {
    if (object instanceof VertexProperty) return object.key !== key && read.includes(object.meta?.get(key) as string)
    return !(object instanceof Property) || object.key !== key
  })
  insertPropertyFilter(step, visible, compiler)
}
