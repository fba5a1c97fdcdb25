import type { Id, VertexId } from "../format/Ids.ts"

/** Edges of one label at one end, in the order of their cells. Never changed. */
export class Adjacency {
  /** Ids of the vertices at the other end; a negative one is the complement of a place in {@link foreign}. */
  readonly others: Array<number> = []
  /** Ids of the edges; a negative one is the complement of a place in {@link foreign}. */
  readonly relations: Array<number> = []
  /** Where each cell begins. */
  readonly offsets: Array<number> = []
  /** Ids that are texts or too large for a number. */
  foreign: Array<VertexId> | null = null

  other(at: number): VertexId {
    const id = this.others[at]!
    return id >= 0 ? id : this.foreign![~id]!
  }

  relation(at: number): Id {
    const id = this.relations[at]!
    return id >= 0 ? id : (this.foreign![~id] as Id)
  }

  kept(id: VertexId): number {
    if (typeof id === "number") return id
    this.foreign ??= []
    this.foreign.push(id)
    return -this.foreign.length
  }
}
