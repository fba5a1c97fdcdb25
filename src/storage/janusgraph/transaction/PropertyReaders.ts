import type { Ref } from "../../../structure/elements/Element.ts"
import { type PropertyReader, Values } from "../../../structure/graph/GraphReads.ts"
import { visible } from "../rows/VisibleValues.ts"
import type { TransactionView } from "./TransactionView.ts"

/** Reads the values of one key of vertices. All readers have one class, so that calls to them stay monomorphic. */
export class VertexPropertyReader implements PropertyReader {
  readonly #reading: TransactionView
  readonly #key: string

  constructor(reading: TransactionView, key: string) {
    this.#reading = reading
    this.#key = key
  }

  value(ref: Ref): unknown {
    const value = this.#reading.liveState(ref, this.#key)?.value
    return typeof value === "object" ? visibleValues(value) : value
  }
}

const visibleValues = (value: unknown): unknown =>
  value instanceof Values ? new Values(value.values.map(visible)) : visible(value)

/** Reads the values of one key of edges. */
export class EdgePropertyReader implements PropertyReader {
  readonly #reading: TransactionView
  readonly #key: string

  constructor(reading: TransactionView, key: string) {
    this.#reading = reading
    this.#key = key
  }

  value(ref: Ref): unknown {
    return visible(this.#reading.edgeValue(ref, this.#key))
  }
}
