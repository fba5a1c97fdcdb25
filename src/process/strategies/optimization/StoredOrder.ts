import { T } from "../../../structure/Enums.ts"
import { ConnectiveP, P } from "../../language/Predicate.ts"
import type { Traversal } from "../../plan/Traversal.ts"
import { HasStep } from "../../steps/filter/HasStep.ts"
import { RangeGlobalStep } from "../../steps/filter/RangeStep.ts"
import { GraphStep } from "../../steps/flatmap/GraphStep.ts"
import { CountStep } from "../../steps/map/CountStep.ts"
import { GroupCountStep } from "../../steps/map/GroupCountStep.ts"
import { OrderGlobalStep } from "../../steps/map/OrderStep.ts"
import type { Strategy } from "../Strategy.ts"

/**
 * What a store keeps in numbers and in order is not worked out again: V().hasLabel(x).count() and V().groupCount().by(label)
 * ask its counters, V().order().by(key).limit(n) reads the begin of an index. Where the store has neither, the elements are
 * looked at as before.
 */
export const storedOrder: Strategy = {
  name: "StoredOrderStrategy",
  kind: "optimization",
  apply: (root) => {
    const [first] = root.steps
    if (!(first instanceof GraphStep) || first.ids.length > 0 || first.labels.length > 0) return
    count(root, first)
    order(root, first)
  }
}

const count = (root: Traversal, source: GraphStep): void => {
  const filters = filtersBehind(root)
  const reducing = root.steps[1 + filters.length]
  const conditions = filters.flatMap((filter) => filter.conditions)
  if (filters.some(({ labels }) => labels.length > 0) || conditions.length > 1 || !conditions.every(isLabel)) return
  if (reducing instanceof CountStep) source.counted = "all"
  else if (reducing instanceof GroupCountStep && reducing.isByLabel) {
    source.counted = "labels"
    reducing.countLabels()
  } else return
  for (const filter of filters) root.remove(filter)
}

const filtersBehind = ({ steps }: Traversal): ReadonlyArray<HasStep> => {
  const filters: Array<HasStep> = []
  for (let at = 1, step = steps[at]; step instanceof HasStep; step = steps[++at]) filters.push(step)
  return filters
}

/** A label, or one of some: what a scan for labels answers. */
const isLabel = ({ key, predicate }: HasStep["conditions"][number]): boolean =>
  key === T.label && predicate instanceof P && (predicate.operator === "eq" || predicate.operator === "within")

const order = (root: Traversal, source: GraphStep): void => {
  const at = 1 + filtersBehind(root).length
  const [sorting, limit] = [root.steps[at], root.steps[at + 1]]
  if (!(sorting instanceof OrderGlobalStep) || !(limit instanceof RangeGlobalStep)) return
  const { key } = sorting
  const isPlain = source.conditions.every(({ predicate }) => predicate instanceof P || predicate instanceof ConnectiveP)
  if (key === undefined || !isPlain) return
  source.order = key
  sorting.source = source
}
