import type { Ref } from "../../../structure/Element.ts"
import type { Cursor, DirectionName, Expansion } from "../../../structure/GraphStore.ts"
import type { Id } from "../format/Ids.ts"
import { prefixes } from "../format/RelationTypes.ts"
import { adjacencyOf, eachOther } from "../rows/Adjacency.ts"
import type { Adjacency } from "../rows/DecodedEdges.ts"
import { EDGES_END, EDGES_START } from "../rows/Headers.ts"
import type { CellLabelSet } from "../rows/LabelSets.ts"
import type { EdgeTable, VertexRefs } from "../rows/Refs.ts"
import { type Group, groupsOf, type VertexRow } from "../rows/Row.ts"
import type { RowSource } from "../rows/RowSource.ts"
import type { EdgeLabel, Schema } from "../schema/Schema.ts"
import { after, lastColumn } from "../schema/SchemaRead.ts"
import type { Overlay, OwnVertex } from "./Overlay.ts"

/** A group of edges with at most so many is given out whole, whatever the limit. */
const WHOLE = 256

/** Parts of a vertex's edges: committed and own ones, out and then in. A place is the part and the edges passed in it. */
const PART = 2 ** 48

/** Where an expansion stopped inside a row that is read piece by piece. */
interface Place {
  readonly part: number
  readonly offset: number
  readonly row: number
  readonly pieces: Pieces
}

/** What the reader of edges needs of its transaction. */
export interface EdgeReading {
  readonly rows: RowSource
  readonly schema: Schema
  readonly vertexRefs: VertexRefs
  readonly edges: EdgeTable
  /** Whether the edge whose cell begins at a place has outlived its time; absent where nobody asks. */
  hasEdgeEnded?(group: Group, at: number): boolean
  /** Null while nothing was changed. */
  readonly own: Overlay | null
}

/** The edges around vertices as one transaction sees them. */
export class Expander {
  readonly #reading: EdgeReading
  /** Made when it is needed: most vertices are given out in one piece. */
  #places: WeakMap<Cursor, Place> | undefined

  constructor(reading: EdgeReading) {
    this.#reading = reading
  }

  /** See GraphTransaction.adjacentVertices; `edges` = give the edges instead. */
  expand(
    edges: boolean,
    refs: ArrayLike<Ref>,
    length: number,
    direction: DirectionName,
    labels: CellLabelSet | null,
    cursor: Cursor,
    limit: number,
    out: Expansion
  ): boolean {
    for (let row = cursor.row; row < length; row++) {
      const offset = row === cursor.row ? cursor.offset : 0
      const stopped = this.#vertex(edges, refs[row]!, row, direction, labels, offset, cursor, limit, out)
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

  /** 0 when the vertex is done, otherwise the place where it stopped. */
  #vertex(
    edges: boolean,
    ref: Ref,
    row: number,
    direction: DirectionName,
    labels: CellLabelSet | null,
    offset: number,
    cursor: Cursor,
    limit: number,
    out: Expansion
  ): number {
    const own = this.#reading.own?.vertices.get(ref)
    const first = direction === "IN" ? 2 : 0
    const last = direction === "OUT" ? 1 : 3
    for (let part = Math.max(first, Math.floor(offset / PART)); part <= last; part++) {
      const passed = part === Math.floor(offset / PART) ? offset % PART : 0
      let stopped = -1
      if (part % 2 === 1) {
        if (own !== undefined) stopped = this.#ownPart(edges, own, part === 3, row, labels, passed, limit, out)
      } else if (own === undefined || !own.isNew) {
        stopped = this.#committed(edges, ref, part, row, labels, passed, cursor, limit, out)
      }
      // A place is never 0: what stopped has passed something.
      if (stopped !== -1) return part * PART + stopped
    }
    return 0
  }

  /** -1 when all was given, otherwise how many edges of this part were passed. */
  #committed(
    edges: boolean,
    ref: Ref,
    part: number,
    row: number,
    labels: CellLabelSet | null,
    passed: number,
    cursor: Cursor,
    limit: number,
    out: Expansion
  ): number {
    const { rows, vertexRefs } = this.#reading
    const isIn = part === 2
    const place = passed === 0 ? undefined : this.#places?.get(cursor)
    const resumed = place !== undefined && place.row === row && place.part === part && place.offset === passed
    const pieces = resumed ? place.pieces : new Pieces(rows, rows.row(vertexRefs.id(ref)), isIn, labels)
    for (let group = pieces.current(); group !== null; group = pieces.next()) {
      const from = Math.max(0, passed - pieces.passed)
      if (from >= group.count) continue
      const take = Math.min(group.count - from, Math.max(limit - out.length, WHOLE))
      this.#give(edges, group, ref, isIn, row, from, from + take, out)
      if (from + take < group.count || out.length >= limit) {
        const offset = pieces.passed + from + take
        if (pieces.isLast && from + take === group.count) return -1
        this.#places ??= new WeakMap()
        this.#places.set(cursor, { part, offset, row, pieces })
        return offset
      }
    }
    return -1
  }

