import { MapEntry } from "../../../structure/collections/Collections.ts"
import { Edge, Vertex, VertexProperty } from "../../../structure/elements/Element.ts"
import { currentProperties } from "../../../structure/graph/CurrentProperties.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, VALUE } from "../../plan/Batch.ts"
import { Step } from "../../plan/Step.ts"
import { flattening } from "../../plan/StepTraits.ts"
import { keyed, readsOf } from "./By.ts"

const traits = flattening({ results: "many", keepsObject: false, children: "none" })

/**
 * by('key') as the first step of a child, for strategies that filter what by() reads. It emits the properties of an element with
 * the key. Of a map or a tree it emits the entry, whose value is null if it is missing, as by('key') does. The step value() after
 * it takes the values of both.
 */
export class ByKeyStep extends Step {
  readonly operator = "properties"
  readonly name = "PropertiesStep"
  readonly traits = traits
  readonly #key: string

  constructor(key: string) {
    super()
    this.#key = key
  }

  override reads(batch: Batch): readonly Reads[] {
    return readsOf(batch, [this.#key])
  }

  override run(batch: Batch, activation: Activation): undefined {
    const rows: Array<number> = []
    const found: Array<unknown> = []
    for (let row = 0; row < batch.length; row++) {
      const value = batch.value(row, activation.transaction)
      for (const property of this.#of(value)) {
        rows.push(row)
        found.push(property)
      }
    }
    activation.emitData(this, batch, rows, VALUE, found, found.length)
  }

  #of(value: unknown): ReadonlyArray<unknown> {
    return value instanceof Vertex || value instanceof Edge || value instanceof VertexProperty
      ? currentProperties(value, [this.#key])
      : [new MapEntry(this.#key, keyed(value, this.#key))]
  }

  override describe(): string {
    return `[${this.#key}],property`
  }
}
