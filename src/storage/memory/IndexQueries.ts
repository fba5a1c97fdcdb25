import type { IndexChoice, IndexCondition, IndexQuery, RefScan } from "../../structure/graph/GraphReads.ts"
import { answerable, type HashIndex, indexKey } from "./HashIndex.ts"
import { MemoryLabelSet } from "./Labels.ts"
import { IndexScan } from "./Scans.ts"
import type { TableView } from "./TableView.ts"

/** How an index of this store answers a query. */
export class MemoryIndexChoice implements IndexChoice {
  readonly name: string
  readonly covered: readonly number[]
  readonly coversLabels = true
  readonly index: HashIndex
  readonly keys: readonly unknown[]

  constructor(name: string, covered: readonly number[], index: HashIndex, keys: readonly unknown[]) {
    this.name = name
    this.covered = covered
    this.index = index
    this.keys = keys
  }
}

/** The index with the fewest candidates among those that can answer one of the conditions. */
export const chooseIndex = (view: TableView, query: IndexQuery): MemoryIndexChoice | undefined => {
  const { indexes, kind } = view.table
  if (indexes.size === 0) return undefined
  let best: MemoryIndexChoice | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (let at = 0; at < query.conditions.length; at++) {
    const condition = query.conditions[at]!
    const index = indexes.get(condition.key)
    if (index === undefined || !index.ready || index.since > view.snapshot) continue
    const values = valuesOf(condition)
    if (values === undefined) continue
    const keys = values.length === 1 ? [indexKey(values[0])] : [...new Set(values.map(indexKey))]
    let size = 0
    for (const key of keys) size += index.size(key)
    if (size >= fewest) continue
    fewest = size
    const exact = values.every((value) => answerable(value) === "yes")
    best = new MemoryIndexChoice(`${kind}:${condition.key}`, exact ? [at] : [], index, keys)
  }
  return best
}

/** The values that a hash index is searched for; undefined when it cannot answer the condition. */
const valuesOf = (condition: IndexCondition): readonly unknown[] | undefined => {
  const values =
    condition.operator === "eq"
      ? [condition.value]
      : condition.operator === "within" && Array.isArray(condition.value)
        ? (condition.value as readonly unknown[])
        : undefined
  return values?.every((value) => answerable(value) !== "no") ? values : undefined
}

/** Runs a query with the index that {@link chooseIndex} chose. */
export const searchIndex = (view: TableView, query: IndexQuery, choice: MemoryIndexChoice): RefScan =>
  new IndexScan(
    view,
    choice.index,
    choice.keys,
    query.labels === null ? null : new MemoryLabelSet(query.labels, view.table.labels)
  )
