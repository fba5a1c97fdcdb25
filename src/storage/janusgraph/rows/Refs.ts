import type { Ref } from "../../../structure/elements/Element.ts"
import { canonicalId, type VertexId } from "../format/Ids.ts"
import { isPartitionedId } from "../format/PartitionedVertices.ts"

/** Estimated bytes of an id that is not a plain number. */
const ID_BYTES = 150

/**
 * The refs of vertices in a transaction. A plain numeric id is its own ref; other ids get -2, -3, ... in order of use. All
 * representatives of a partitioned vertex have the ref of the canonical one.
 */
export class VertexRefs {
  readonly #ids: Array<VertexId> = []
  /** Undefined until there is an id that is not a plain number. */
  #refs: Map<VertexId, Ref> | undefined
  readonly #partitionBits: number

  constructor(partitionBits: number) {
    this.#partitionBits = partitionBits
  }

  /** Estimated bytes of the ids that are kept. */
  get heldBytes(): number {
    return this.#ids.length * ID_BYTES
  }

  /** The id by which clients know a vertex: that of the canonical representative of a partitioned vertex. */
  canonical(id: VertexId): VertexId {
    return isPartitionedId(id) ? canonicalId(id, this.#partitionBits) : id
  }

  /** The ref of a vertex id. The same id always has the same ref. */
  of(given: VertexId): Ref {
    const id = this.canonical(given)
    if (typeof id === "number") return id
    this.#refs ??= new Map()
    let ref = this.#refs.get(id)
    if (ref === undefined) {
      ref = -2 - this.#ids.length
      this.#ids.push(id)
      this.#refs.set(id, ref)
    }
    return ref
  }

  /** The vertex id of a ref. Throws for an unknown ref. */
  id(ref: Ref): VertexId {
    if (ref >= 0) return ref
    const id = this.#ids[-2 - ref]
    if (id === undefined) throw new Error(`The transaction has no vertex with the number ${ref}`)
    return id
  }
}
