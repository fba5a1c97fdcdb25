import { T } from "../../../structure/scalars/Enums.ts"
import { ConnectiveP, P } from "../../language/Predicate.ts"
import type { Step, Traversal } from "../../plan/Step.ts"
import type { Strategy, StrategyContext } from "../../plan/Strategy.ts"
import { BarrierStep } from "../../steps/barrier/BarrierStep.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { RangeGlobalStep } from "../../steps/filter/RangeStep.ts"
import { GraphStep } from "../../steps/flatmap/GraphStep.ts"
import { CountStep } from "../../steps/map/CountStep.ts"
import { GroupCountStep } from "../../steps/map/GroupCountStep.ts"
import { OrderGlobalStep } from "../../steps/map/OrderGlobalStep.ts"
import { needsOf } from "./IncidentToAdjacent.ts"

/**
 * Uses counters and sorted indexes of the store. V().hasLabel(x).count() and V().groupCount().by(label) read counters, also in
 * children and branches; V().order().by(key).limit(n) reads the first entries of an index. If the store has neither, the run
 * scans the elements.
 */
export const storedOrder: Strategy = {
  name: "StoredOrderStrategy",
  kind: "optimization",
  apply: (root, _configuration, compiler) => {
    root.visitTraversals(count)
    const [first] = root.steps
    if (first !== undefined && isSource(first)) order(root, first, compiler)
  }
}

/** V() or E() without ids. */
const isSource = (step: Step): step is GraphStep =>
  step instanceof GraphStep && step.ids.length === 0 && step.labels.length === 0

const count = (traversal: Traversal): void => {
  const [source] = traversal.steps
  if (source === undefined || !isSource(source)) return
  const filters = leadingFilters(traversal)
  const conditions = filters.flatMap((filter) => filter.conditions)
  if (filters.some(({ labels }) => labels.length > 0) || conditions.length > 1 || !conditions.every(isLabel)) return
  const [following, next] = traversal.steps.slice(1 + filters.length)
  const isLimited = following instanceof RangeGlobalStep && following.labels.length === 0 && next instanceof CountStep
  if (following instanceof CountStep || isLimited) source.counted = "all"
  else if (following instanceof GroupCountStep && following.isByLabel) {
    source.counted = "labels"
    following.countLabels()
  } else return
  for (const filter of filters) traversal.remove(filter)
}

const leadingFilters = ({ steps }: Traversal): ReadonlyArray<HasStep> => {
  const filters: Array<HasStep> = []
  for (let at = 1, step = steps[at]; step instanceof HasStep; step = steps[++at]) filters.push(step)
  return filters
}

/** Whether a condition selects one or several labels, as a scan by label does. */
const isLabel = ({ key, predicate }: HasStep["conditions"][number]): boolean =>
  key === T.label && predicate instanceof P && (predicate.operator === "eq" || predicate.operator === "within")

const order = (root: Traversal, source: GraphStep, compiler: StrategyContext): void => {
  const at = 1 + leadingFilters(root).length
  const [sorting, limit] = [root.steps[at], root.steps[at + 1]]
  if (!(sorting instanceof OrderGlobalStep) || !(limit instanceof RangeGlobalStep)) return
  const { key } = sorting
  const isPlain = source.conditions.every(({ predicate }) => predicate instanceof P || predicate instanceof ConnectiveP)
  if (key === undefined || !isPlain) return
  source.order = key
  sorting.source = source
  const { sequential, writes } = needsOf(root, compiler)
  if (sequential || writes) holdAfterLimits(root, at + 1)
}

/**
 * order() is a barrier: later steps write when it has read all elements. With a sorted index it passes elements on while it reads. A
 * barrier after the limits then holds them, so that the search does not see the changes of the traversal.
 */
const holdAfterLimits = (root: Traversal, at: number): void => {
  let following = at
  while (root.steps[following] instanceof RangeGlobalStep) following++
  root.insert(following, new BarrierStep(null))
}
