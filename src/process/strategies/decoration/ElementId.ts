import { randomUUID } from "node:crypto"
import { isListOrSet } from "../../../structure/collections/Collections.ts"
import { isElement } from "../../../structure/elements/Element.ts"
import { EnumValue, T } from "../../../structure/scalars/Enums.ts"
import { Parameter, resolve } from "../../language/Operand.ts"
import { P, type Predicate } from "../../language/Predicate.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import type { Run } from "../../plan/Run.ts"
import type { Step } from "../../plan/Step.ts"
import type { Strategy } from "../../plan/Strategy.ts"
import { HasContainer } from "../../predicates/HasContainer.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { GraphStep } from "../../steps/flatmap/GraphStep.ts"
import { identifiers } from "../../steps/flatmap/Identifiers.ts"
import { PropertiesStep } from "../../steps/flatmap/PropertiesStep.ts"
import { TokenStep } from "../../steps/map/MapSteps.ts"
import { AddElementStep } from "../../steps/mutation/AddElementStep.ts"
import { stringOf } from "../StrategyConfiguration.ts"

const NAME = "ElementIdStrategy"

/** The default of idPropertyKey: the property that has the id. */
const DEFAULT_KEY = "__id"

/** ElementIdStrategy: stores ids of clients in a property, for graphs that allocate ids. A new element without an id gets a UUID. */
export const elementId: Strategy = {
  name: NAME,
  kind: "decoration",
  apply: (root, configuration, compiler) => {
    const key = configuration.has("idPropertyKey") ? stringOf(NAME, configuration, "idPropertyKey") : DEFAULT_KEY
    const change = (step: Step): ReadonlyArray<Step> | undefined => {
      if (step instanceof GraphStep && step.ids.length > 0) {
        const filter = new HasStep("has", [new GivenCondition(key, step.ids)])
        const all = new GivenElements(step.element, step.ids)
        all.labels = step.labels
        return [all, filter]
      }
      if (step instanceof HasStep) {
        step.conditions = step.conditions.map((condition) =>
          condition.key instanceof EnumValue && condition.key === T.id
            ? new IdCondition(key, condition.predicate)
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

/** A condition on the property that has the id. As in hasId(), lists of ids stand for their members. */
class IdCondition extends HasContainer {
  override get isJoinable(): boolean {
    return false
  }
  override predicateIn(run: Run): Predicate {
    const { predicate } = this
    const isOfSeveral = predicate instanceof P && (predicate.operator === "within" || predicate.operator === "without")
    if (!isOfSeveral) return predicate
    const ids = resolve(predicate.value, run)
    // A long list without lists in it is not copied: this is called several times in a run.
    const isFlat = Array.isArray(ids) && !ids.some(isListOrSet)
    return new P(predicate.operator, isFlat ? ids : [...membersIn(ids)])
  }
}

/** The condition of V(ids). All elements meet it if the first of the ids is an element. */
class GivenCondition extends IdCondition {
  readonly #given: readonly unknown[]
  constructor(key: string, given: readonly unknown[]) {
    const [only] = given
    super(key, new P("within", given.length === 1 && only instanceof Parameter ? only : [...given]))
    this.#given = given
  }
  override isReady(run: Run): boolean {
    return isGivenElements(this.#given, run) || super.isReady(run)
  }
  override bind(batch: Batch, activation: Activation): (raw: unknown) => boolean {
    return isGivenElements(this.#given, activation.run) ? () => true : super.bind(batch, activation)
  }
}

/** V(ids): the elements themselves if the first of the ids is an element, otherwise all elements of the graph. */
class GivenElements extends GraphStep {
  readonly #given: readonly unknown[]
  constructor(element: "vertex" | "edge", given: readonly unknown[]) {
    super(element, [])
    this.#given = given
  }
  protected override idsIn(activation: Activation): readonly unknown[] | null {
    return isGivenElements(this.#given, activation.run) ? identifiers(this.#given, activation) : null
  }
}

const isGivenElements = (given: readonly unknown[], run: Run): boolean => {
  const first = resolve(given[0], run)
  if (given.length > 1 || !isListOrSet(first)) return isElement(first)
  for (const member of membersIn(first)) return isElement(member)
  return false
}

/** The ids in nested lists and sets of ids. */
function* membersIn(value: unknown): Iterable<unknown> {
  if (!isListOrSet(value)) yield value
  else for (const member of value as Iterable<unknown>) yield* membersIn(member)
}
