import { BigMap } from "../../../structure/containers/BigMap.ts"
import type { Ref } from "../../../structure/elements/Element.ts"
import type { Id } from "../format/Ids.ts"
import type { EdgeLabel } from "../schema/Schema.ts"
import type { Group } from "./Row.ts"

/** Capacity after the first edge. Before it nothing is allocated: most transactions read no edge. */
const INITIAL_EDGES = 64
/** A full chunk has 2^CHUNK_BITS edges. */
const CHUNK_BITS = 14
const CHUNK_EDGES = 1 << CHUNK_BITS
const CHUNK_MASK = CHUNK_EDGES - 1
const noNumbers: Float64Array<ArrayBuffer> = new Float64Array(0)
const noOffsets: Int32Array<ArrayBuffer> = new Int32Array(0)

/** The value of an empty slot of the hash table. */
const EMPTY = 0
/** Slots of the former hash table that one insertion moves: all are moved long before the table grows again. */
const MOVED_SLOTS = 16

/** Estimated bytes of an edge: its place in the table, and its decoded numbers in its group. */
const EDGE_BYTES = 100
/** Estimated bytes of a group that an edge keeps, besides its cells. */
const GROUP_BYTES = 400

/** Some edges that follow each other. The arrays of the first chunk grow with it. */
class EdgeChunk {
  relations = noNumbers
  outs = noNumbers
  ins = noNumbers
  offsets = noOffsets
  readonly types: Array<EdgeLabel> = []
  /** The group with the cell of each edge; null for an edge that the transaction made. */
  readonly groups: Array<Group | null> = []

  constructor(size: number) {
    this.resize(size)
  }

  resize(size: number): void {
    this.relations = resized(this.relations, size)
    this.outs = resized(this.outs, size)
    this.ins = resized(this.ins, size)
    const offsets = new Int32Array(size)
    offsets.set(this.offsets)
    this.offsets = offsets
  }
}

const resized = (from: Float64Array, size: number): Float64Array<ArrayBuffer> => {
  const to = new Float64Array(size)
  to.set(from)
  return to
}

/**
 * The edges that a transaction has read or made. The ref of an edge is its index in this table. The table grows in steps that are
 * short even for millions of edges.
 */
export class EdgeTable {
  length = 0
  readonly #chunks: Array<EdgeChunk> = []
  /** The edges whose ids do not fit a plain number; undefined while there are none. */
  #large: BigMap<bigint, Ref> | undefined
  /** Hash table of the other edges by id, with linear probing: a slot is a ref + 1, or EMPTY. */
  #slots = noOffsets
  /** The hash table before it grew, until all its slots were moved. */
  #former = noOffsets
  #moved = 0
  #groups = 0
  #cellBytes = 0
  #lastGroup: Group | null = null
  /** The groups that are counted here and that another table has counted first. Such groups are cached, so they are not very many. */
  #sharedGroups: Set<Group> | undefined

  /** Estimated bytes of the table, without the cells that it keeps in memory. */
  get heldBytes(): number {
    return this.length * EDGE_BYTES + this.#groups * GROUP_BYTES
  }

  /** Bytes of the cells that the edges keep in memory. Their rows may keep the same cells. */
  get cellBytes(): number {
    return this.#cellBytes
  }

