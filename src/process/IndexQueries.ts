import { T } from "../structure/Enums.ts"
import type { IndexCondition, IndexQuery } from "../structure/GraphStore.ts"
import type { HasContainer } from "./HasContainer.ts"
import { resolve } from "./Operand.ts"
import { P } from "./Predicate.ts"
import type { TraversalRun } from "./TraversalRun.ts"

const indexed: ReadonlySet<string> = new Set([
  "eq",
  "within",
  "lt",
  "lte",
  "gt",
  "gte",
  "between",
  "inside",
  "startingWith"
])

/** What an index may answer of some has() conditions: labels and comparisons with plain values. */
export const indexQuery = (
  element: "vertex" | "edge",
  conditions: ReadonlyArray<HasContainer>,
  run: TraversalRun
): IndexQuery => {
  let labels: readonly string[] | null = null
  const found: Array<IndexCondition> = []
  for (const { key, predicate } of conditions) {
    if (!(predicate instanceof P) || !indexed.has(predicate.operator)) continue
    const value = resolve(predicate.value, run)
    if (key === T.label) {
      const wanted =
        predicate.operator === "eq" ? [value] : predicate.operator === "within" ? (value as unknown[]) : null
      if (wanted !== null && labels === null) labels = wanted.filter((label) => typeof label === "string")
    } else if (typeof key === "string" && value !== null) {
      found.push({ key, operator: predicate.operator as IndexCondition["operator"], value })
    }
  }
  return { element, labels, conditions: found }
}
