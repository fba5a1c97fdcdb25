import type { Ref } from "../../structure/elements/Element.ts"
import type { Cursor, DirectionName, EdgeRequest } from "../../structure/graph/GraphReads.ts"
import type { Adjacency } from "./Adjacency.ts"
import { SEGMENT_BITS, SEGMENT_MASK } from "./Arena.ts"
import { grow, IN, labelAt, OUT, offsetOf, partOf, passedAt, stop, WHOLE_GROUP_EDGES, wants } from "./EdgeOffset.ts"
import type { GraphData } from "./GraphData.ts"
import type { MemoryLabelSet } from "./Labels.ts"
import { OwnEdges, ownIndex } from "./Overlay.ts"
import { expandPlain } from "./PlainExpansion.ts"
import type { TableView } from "./TableView.ts"

/** Edges that {@link AdjacencyView.degree} counts at a time. */
const COUNTED_EDGES = 4096

/** The edges around vertices as one transaction sees them. */
export class AdjacencyView {
  readonly #data: GraphData
  readonly #edges: TableView
  #own: OwnEdges | null = null
  /** The cursors of reads that have stopped inside a vertex; null before the first. Their places need the blocks as they are. */
  #inside: Set<Cursor> | null = null

  constructor(data: GraphData, edges: TableView) {
    this.#data = data
    this.#edges = edges
  }

  /** The transaction's new edges, which it may add to. */
  open(): OwnEdges {
    this.#own ??= new OwnEdges(this.#edges.open(), this.#edges.table.labels, this.#edges.journal)
    return this.#own
  }

  /** The transaction's new edges; null while there are none. */
  get own(): OwnEdges | null {
    return this.#own
  }

  outVertex(edge: Ref): Ref {
    return edge >= 0 ? this.#data.outVertices[edge]! : this.#own!.outVertex[ownIndex(edge)]!
  }

  inVertex(edge: Ref): Ref {
    return edge >= 0 ? this.#data.inVertices[edge]! : this.#own!.inVertex[ownIndex(edge)]!
  }

  /** The transaction has ended. */
  end(): void {
    this.#own = null
    if (this.#inside !== null && this.#inside.size > 0) this.#data.unpin()
    this.#inside = null
  }

  /** See `AdjacencyReads.expand`. */
  expand(request: EdgeRequest): boolean {
    const done = this.#expand(request)
    const { cursor } = request
    if (!done && cursor.offset !== 0) {
      this.#inside ??= new Set()
      if (this.#inside.size === 0) this.#data.pin()
      this.#inside.add(cursor)
    } else this.leave(cursor)
    return done
  }

  /** See `AdjacencyReads.leaves`. */
  leave(cursor: Cursor): void {
    if (this.#inside?.delete(cursor) === true && this.#inside.size === 0) this.#data.unpin()
  }

  #expand(request: EdgeRequest): boolean {
    if (this.#edges.isPlain) return expandPlain(this.#data, request)
    this.#edges.assertOpen()
    return this.#expandVersions(request)
  }

  /** Expands for an older snapshot, or with changes of the transaction: tests each edge of a vertex that commits have touched since. */
  #expandVersions(request: EdgeRequest): boolean {
    const { cursor, direction, length, limit, out } = request
    const first = direction === "IN" ? IN : OUT
    const last = direction === "OUT" ? OUT : IN
    for (let row = cursor.row; row < length; row++) {
      const resume = row === cursor.row ? cursor.offset : 0
      for (let part = Math.max(2 * first, partOf(resume)); part <= 2 * last + 1; part++) {
        const inside = part === partOf(resume) ? resume : 0
        const isFull =
          part % 2 === 1 ? this.#ownPart(request, row, part, inside) : this.#committedPart(request, row, part, inside)
        if (isFull) return false
      }
      if (out.length >= limit && row + 1 < length) return stop(request, out.length, row + 1, 0)
    }
    cursor.row = length
    cursor.offset = 0
    return true
  }

  /** Adds the committed edges of a row in one direction to the result. True if the limit stopped it within the row. */
  #committedPart(request: EdgeRequest, row: number, part: number, resume: number): boolean {
    const { limit, out, refs } = request
    const labels = request.labels as MemoryLabelSet | null
    const vertex = refs[row]!
    if (vertex < 0) return false
    const adjacency = part < 2 ? this.#data.out : this.#data.in
    const { groups } = adjacency
    let inside = resume
    let group = groups.first(vertex)
    do {
      const label = groups.label(group)
      const total = groups.length(group)
      let from = 0
      if (inside !== 0) from = labelAt(inside) === label ? passedAt(inside) : total
      if (inside !== 0 && labelAt(inside) === label) inside = 0
      if (from < total && wants(labels, label)) {
        from = this.#group(request, row, adjacency, group, from)
        if (from < total || out.length >= limit) return !stop(request, out.length, row, offsetOf(part, label, from))
      }
      group = groups.next(group)
    } while (group !== 0)
    return false
  }

  /** Adds the edges of a group that the transaction sees, from a position. Returns the position after the last one that was read. */
  #group(request: EdgeRequest, row: number, adjacency: Adjacency, group: number, from: number): number {
    const { edges, limit, out } = request
    const { table, snapshot, high, own } = this.#edges
    const removed = own?.removed
    const touched = this.#data.touched[request.refs[row]!]! > snapshot
    const address = adjacency.groups.address(group)
    const total = adjacency.groups.length(group)
    const segment = adjacency.arena.segments[address >>> SEGMENT_BITS]!
    const start = address & SEGMENT_MASK
    const most = Math.min(total - from, Math.max(limit - out.length, WHOLE_GROUP_EDGES))
    grow(out, out.length, out.length + most)
    const { rows } = out
    const refs = out.refs as Int32Array
    const full = out.length + most
    let count = out.length
    let passed = from
    for (; passed < total && count < full; passed++) {
      const at = start + 2 * passed
      const neighbour = segment[at]!
      const edge = segment[at + 1]!
      if (touched ? edge === -1 || !table.existsAt(edge, snapshot, high) : neighbour < 0) continue
      if (removed?.has(edge)) continue
      refs[count] = edges ? edge : neighbour < 0 ? ~neighbour : neighbour
      rows[count++] = row
    }
    out.length = count
    return passed
  }

