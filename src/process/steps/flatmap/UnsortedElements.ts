import type { IndexQuery, RefColumn } from "../../../structure/graph/GraphReads.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { HasContainer } from "../../predicates/HasContainer.ts"

/** What V() and E() search. */
interface Search {
  readonly element: "vertex" | "edge"
  readonly conditions: ReadonlyArray<HasContainer>
  readonly order: IndexQuery["order"]
}

/**
 * True if elements without the sort key may follow those that a sorted index gave, which has none of them: the graph keeps them, and no
 * condition needs the key.
 */
export const hasUnsorted = ({ conditions, element, order }: Search, { transaction }: Activation): boolean =>
  order !== undefined &&
  !conditions.some(({ key }) => key === order.key) &&
  transaction.keepsUnsorted?.(element, [order.key]) === true

/** Keeps only the elements without the sort key. */
export const keepUnsorted = (
  found: { readonly refs: RefColumn; length: number },
  { element, order }: Search,
  { transaction }: Activation
): void => {
  const { key } = order!
  const reader = element === "vertex" ? transaction.vertexReader(key) : transaction.edgeReader(key)
  const { refs } = found
  let length = 0
  for (let i = 0; i < found.length; i++) if (reader.value(refs[i]!) === undefined) refs[length++] = refs[i]!
  found.length = length
}