  #chunk(edge: Ref): EdgeChunk {
    return this.#chunks[edge >>> CHUNK_BITS]!
  }

  /** The relation id of an edge. Throws for an unknown ref. */
  relation(edge: Ref): Id {
    const relation = edge >= 0 && edge < this.length ? this.#chunk(edge).relations[edge & CHUNK_MASK]! : -1
    if (relation >= 0) return relation
    for (const [id, ref] of this.#large ?? []) if (ref === edge) return id
    throw new Error(`The transaction has no edge with the number ${edge}`)
  }

  out(edge: Ref): Ref {
    return this.#chunk(edge).outs[edge & CHUNK_MASK]!
  }

  in(edge: Ref): Ref {
    return this.#chunk(edge).ins[edge & CHUNK_MASK]!
  }

  type(edge: Ref): EdgeLabel {
    return this.#chunk(edge).types[edge & CHUNK_MASK]!
  }

  /** The group that has the cell of the edge at {@link offset}; null for an edge that the transaction made. */
  group(edge: Ref): Group | null {
    return this.#chunk(edge).groups[edge & CHUNK_MASK]!
  }

  offset(edge: Ref): number {
    return this.#chunk(edge).offsets[edge & CHUNK_MASK]!
  }

  /** The ref of the edge with this relation id, or -1. */
  find(relation: Id): Ref {
    if (typeof relation === "bigint") return this.#large?.get(relation) ?? -1
    if (this.length === 0) return -1
    const found = this.#findIn(this.#slots, relation)
    return found === -1 && this.#former.length > 0 ? this.#findIn(this.#former, relation) : found
  }

  #findIn(slots: Int32Array, relation: number): Ref {
    const mask = slots.length - 1
    for (let slot = hash(relation) & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot]!
      if (entry === EMPTY) return -1
      const edge = entry - 1
      if (this.#chunk(edge).relations[edge & CHUNK_MASK] === relation) return edge
    }
  }

  /** Returns the ref of an edge, and adds the edge when it is new. The same relation id always has the same ref. */
  intern(relation: Id, type: EdgeLabel, out: Ref, into: Ref, group: Group | null, offset: number): Ref {
    const known = this.find(relation)
    if (known !== -1) return known
    const edge = this.length++
    const place = edge & CHUNK_MASK
    const chunk = this.#withRoom(edge, place)
    chunk.outs[place] = out
    chunk.ins[place] = into
    chunk.offsets[place] = offset
    chunk.types.push(type)
    chunk.groups.push(group)
    if (group !== this.#lastGroup && group !== null) {
      this.#lastGroup = group
      if (!this.#isCounted(group, edge)) {
        this.#groups++
        this.#cellBytes += group.end - group.start
      }
    }
    if (typeof relation === "bigint") {
      chunk.relations[place] = -1
      this.#large ??= new BigMap()
      this.#large.set(relation, edge)
    } else {
      chunk.relations[place] = relation
      this.#insert(relation, edge)
    }
    return edge
  }

  /** Whether an edge before this new one has the group. */
  #isCounted(group: Group, edge: Ref): boolean {
    const { countedFor } = group
    if (countedFor === -1) {
      group.countedFor = edge
      return false
    }
    if (countedFor < edge && this.group(countedFor) === group) return true
    this.#sharedGroups ??= new Set()
    if (this.#sharedGroups.has(group)) return true
    this.#sharedGroups.add(group)
    return false
  }

  /** The chunk for a new edge. */
  #withRoom(edge: Ref, place: number): EdgeChunk {
    if (edge * 2 >= this.#slots.length) this.#growSlots()
    if (this.#former.length > 0) this.#moveSlots()
    let chunk = this.#chunks[edge >>> CHUNK_BITS]
    if (chunk === undefined) {
      chunk = new EdgeChunk(edge === 0 ? INITIAL_EDGES : CHUNK_EDGES)
      this.#chunks.push(chunk)
    } else if (place >= chunk.outs.length) chunk.resize(chunk.outs.length * 2)
    return chunk
  }

  #insert(relation: number, edge: Ref): void {
    const mask = this.#slots.length - 1
    let slot = hash(relation) & mask
    while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & mask
    this.#slots[slot] = edge + 1
  }

  #growSlots(): void {
    this.#former = this.#slots
    this.#moved = 0
    this.#slots = new Int32Array(Math.max(INITIAL_EDGES, this.#former.length) * 2)
  }

  /** Moves some slots of the former hash table. */
  #moveSlots(): void {
    const end = Math.min(this.#former.length, this.#moved + MOVED_SLOTS)
    for (; this.#moved < end; this.#moved++) {
      const edge = this.#former[this.#moved]! - 1
      if (edge >= 0) this.#insert(this.#chunk(edge).relations[edge & CHUNK_MASK]!, edge)
    }
    if (end === this.#former.length) this.#former = noOffsets
  }
}

const hash = (relation: number): number => {
  const low = Math.imul(relation | 0, 0x9e3779b1)
  return (low ^ Math.imul(Math.floor(relation / 0x100000000) | 0, 0x85ebca6b) ^ (low >>> 15)) >>> 1
}
