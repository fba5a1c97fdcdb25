import type { IndexCondition, LabelSet } from "../../../structure/graph/GraphReads.ts"
import { type Copies, copiesFor } from "../indexes/RelationRanges.ts"
import type { EdgeLabel, Schema } from "../schema/Schema.ts"
import type { Overlay } from "../transaction/Overlay.ts"
import { headersOf, type TypeHeaders } from "./Headers.ts"

interface LabelHeaders extends TypeHeaders {
  readonly type: EdgeLabel
  /**
   * The copies of a vertex-centric index that cover the conditions, in the row of the out-vertex and of the in-vertex.
   */
  readonly outCopies: Copies | undefined
  readonly inCopies: Copies | undefined
}

/** The part of a transaction that a set of labels uses. */
interface LabelSource {
  readonly schema: Schema
  /** The changes of the transaction; null while there are none. */
  readonly own: Pick<Overlay, "edgeChanges"> | null
}

/** The edge labels of a query, with the headers of their cells. Labels that the schema does not have are left out. */
export class CellLabelSet implements LabelSet {
  readonly labels: readonly string[]
  readonly names: ReadonlySet<string>
  readonly #reading: LabelSource
  readonly #conditions: ReadonlyArray<IndexCondition>
  #resolvedFor: Schema | undefined
  #resolvedWithCopies = false
  #known: ReadonlyArray<LabelHeaders> = []

  constructor(labels: readonly string[], reading: LabelSource, conditions: ReadonlyArray<IndexCondition> = []) {
    this.#conditions = conditions
    this.labels = labels
    this.names = new Set(labels)
    this.#reading = reading
  }

  /**
   * The labels that the schema has. They are resolved again after a newer schema was fetched. After the transaction has changed
   * properties of edges, no copies are used, because copies have the values before the change.
   */
  get known(): ReadonlyArray<LabelHeaders> {
    const { own, schema } = this.#reading
    const usesCopies = this.#conditions.length > 0 && (own === null || own.edgeChanges.size === 0)
    if (this.#resolvedFor === schema && this.#resolvedWithCopies === usesCopies) return this.#known
    const conditions = usesCopies ? this.#conditions : []
    const known: Array<LabelHeaders> = []
    for (const name of this.names) {
      const type = schema.labels.get(name)
      if (type === undefined) continue
      const outCopies = copiesFor(schema, type, "OUT", conditions)
      const inCopies = copiesFor(schema, type, "IN", conditions)
      known.push({ type, ...headersOf(type), outCopies, inCopies })
    }
    this.#known = known
    this.#resolvedFor = schema
    this.#resolvedWithCopies = usesCopies
    return known
  }
}
