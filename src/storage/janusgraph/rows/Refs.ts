import type { Ref } from "../../../structure/Element.ts"
import type { Id, VertexId } from "../format/Ids.ts"
import type { EdgeLabel } from "../schema/Schema.ts"
import type { Group } from "./Row.ts"

/** Refs of vertices: the id itself where it is a plain number, otherwise -2, -3, ... by the order they came. */
export class VertexRefs {
  readonly #ids: Array<VertexId> = []
  readonly #refs = new Map<VertexId, Ref>()

  of(id: VertexId): Ref {
    if (typeof id === "number") return id
    let ref = this.#refs.get(id)
    if (ref === undefined) {
      ref = -2 - this.#ids.length
      this.#ids.push(id)
      this.#refs.set(id, ref)
    }
    return ref
  }

  id(ref: Ref): VertexId {
    if (ref >= 0) return ref
    const id = this.#ids[-2 - ref]
    if (id === undefined) throw new Error(`The transaction has no vertex with the number ${ref}`)
    return id
  }
}

const EMPTY = 0
/** Places for edges, when there are any: most transactions meet none, and arrays of numbers are dear to make. */
const SMALLEST = 64
const noNumbers: Float64Array<ArrayBuffer> = new Float64Array(0)
const noOffsets: Int32Array<ArrayBuffer> = new Int32Array(0)

/** The edges that a transaction met or made: its refs of edges are places in here. About 60 bytes an edge. */
export class EdgeTable {
  length = 0
  #relations = noNumbers
  #outs = noNumbers
  #ins = noNumbers
  #offsets = noOffsets
  readonly #types: Array<EdgeLabel> = []
  /** Where the cell of each lies; null for one that the transaction made. */
  readonly #groups: Array<Group | null> = []
  readonly #large = new Map<bigint, Ref>()
  #cells = noOffsets

  relation(edge: Ref): Id {
    const relation = this.#relations[edge]!
    if (relation >= 0) return relation
    for (const [id, ref] of this.#large) if (ref === edge) return id
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

  group(edge: Ref): Group | null {
    return this.#groups[edge]!
  }

  offset(edge: Ref): number {
    return this.#offsets[edge]!
  }

  /** The ref of a relation's id, or -1. */
  find(relation: Id): Ref {
    if (typeof relation === "bigint") return this.#large.get(relation) ?? -1
    if (this.length === 0) return -1
    const mask = this.#cells.length - 1
    for (let cell = hash(relation) & mask; ; cell = (cell + 1) & mask) {
      const entry = this.#cells[cell]!
      if (entry === EMPTY) return -1
      if (this.#relations[entry - 1] === relation) return entry - 1
    }
  }

  /** The ref of an edge; the same for the same relation, wherever it was met. */
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
      this.#large.set(relation, edge)
    } else {
      this.#relations[edge] = relation
      this.#insert(relation, edge)
    }
    return edge
  }

  #insert(relation: number, edge: Ref): void {
    const mask = this.#cells.length - 1
    let cell = hash(relation) & mask
    while (this.#cells[cell] !== EMPTY) cell = (cell + 1) & mask
    this.#cells[cell] = edge + 1
  }

  #grow(): void {
    const size = Math.max(SMALLEST, this.#outs.length * 2)
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
    this.#cells = new Int32Array(size * 2)
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
