import { type PropertyReader, Values } from "../../../structure/GraphReads.ts"
import type { GraphTransaction } from "../../../structure/GraphStore.ts"
import { type Batch, VALUE, VERTEX } from "../../plan/Batch.ts"

/**
 * Property values of the vertices or edges of one batch by their references: no object is made of an element or a property.
 * Valid while the batch is worked on.
 */
export class PropertyValues {
  readonly #transaction: GraphTransaction
  readonly #isVertices: boolean
  readonly #readers = new Map<string, PropertyReader>()

  private constructor(transaction: GraphTransaction, isVertices: boolean) {
    this.#transaction = transaction
    this.#isVertices = isVertices
  }

  /** Undefined for a batch of values, some of which may be elements of another transaction. */
  static of(batch: Batch, transaction: GraphTransaction): PropertyValues | undefined {
    return batch.kind === VALUE ? undefined : new PropertyValues(transaction, batch.kind === VERTEX)
  }

  /** Keys with a value, of those that are wanted (null: all), in the element's own order. */
  keys(ref: number, wanted: readonly string[] | null): readonly string[] {
    if (wanted?.length === 1) return wanted
    if (wanted !== null && this.#transaction.answersLater) return this.#fetchedKeys(ref, wanted)
    const keys = this.#isVertices ? this.#transaction.vertexKeys(ref) : this.#transaction.edgeKeys(ref)
    return wanted === null ? keys : keys.filter((key) => wanted.includes(key))
  }

  /** Only the properties that are wanted were asked for: the store cannot tell all keys. */
  #fetchedKeys(ref: number, wanted: readonly string[]): readonly string[] {
    const properties = this.#isVertices
      ? this.#transaction.vertexProperties(ref, wanted)
      : this.#transaction.edgeProperties(ref, wanted)
    return [...new Set(properties.map(({ key }) => key))]
  }

  /** Undefined where the element has no such property, {@link Values} where it has several. */
  value(ref: number, key: string): unknown {
    let reader = this.#readers.get(key)
    if (reader === undefined) {
      reader = this.#isVertices ? this.#transaction.vertexReader(key) : this.#transaction.edgeReader(key)
      this.#readers.set(key, reader)
    }
    return reader.value(ref)
  }

  /** Its values as a list, empty where it has none. */
  values(ref: number, key: string): readonly unknown[] {
    const value = this.value(ref, key)
    if (value === undefined) return []
    return value instanceof Values ? value.values : [value]
  }
}
