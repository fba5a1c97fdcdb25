import type { IndexCondition, LabelSet } from "../../../structure/GraphReads.ts"
import { type Columns, copiesFor } from "../indexes/RelationRanges.ts"
import type { EdgeLabel, Schema } from "../schema/Schema.ts"
import { headersOf, type TypeHeaders } from "./Headers.ts"

interface LabelHeaders extends TypeHeaders {
  readonly type: EdgeLabel
  /**
   * The copies of a vertex-centric index that cover the conditions, in the row of the out-vertex and of the in-vertex.
   */
  readonly outCopies: Columns | undefined
  readonly inCopies: Columns | undefined
}

/** The edge labels of a query, with the headers of their cells. Labels that the schema does not have are left out. */
export class CellLabelSet implements LabelSet {
  readonly labels: readonly string[]
  readonly names: ReadonlySet<string>
  readonly #reading: { readonly schema: Schema }
  readonly #conditions: ReadonlyArray<IndexCondition>
  #resolvedFor: Schema | undefined
  #known: ReadonlyArray<LabelHeaders> = []

  constructor(
    labels: readonly string[],
    reading: { readonly schema: Schema },
    conditions: ReadonlyArray<IndexCondition> = []
  ) {
    this.#conditions = conditions
    this.labels = labels
    this.names = new Set(labels)
    this.#reading = reading
  }

  /** The labels that the schema has. They are resolved again after the schema was replaced by a fetched one. */
  get known(): ReadonlyArray<LabelHeaders> {
    const { schema } = this.#reading
    if (this.#resolvedFor === schema) return this.#known
    const known: Array<LabelHeaders> = []
    for (const name of this.names) {
      const type = schema.labels.get(name)
      if (type === undefined) continue
      const outCopies = copiesFor(schema, type, "OUT", this.#conditions)
      const inCopies = copiesFor(schema, type, "IN", this.#conditions)
      known.push({ type, ...headersOf(type), outCopies, inCopies })
    }
    this.#known = known
    this.#resolvedFor = schema
    return known
  }
}
