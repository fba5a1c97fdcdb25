import { type Element, isElement, VertexProperty } from "../../structure/Element.ts"
import type { GraphTransaction } from "../../structure/GraphStore.ts"

/** Methods of elements that only read and create no collection, with their number of arguments. */
const reads: ReadonlyMap<string, number> = new Map([
  ["id", 0],
  ["label", 0],
  ["value", 1]
])

/** True for a read of an element whose store answers at once. */
export const isQuickRead = (value: unknown, name: string, argCount: number): boolean =>
  isElement(value) && reads.get(name) === argCount && !answersLater(value)

/** True if the data of an element may have to be fetched. */
const answersLater = (element: Element): boolean => {
  const owner = element instanceof VertexProperty ? element.vertex : element
  return owner !== null && (owner.source as Partial<GraphTransaction>).answersLater === true
}