  /** Adds the new edges of the transaction at a row in one direction. True if the limit stopped it within the row. */
  #ownPart(request: EdgeRequest, row: number, part: number, resume: number): boolean {
    const { edges, limit, out } = request
    const labels = request.labels as MemoryLabelSet | null
    const own = this.#own
    const groups = own?.at(request.refs[row]!, part < 2)
    if (own === null || groups === undefined) return false
    const others = part < 2 ? own.inVertex : own.outVertex
    let inside = resume
    for (let group = 0; group < groups.labels.length; group++) {
      const label = groups.labels[group]!
      let passed = 0
      if (inside !== 0) {
        if (labelAt(inside) !== label) continue
        passed = passedAt(inside)
        inside = 0
      }
      if (!wants(labels, label)) continue
      const list = groups.edges[group]!
      const most = Math.min(list.length - passed, Math.max(limit - out.length, WHOLE_GROUP_EDGES))
      grow(out, out.length, out.length + most)
      const refs = out.refs as Int32Array
      const full = out.length + most
      for (; passed < list.length && out.length < full; passed++) {
        const edge = list[passed]!
        if (this.#edges.own!.isRemoved(edge)) continue
        refs[out.length] = edges ? edge : others[ownIndex(edge)]!
        out.rows[out.length++] = row
      }
      if (passed < list.length || (out.length >= limit && passed > 0)) {
        return !stop(request, out.length, row, offsetOf(part, label, passed))
      }
    }
    return false
  }

  /** Number of edges at a vertex; null labels = every label. */
  degree(vertex: Ref, direction: DirectionName, labels: MemoryLabelSet | null): number {
    if (this.#edges.isPlain) {
      let degree = direction === "IN" ? 0 : plainDegree(this.#data.out, vertex, labels)
      if (direction !== "OUT") degree += plainDegree(this.#data.in, vertex, labels)
      return degree
    }
    const request: EdgeRequest = {
      edges: true,
      refs: Int32Array.of(vertex),
      length: 1,
      direction,
      labels,
      cursor: { row: 0, offset: 0 },
      limit: COUNTED_EDGES,
      out: { rows: new Int32Array(WHOLE_GROUP_EDGES), refs: new Int32Array(WHOLE_GROUP_EDGES), length: 0 }
    }
    for (let degree = 0; ; request.out.length = 0) {
      const done = this.#expand(request)
      degree += request.out.length
      if (done) return degree
    }
  }
}

const plainDegree = (adjacency: Adjacency, vertex: number, labels: MemoryLabelSet | null): number => {
  if (vertex < 0) return 0
  const { groups, hasDeleted } = adjacency
  let degree = 0
  let group = groups.first(vertex)
  do {
    if (wants(labels, groups.label(group))) {
      degree += groups.length(group)
      if (hasDeleted) degree -= adjacency.deletedIn(group)
    }
    group = groups.next(group)
  } while (group !== 0)
  return degree
}
