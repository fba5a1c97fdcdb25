import { BigMap } from "../../../structure/containers/BigMap.ts"
import type { Ref } from "../../../structure/elements/Element.ts"
import { canonicalId, type VertexId } from "../format/Ids.ts"
import { isPartitionedId } from "../format/PartitionedVertices.ts"

/** Estimated bytes of an id that is not a plain number. */
const ID_BYTES = 150
/** A full chunk has 2^CHUNK_BITS ids. One array of millions of ids would move all of them when it grows. */
const CHUNK_BITS = 14
const CHUNK_MASK = (1 << CHUNK_BITS) - 1

/**
 * The refs of vertices in a transaction. A plain numeric id is its own ref; other ids get -2, -3, ... in order of use. All
 * representatives of a partitioned vertex have the ref of the canonical one.
 */
export class VertexRefs {
  /** The ids in chunks, numbered from {@link #first} on. */
  #ids: Array<Array<VertexId>> = []
  /** The number of the first id, and of the next one. */
  #first = 0
  #next = 0
  /** Undefined until there is an id that is not a plain number. */
  #refs: BigMap<VertexId, Ref> | undefined
  readonly #partitionBits: number

  constructor(partitionBits: number) {
    this.#partitionBits = partitionBits
  }

  /** Estimated bytes of the ids that are kept. */
  get heldBytes(): number {
    return (this.#refs?.size ?? 0) * ID_BYTES
  }

  /** The id by which clients know a vertex: that of the canonical representative of a partitioned vertex. */
  canonical(id: VertexId): VertexId {
    return isPartitionedId(id) ? canonicalId(id, this.#partitionBits) : id
  }

  /** The ref of a vertex id. The same id has the same ref until {@link forget}. */
  of(given: VertexId): Ref {
    const id = this.canonical(given)
    if (typeof id === "number") return id
    this.#refs ??= new BigMap()
    const known = this.#refs.get(id)
    if (known !== undefined) return known
    const number = this.#next++
    if (((number - this.#first) & CHUNK_MASK) === 0) this.#ids.push([])
    this.#ids.at(-1)!.push(id)
    this.#refs.set(id, -2 - number)
    return -2 - number
  }

  /** Forgets all ids. Their refs are not given again, so that a later use is an error. */
  forget(): void {
    if (this.#refs === undefined) return
    this.#ids = []
    this.#first = this.#next
    this.#refs = undefined
  }

  /** The vertex id of a ref. Throws for an unknown ref. */
  id(ref: Ref): VertexId {
    if (ref >= 0) return ref
    const at = -2 - ref - this.#first
    const id = this.#ids[at >> CHUNK_BITS]?.[at & CHUNK_MASK]
    if (id === undefined) throw new Error(`The transaction has no vertex with the number ${ref}`)
    return id
  }
}
