import type { Ref } from "../../../structure/elements/Element.ts"
import { canonicalId, type Id, type VertexId } from "../format/Ids.ts"
import { isPartitionedId } from "../format/PartitionedVertices.ts"
import type { EdgeLabel } from "../schema/Schema.ts"
import type { Group } from "./Row.ts"

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

/** The value of an empty slot of the hash table. */
const EMPTY = 0
/** Capacity after the first edge. Before it nothing is allocated: most transactions read no edge. */
const INITIAL_EDGES = 64
const noNumbers: Float64Array<ArrayBuffer> = new Float64Array(0)
const noOffsets: Int32Array<ArrayBuffer> = new Int32Array(0)

/**
 * The edges that a transaction has read or made. The ref of an edge is its index in this table. About 60 bytes an edge.
 */
export class EdgeTable {
  length = 0
  #relations = noNumbers
  #outs = noNumbers
  #ins = noNumbers
  #offsets = noOffsets
  readonly #types: Array<EdgeLabel> = []
  /** The group with the cell of each edge; null for an edge that the transaction made. */
  readonly #groups: Array<Group | null> = []
  /** The edges whose ids do not fit a plain number; undefined while there are none. */
  #large: Map<bigint, Ref> | undefined
  /** Hash table of the other edges by id, with linear probing: a slot is a ref + 1, or EMPTY. */
  #slots = noOffsets

  /** The relation id of an edge. Throws for an unknown ref. */
  relation(edge: Ref): Id {
    const relation = this.#relations[edge]!
    if (relation >= 0) return relation
    for (const [id, ref] of this.#large ?? []) if (ref === edge) return id
    throw new Error(`The transaction has no edge with the number ${edge}`)
  }

  out(edge: Ref): Ref {
    return this.#outs[edge]!
  }

  in(edge: Ref): Ref {
    return this.#ins[edge]!
  }

  type(edge: Ref): EdgeLabel {
    return this.#types[edge]!
  }

  /** The group that has the cell of the edge at {@link offset}; null for an edge that the transaction made. */
  group(edge: Ref): Group | null {
    return this.#groups[edge]!
  }

  offset(edge: Ref): number {
    return this.#offsets[edge]!
  }

  /** The ref of the edge with this relation id, or -1. */
  find(relation: Id): Ref {
    if (typeof relation === "bigint") return this.#large?.get(relation) ?? -1
    if (this.length === 0) return -1
    const mask = this.#slots.length - 1
    for (let slot = hash(relation) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot]!
      if (entry === EMPTY) return -1
      if (this.#relations[entry - 1] === relation) return entry - 1
    }
  }

  /** Returns the ref of an edge, and adds the edge when it is new. The same relation id always has the same ref. */
  intern(relation: Id, type: EdgeLabel, out: Ref, into: Ref, group: Group | null, offset: number): Ref {
    const known = this.find(relation)
    if (known !== -1) return known
    const edge = this.length++
    if (edge >= this.#outs.length) this.#grow()
    this.#outs[edge] = out
    this.#ins[edge] = into
    this.#offsets[edge] = offset
    this.#types.push(type)
    this.#groups.push(group)
    if (typeof relation === "bigint") {
      this.#relations[edge] = -1
      this.#large ??= new Map()
      this.#large.set(relation, edge)
    } else {
      this.#relations[edge] = relation
      this.#insert(relation, edge)
    }
    return edge
  }

  #insert(relation: number, edge: Ref): void {
    const mask = this.#slots.length - 1
    let slot = hash(relation) & mask
    while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & mask
    this.#slots[slot] = edge + 1
  }

  #grow(): void {
    const size = Math.max(INITIAL_EDGES, this.#outs.length * 2)
    const copy = (from: Float64Array): Float64Array<ArrayBuffer> => {
      const to = new Float64Array(size)
      to.set(from)
      return to
    }
    this.#relations = copy(this.#relations)
    this.#outs = copy(this.#outs)
    this.#ins = copy(this.#ins)
    const offsets = new Int32Array(size)
    offsets.set(this.#offsets)
    this.#offsets = offsets
    this.#slots = new Int32Array(size * 2)
    for (let edge = 0; edge < this.#groups.length; edge++) {
      const relation = this.#relations[edge]!
      if (relation >= 0) this.#insert(relation, edge)
    }
  }
}

const hash = (relation: number): number => {
  const low = Math.imul(relation | 0, 0x9e3779b1)
  return (low ^ Math.imul(Math.floor(relation / 0x100000000) | 0, 0x85ebca6b) ^ (low >>> 15)) >>> 1
}
