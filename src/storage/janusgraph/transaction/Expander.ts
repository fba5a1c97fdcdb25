import type { Ref } from "../../../structure/elements/Element.ts"
import type { Cursor, DirectionName, EdgeRequest, Expansion } from "../../../structure/graph/GraphReads.ts"
import { adjacencyOf, eachOther } from "../rows/Adjacency.ts"
import type { Adjacency } from "../rows/DecodedEdges.ts"
import type { EdgeTable } from "../rows/EdgeTable.ts"
import type { CellLabelSet } from "../rows/LabelSets.ts"
import type { VertexRefs } from "../rows/Refs.ts"
import type { Group } from "../rows/Row.ts"
import type { RowSource } from "../rows/RowSource.ts"
import type { EdgeLabel, Schema } from "../schema/Schema.ts"
import { EdgeGroups } from "./EdgeGroups.ts"
import type { Overlay, OwnVertex } from "./Overlay.ts"

/** The limit of a call may be exceeded to return this many edges of one group: a group is decoded as a whole anyway. */
const MIN_EDGES_OF_GROUP = 256

/** Rows that {@link Expander.degree} counts in one call. */
const DEGREE_ROWS = 4096

/**
 * The edges of a vertex have four parts: committed out-edges, own out-edges, committed in-edges, own in-edges. The
 * offset of a cursor is the number of the part times this factor, plus the number of edges of the part that were
 * passed.
 */
const PART = 2 ** 48

/** The iterator of an expansion that stopped inside a vertex, with the position at which it stopped. */
interface Place {
  readonly part: number
  readonly offset: number
  readonly row: number
  readonly groups: EdgeGroups
}

/** What an expansion reads of its transaction. */
export interface EdgeSource {
  readonly rows: RowSource
  readonly schema: Schema
  readonly vertexRefs: VertexRefs
  readonly edges: EdgeTable
  /**
   * True when the time to live of the edge whose cell begins at `at` has passed. Absent: such edges are returned too.
   */
  hasEdgeExpired?(group: Group, at: number): boolean
  /** The changes of the transaction; null while there are none. */
  readonly own: Overlay | null
}

/** Reads the edges of vertices as one transaction sees them. */
export class Expander {
  readonly #reading: EdgeSource
  /** Created on demand: most vertices are read in one call. */
  #places: WeakMap<Cursor, Place> | undefined

  constructor(reading: EdgeSource) {
    this.#reading = reading
  }

  /** See GraphTransaction.adjacentVertices and incidentEdges. False when the call stopped before the end. */
  expand(request: EdgeRequest): boolean {
    const { cursor, length, limit, out } = request
    for (let row = cursor.row; row < length; row++) {
      const offset = row === cursor.row ? cursor.offset : 0
      const stopped = this.#vertex(request, row, offset)
      if (stopped !== 0) {
        cursor.row = row
        cursor.offset = stopped
        return false
      }
      if (out.length >= limit && row + 1 < length) {
        cursor.row = row + 1
        cursor.offset = 0
        return false
      }
    }
    cursor.row = length
    cursor.offset = 0
    return true
  }

