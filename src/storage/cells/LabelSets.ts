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
  readonly known: ReadonlyArray<LabelHeaders>
  /** The same labels under the same text. */
  readonly text: string

  constructor(labels: readonly string[], schema: Schema) {
    this.labels = labels
    this.names = new Set(labels)
    const known: Array<LabelHeaders> = []
    for (const name of this.names) {
      const type = schema.labels.get(name)
      if (type !== undefined) known.push({ type, ...headersOf(type) })
    }
    this.known = known
    this.text = [...this.names].join("\0")
  }
}
