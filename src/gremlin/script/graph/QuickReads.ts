import {
  type Element,
  type ElementSource,
  isElement,
  type Vertex,
  VertexProperty
} from "../../../structure/elements/Element.ts"
import { type PropertyReader, Values } from "../../../structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../../structure/graph/GraphStore.ts"

/** Methods of elements that only read and create no collection, with their number of arguments. */
const reads: ReadonlyMap<string, number> = new Map([
  ["id", 0],
  ["label", 0],
  ["value", 1]
])

/** The number of arguments with which a method only reads an element and creates no collection; -1 for another method. */
export const readCount = (name: string): number => reads.get(name) ?? -1

/** True for an element whose store answers at once. */
export const isAtHand = (value: unknown): boolean => isElement(value) && !answersLater(value)

/** Reads properties of vertices. It remembers the reader of the last key, because a loop reads one key of many vertices. */
export class QuickReads {
  #source: ElementSource | undefined
  #key = ""
  #reader: PropertyReader | undefined

  /**
   * The value of a property of a vertex; undefined without one, and for several values. Reads the store directly, because
   * `properties()` makes an object for each property.
   */
  value({ ref, source }: Vertex, key: string): unknown {
    if (this.#source !== source || this.#key !== key) {
      const { vertexReader } = source as Partial<GraphTransaction>
      this.#reader = vertexReader === undefined ? undefined : (source as GraphTransaction).vertexReader(key)
      this.#source = source
      this.#key = key
    }
    const value = this.#reader?.value(ref)
    return value instanceof Values ? undefined : value
  }
}

/** True if the data of an element may have to be fetched, or are of an earlier transaction. */
const answersLater = (element: Element): boolean => {
  const owner = element instanceof VertexProperty ? element.vertex : element
  if (owner === null) return false
  const { answersLater, isPast } = owner.source as Partial<GraphTransaction>
  return answersLater === true || isPast === true
}
