import type { LabelSet } from "../../structure/GraphStore.ts"
import { headersOf, type TypeHeaders } from "./Headers.ts"
import type { EdgeLabel, Schema } from "./schema/Schema.ts"

export interface LabelHeaders extends TypeHeaders {
  readonly type: EdgeLabel
}

/** Edge labels of a query, with what their cells begin with; labels that the snapshot's schema does not have have no cells. */
export class CellLabelSet implements LabelSet {
  readonly labels: readonly string[]
  readonly names: ReadonlySet<string>
  readonly #reading: { readonly schema: Schema }
  #resolvedFor: Schema | undefined
  #known: ReadonlyArray<LabelHeaders> = []

  constructor(labels: readonly string[], reading: { readonly schema: Schema }) {
    this.labels = labels
    this.names = new Set(labels)
    this.#reading = reading
  }

  /** Resolved again when the schema was fetched meanwhile. */
  get known(): ReadonlyArray<LabelHeaders> {
    const { schema } = this.#reading
    if (this.#resolvedFor === schema) return this.#known
    const known: Array<LabelHeaders> = []
    for (const name of this.names) {
      const type = schema.labels.get(name)
      if (type !== undefined) known.push({ type, ...headersOf(type) })
    }
    this.#known = known
    this.#resolvedFor = schema
    return known
  }
}