  /** Returns 0 at the end of the vertex, otherwise the offset at which the call stopped. */
  #vertex(request: EdgeRequest, row: number, offset: number): number {
    const { direction } = request
    const own = this.#reading.own?.vertices.get(request.refs[row]!)
    const first = direction === "IN" ? 2 : 0
    const last = direction === "OUT" ? 1 : 3
    for (let part = Math.max(first, Math.floor(offset / PART)); part <= last; part++) {
      const passed = part === Math.floor(offset / PART) ? offset % PART : 0
      let stopped = -1
      if (part % 2 === 1) {
        if (own !== undefined) stopped = this.#ownEdges(request, own, row, part === 3, passed)
      } else if (own === undefined || !own.isNew) {
        stopped = this.#committedEdges(request, row, part, passed)
      }
      // The offset is never 0: a call that stops has passed at least one edge.
      if (stopped !== -1) return part * PART + stopped
    }
    return 0
  }

  /** Returns -1 at the end of the part, otherwise the number of its edges that were passed. */
  #committedEdges(request: EdgeRequest, row: number, part: number, passed: number): number {
    const { cursor, limit, out } = request
    const { rows, vertexRefs } = this.#reading
    const place = passed === 0 ? undefined : this.#places?.get(cursor)
    const resumed = place !== undefined && place.row === row && place.part === part && place.offset === passed
    const groups = resumed
      ? place.groups
      : new EdgeGroups(
          rows,
          rows.row(vertexRefs.id(request.refs[row]!)),
          part === 2,
          request.labels as CellLabelSet | null
        )
    for (let group = groups.current(); group !== null; group = groups.next()) {
      const from = Math.max(0, passed - groups.passed)
      if (from >= group.count) continue
      const take = Math.min(group.count - from, Math.max(limit - out.length, MIN_EDGES_OF_GROUP))
      this.#give(request, group, row, from, from + take)
      if (from + take < group.count || out.length >= limit) {
        const offset = groups.passed + from + take
        if (groups.isLast && from + take === group.count) return -1
        this.#places ??= new WeakMap()
        this.#places.set(cursor, { part, offset, row, groups })
        return offset
      }
    }
    return -1
  }

  /** Appends the edges `from` to `to` of a group, without those that were removed or have expired. */
  #give({ edges, refs: vertices, out }: EdgeRequest, group: Group, row: number, from: number, to: number): void {
    const { schema, vertexRefs, own } = this.#reading
    const type = schema.type(group.typeId) as EdgeLabel | undefined
    if (type === undefined) return
    grow(out, out.length + to - from)
    const { rows, refs } = out
    const removed = own !== null && own.removedRelations.size > 0 ? own.removedRelations : null
    if (!edges && !group.wasRead && to - from === group.count && removed === null && schema.expires === undefined) {
      group.wasRead = true
      eachOther(group, type, (id) => {
        refs[out.length] = vertexRefs.of(id)
        rows[out.length++] = row
      })
      return
    }
    const adjacency = adjacencyOf(group, type)
    const ref = vertices[row]!
    let count = out.length
    const { others } = adjacency
    // An edge keeps its end of life even after the label's TTL was removed.
    const canExpire = schema.expires !== undefined
    for (let i = from; i < to; i++) {
      if (canExpire && this.#reading.hasEdgeExpired?.(group, adjacency.offsets[i]!)) continue
      if (removed?.has(adjacency.relation(i))) continue
      if (edges) refs[count] = this.#edge(adjacency, i, group, schema.baseOf(type) as EdgeLabel, ref)
      else refs[count] = others[i]! >= 0 ? others[i]! : vertexRefs.of(adjacency.other(i))
      rows[count++] = row
    }
    out.length = count
  }

  #edge(adjacency: Adjacency, at: number, group: Group, type: EdgeLabel, ref: Ref): Ref {
    const { edges, vertexRefs } = this.#reading
    const { isIn } = group
    const other = vertexRefs.of(adjacency.other(at))
    const relation = adjacency.relation(at)
    return edges.intern(relation, type, isIn ? other : ref, isIn ? ref : other, group, adjacency.offsets[at]!)
  }

  /** The edges that the transaction made. Returns what {@link #committedEdges} returns. */
  #ownEdges(request: EdgeRequest, own: OwnVertex, row: number, isIn: boolean, passed: number): number {
    const { edges, limit, out } = request
    const labels = request.labels as CellLabelSet | null
    const list = isIn ? own.in : own.out
    const table = this.#reading.edges
    const { removedEdges } = this.#reading.own!
    let at = passed
    grow(out, out.length + Math.min(list.length - at, Math.max(limit - out.length, MIN_EDGES_OF_GROUP)))
    const { rows, refs } = out
    const full = Math.min(rows.length, refs.length, Math.max(limit, out.length + MIN_EDGES_OF_GROUP))
    for (; at < list.length && out.length < full; at++) {
      const edge = list[at]!
      if (removedEdges.has(edge) || !(labels === null || labels.names.has(table.type(edge).name))) continue
      refs[out.length] = edges ? edge : isIn ? table.out(edge) : table.in(edge)
      rows[out.length++] = row
    }
    return at < list.length ? at : -1
  }

  /** The number of edges of a vertex; a loop counts twice in the direction BOTH. */
  degree(ref: Ref, direction: DirectionName, labels: CellLabelSet | null): number {
    const request = edgesOfVertex(ref, direction, labels, DEGREE_ROWS)
    const { out } = request
    for (let degree = 0; ; out.length = 0) {
      const done = this.expand(request)
      degree += out.length
      if (done) return degree
    }
  }
}

/** A request for the vertices at the other ends of one vertex's edges, with its own output, `limit` of them in a call. */
export const edgesOfVertex = (
  ref: Ref,
  direction: DirectionName,
  labels: CellLabelSet | null,
  limit: number
): EdgeRequest => ({
  edges: false,
  refs: Float64Array.of(ref),
  length: 1,
  direction,
  labels,
  cursor: { row: 0, offset: 0 },
  limit,
  out: {
    rows: new Int32Array(MIN_EDGES_OF_GROUP),
    refs: new Float64Array(MIN_EDGES_OF_GROUP),
    length: 0
  }
})

/** Makes room for this many rows in all. */
const grow = (out: Expansion, needed: number): void => {
  if (needed <= out.rows.length && needed <= out.refs.length) return
  const size = Math.max(needed, 2 * out.rows.length)
  const rows = new Int32Array(size)
  rows.set(out.rows.subarray(0, out.length))
  const refs = new Float64Array(size)
  refs.set(out.refs.subarray(0, out.length))
  out.rows = rows
  out.refs = refs
}
