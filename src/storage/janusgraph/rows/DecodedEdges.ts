import type { Id, VertexId } from "../format/Ids.ts"
import { isPartitionedId } from "../format/PartitionedVertices.ts"

/** The decoded edges of a group of cells, in the order of the cells. Immutable once decoded. */
export class Adjacency {
  /**
   * Ids of the vertices at the other ends. A negative number is the bitwise complement of an index in {@link foreign}.
   */
  readonly others: Array<number> = []
  /** Ids of the edges; negative as in {@link others}. */
  readonly relations: Array<number> = []
  /** Where the cell of each edge begins in the bytes of the group. */
  readonly offsets: Array<number> = []
  /** Ids that are text, do not fit a plain number, or belong to partitioned vertices. */
  foreign: Array<VertexId> | null = null

  /** The id of the vertex at the other end of the edge with this index. */
  other(at: number): VertexId {
    const id = this.others[at]!
    return id >= 0 ? id : this.foreign![~id]!
  }

  /** The id of the edge with this index. */
  relation(at: number): Id {
    const id = this.relations[at]!
    return id >= 0 ? id : (this.foreign![~id] as Id)
  }

  /** Stores the id of a vertex and returns the number by which {@link others} refers to it. */
  keptVertex(id: VertexId): number {
    return typeof id === "number" && !isPartitionedId(id) ? id : this.#keptForeign(id)
  }

  /** Stores the id of an edge and returns the number by which {@link relations} refers to it. */
  keptRelation(id: Id): number {
    return typeof id === "number" ? id : this.#keptForeign(id)
  }

  #keptForeign(id: VertexId): number {
    this.foreign ??= []
    this.foreign.push(id)
    return -this.foreign.length
  }
}