  #give(
    edges: boolean,
    group: Group,
    ref: Ref,
    isIn: boolean,
    row: number,
    from: number,
    to: number,
    out: Expansion
  ): void {
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
    let count = out.length
    const { others } = adjacency
    // Edges keep their ends when their label has a time to live no more.
    const mortal = schema.expires !== undefined
    for (let i = from; i < to; i++) {
      if (mortal && this.#reading.hasEdgeEnded?.(group, adjacency.offsets[i]!)) continue
      if (removed?.has(adjacency.relation(i))) continue
      if (edges) refs[count] = this.#edge(adjacency, i, group, schema.baseOf(type) as EdgeLabel, ref, isIn)
      else refs[count] = others[i]! >= 0 ? others[i]! : vertexRefs.of(adjacency.other(i))
      rows[count++] = row
    }
    out.length = count
  }

  #edge(adjacency: Adjacency, at: number, group: Group, type: EdgeLabel, ref: Ref, isIn: boolean): Ref {
    const { edges, vertexRefs } = this.#reading
    const other = vertexRefs.of(adjacency.other(at))
    const relation: Id = adjacency.relation(at)
    return edges.intern(relation, type, isIn ? other : ref, isIn ? ref : other, group, adjacency.offsets[at]!)
  }

  #ownPart(
    edges: boolean,
    own: OwnVertex,
    isIn: boolean,
    row: number,
    labels: CellLabelSet | null,
    passed: number,
    limit: number,
    out: Expansion
  ): number {
    const list = isIn ? own.in : own.out
    const table = this.#reading.edges
    const { removedEdges } = this.#reading.own!
    let at = passed
    grow(out, out.length + Math.min(list.length - at, Math.max(limit - out.length, WHOLE)))
    const { rows, refs } = out
    const full = Math.min(rows.length, refs.length, Math.max(limit, out.length + WHOLE))
    for (; at < list.length && out.length < full; at++) {
      const edge = list[at]!
      if (removedEdges.has(edge) || !(labels === null || labels.names.has(table.type(edge).name))) continue
      refs[out.length] = edges ? edge : isIn ? table.out(edge) : table.in(edge)
      rows[out.length++] = row
    }
    return at < list.length ? at : -1
  }

  degree(ref: Ref, direction: DirectionName, labels: CellLabelSet | null): number {
    const cursor = { row: 0, offset: 0 }
    const out: Expansion = { rows: new Int32Array(WHOLE), refs: new Float64Array(WHOLE), length: 0 }
    for (let degree = 0; ; out.length = 0) {
      const done = this.expand(false, [ref], 1, direction, labels, cursor, 4096, out)
      degree += out.length
      if (done) return degree
    }
  }
}

/** Room for so many rows. */
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

/**
 * The groups of edges of a vertex in one direction, one after the other. Groups that are not here are read a piece at a
 * time and not kept, so that a vertex with a million edges takes no more memory than one with few.
 */
export class Pieces {
  readonly #rows: RowSource
  readonly #row: VertexRow
  readonly #isIn: boolean
  readonly #labels: CellLabelSet | null
  /** Groups that are here; then labels, or everything, is read. */
  #ready: ReadonlyArray<Group>
  #at = 0
  #chained: Group | null = null
  /** Place of the next label to be read; -1 when every label is. */
  #label = 0
  #from: Uint8Array | undefined
  #end: Uint8Array = EDGES_END
  /** Edges in the groups before the current one. */
  passed = 0

  constructor(rows: RowSource, row: VertexRow, isIn: boolean, labels: CellLabelSet | null) {
    this.#rows = rows
    this.#row = row
    this.#isIn = isIn
    this.#labels = labels
    if (labels === null) {
      const here = row.complete || row.edgesHere
      this.#ready = here ? row.groups.filter((group) => group.prefix === prefixes.edge && group.isIn === isIn) : []
      this.#from = here ? undefined : EDGES_START
    } else {
      this.#ready = []
      this.#advanceLabel()
    }
  }

  /** The current group, null at the end. */
  current(): Group | null {
    while (this.#at >= this.#ready.length) if (!this.#read()) return null
    return this.#chained ?? this.#ready[this.#at]!
  }

  next(): Group | null {
    const group = this.#chained ?? this.#ready[this.#at]!
    this.passed += group.count
    this.#chained = group.next
    if (this.#chained === null) this.#at++
    return this.current()
  }

  /** True when nothing follows the current group. */
  get isLast(): boolean {
    const group = this.#chained ?? this.#ready[this.#at]!
    const more = group.next !== null || this.#at + 1 < this.#ready.length || this.#from !== undefined
    return !more && (this.#labels === null || this.#label >= this.#labels.known.length)
  }

  /** Makes more groups ready; false when there are none. */
  #read(): boolean {
    if (this.#from !== undefined) {
      this.#readPiece()
      return true
    }
    if (this.#labels === null || this.#label >= this.#labels.known.length) return false
    this.#advanceLabel()
    return true
  }

  /** Goes to the next label: its group, when it is here, or the begin of its cells. */
  #advanceLabel(): void {
    const headers = this.#labels!.known[this.#label++]
    this.#at = 0
    this.#ready = []
    if (headers === undefined) return
    const header = this.#isIn ? headers.in : headers.out
    if (this.#row.knows(header)) {
      const group = this.#row.find(header.key)
      if (group !== undefined) this.#ready = [group]
      return
    }
    const copies = this.#isIn ? headers.inCopies : headers.outCopies
    if (copies !== undefined) {
      this.#from = copies.start
      this.#end = copies.end
      this.#readPiece()
      return
    }
    const page = this.#rows.piece(this.#row.id, header.bytes, header.end)
    if (!page.more) {
      this.#row.addGroup(header, [page.cells])
      const group = this.#row.find(header.key)
      if (group !== undefined) this.#ready = [group]
      return
    }
    this.#ready = groupsOf(page.cells)
    this.#from = after(lastColumn(page.cells))
    this.#end = header.end
  }

  #readPiece(): void {
    const page = this.#rows.piece(this.#row.id, this.#from!, this.#end)
    this.#at = 0
    this.#ready = groupsOf(page.cells).filter(({ isIn }) => isIn === this.#isIn)
    this.#from = page.more ? after(lastColumn(page.cells)) : undefined
  }
}
