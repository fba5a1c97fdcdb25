import { isAmong } from "../../../structure/collections/Membership.ts"
import { type PropertyReader, Values } from "../../../structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../../structure/graph/GraphStore.ts"
import { type Batch, VALUE, VERTEX } from "../../plan/Batch.ts"

/**
 * Property values of the vertices or edges of one batch, read by ref: no element or property object is created. Valid
 * until the step has finished the batch.
 */
export class PropertyValues {
  readonly #transaction: GraphTransaction
  readonly #isVertices: boolean
  readonly #readers = new Map<string, PropertyReader>()

  private constructor(transaction: GraphTransaction, isVertices: boolean) {
    this.#transaction = transaction
    this.#isVertices = isVertices
  }

  /** Undefined for a batch of values, because they may be elements of another transaction. */
  static of(batch: Batch, transaction: GraphTransaction): PropertyValues | undefined {
    return batch.kind === VALUE ? undefined : new PropertyValues(transaction, batch.kind === VERTEX)
  }

  /** The requested keys (null: all) that have a value, in the order of the element. */
  keys(ref: number, wanted: readonly string[] | null): readonly string[] {
    if (wanted?.length === 1) return wanted
    if (wanted !== null && this.#transaction.answersLater) return this.#fetchedKeys(ref, wanted)
    const keys = this.#isVertices ? this.#transaction.vertexKeys(ref) : this.#transaction.edgeKeys(ref)
    return wanted === null ? keys : keys.filter(isAmong(wanted))
  }

  /** For partial reads: the store fetched only the requested properties and cannot list all keys. */
  #fetchedKeys(ref: number, wanted: readonly string[]): readonly string[] {
    const properties = this.#isVertices
      ? this.#transaction.vertexProperties(ref, wanted)
      : this.#transaction.edgeProperties(ref, wanted)
    return [...new Set(properties.map(({ key }) => key))]
  }

  /** Undefined if the element has no such property; {@link Values} if it has several. */
  value(ref: number, key: string): unknown {
    let reader = this.#readers.get(key)
    if (reader === undefined) {
      reader = this.#isVertices ? this.#transaction.vertexReader(key) : this.#transaction.edgeReader(key)
      this.#readers.set(key, reader)
    }
    return reader.value(ref)
  }

  /** All values of a key as a list; empty if there are none. */
  values(ref: number, key: string): readonly unknown[] {
    const value = this.value(ref, key)
    if (value === undefined) return []
    return value instanceof Values ? value.values : [value]
  }
}
