import { type ElementSource, type Ref, Vertex, VertexProperty } from "../../../structure/elements/Element.ts"
import type { Id } from "../format/Ids.ts"
import { propertyIdText } from "../format/RelationIds.ts"
import { visible, visibleMeta } from "../rows/VisibleValues.ts"
import type { PropertyKey } from "../schema/Schema.ts"
import type { TransactionView } from "./TransactionView.ts"

/** The id of a vertex property as clients see it. `relation`: its id in the store. */
export const propertyId = ({ vertexRefs }: TransactionView, ref: Ref, key: PropertyKey, relation: Id): string =>
  propertyIdText(relation, vertexRefs.id(ref), key.id)

/** What a vertex property needs of its entry. */
interface Stored {
  readonly id: unknown
  readonly value: unknown
  readonly meta: ReadonlyMap<string, unknown> | null
}

/** A vertex property as clients see it. `source`: the transaction. */
export const propertyHandle = (
  source: ElementSource,
  reading: TransactionView,
  ref: Ref,
  key: PropertyKey,
  { id, meta, value }: Stored
): VertexProperty =>
  new VertexProperty(
    new Vertex(source, ref),
    propertyId(reading, ref, key, id as Id),
    key.name,
    visible(value),
    visibleMeta(meta)
  )
