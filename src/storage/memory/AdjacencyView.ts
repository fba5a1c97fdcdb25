import type { Ref } from "../../structure/Element.ts"
import type { Cursor, DirectionName, Expansion } from "../../structure/GraphStore.ts"
import { type Adjacency, GROUP, labelOf } from "./Adjacency.ts"
import { SEGMENT_BITS, SEGMENT_MASK } from "./Arena.ts"
import type { GraphData } from "./GraphData.ts"
import type { MemoryLabelSet } from "./Labels.ts"
import { OwnEdges, ownPlace } from "./Overlay.ts"
import type { TableView } from "./TableView.ts"

/** A group of a vertex with at most so many edges is given out whole, whatever the limit. */
const WHOLE = 256

const OUT = 0
const IN = 1

/**
 * A place inside the edges of one vertex as one number (53 bits): which part of them (2 bits: committed or own, out or
 * in), label (20 bits), edges of this label passed (31 bits; never 0, so that 0 is the beginning). The label and not
 * the group's position: a commit may put new groups between.
 */
const place = (part: number, label: number, passed: number): number => part * 2 ** 51 + label * 2 ** 31 + passed
const partOf = (offset: number): number => Math.floor(offset / 2 ** 51)
const labelAt = (offset: number): number => Math.floor(offset / 2 ** 31) % 2 ** 20
const passedAt = (offset: number): number => offset % 2 ** 31

/** The edges around vertices as one transaction sees them. */
export class AdjacencyView {
  readonly #data: GraphData
  readonly #edges: TableView
  #own: OwnEdges | null = null
  #holdsPlace = false

  constructor(data: GraphData, edges: TableView) {
    this.#data = data
    this.#edges = edges
  }

  /** New edges, from now on. */
  open(): OwnEdges {
    this.#own ??= new OwnEdges(this.#edges.open(), this.#edges.table.labels, this.#edges.journal)
    return this.#own
  }

  get own(): OwnEdges | null {
    return this.#own
  }

  outVertex(edge: Ref): Ref {
    return edge >= 0 ? this.#data.outVertices[edge]! : this.#own!.outVertex[ownPlace(edge)]!
  }

  inVertex(edge: Ref): Ref {
    return edge >= 0 ? this.#data.inVertices[edge]! : this.#own!.inVertex[ownPlace(edge)]!
  }

  end(): void {
    this.#own = null
    if (this.#holdsPlace) this.#data.unpin()
    this.#holdsPlace = false
  }

  /** See GraphTransaction.adjacentVertices; `edges` = give the edges instead. */
  expand(
    edges: boolean,
    refs: Int32Array,
    length: number,
    direction: DirectionName,
    labels: MemoryLabelSet | null,
    cursor: Cursor,
    limit: number,
    out: Expansion
  ): boolean {
    const done = this.#expand(edges, refs, length, direction, labels, cursor, limit, out)
    if (!done && cursor.offset !== 0 && !this.#holdsPlace) {
      this.#holdsPlace = true
      this.#data.pin()
    }
    return done
  }

  #expand(
    edges: boolean,
    refs: Int32Array,
    length: number,
    direction: DirectionName,
    labels: MemoryLabelSet | null,
    cursor: Cursor,
    limit: number,
    out: Expansion
  ): boolean {
    const first = direction === "IN" ? IN : OUT
    const last = direction === "OUT" ? OUT : IN
    if (this.#edges.isPlain) return this.#plain(edges, refs, length, first, last, labels, cursor, limit, out)
    this.#edges.assertOpen()
    return this.#carefully(edges, refs, length, first, last, labels, cursor, limit, out)
  }

  /** The newest state is what the transaction sees: one tight loop over the blocks. */
  #plain(
    edges: boolean,
    vertices: Int32Array,
    length: number,
    first: number,
    last: number,
    labels: MemoryLabelSet | null,
    cursor: Cursor,
    limit: number,
    out: Expansion
  ): boolean {
    const single = labels === null ? -1 : labels.single
    const marks = labels === null || single !== -1 ? undefined : labels.marks
    const every = labels === null
    let rows = out.rows
    let refs = out.refs as Int32Array
    let count = out.length
    let resume = cursor.offset
    for (let row = cursor.row; row < length; row++) {
      const vertex = vertices[row]!
      for (let part = first; part <= last && vertex >= 0; part++) {
        // Parts are counted as in #carefully, where the own edges of each direction come behind the committed ones.
        if (resume !== 0 && partOf(resume) > 2 * part) continue
        const adjacency = part === OUT ? this.#data.out : this.#data.in
        const segments = adjacency.arena.segments
        let records = adjacency.heads
        let base = vertex * GROUP
        for (;;) {
          const label = labelOf(records[base]!)
          const total = records[base + 2]!
          const next = records[base + 3]!
          let from = 0
          if (resume !== 0) {
            if (labelAt(resume) !== label && next !== 0) {
              records = adjacency.further
              base = next * GROUP
              continue
            }
            from = labelAt(resume) === label ? passedAt(resume) : total
            resume = 0
          }
          if (from < total && (every || label === single || marks?.[label] === 1)) {
            const left = limit - count
            const take = total - from <= WHOLE || total - from <= left ? total - from : Math.max(left, WHOLE)
            if (count + take > rows.length || count + take > refs.length) {
              grow(out, count, count + take)
              rows = out.rows
              refs = out.refs as Int32Array
            }
            const address = records[base + 1]!
            const segment = segments[address >>> SEGMENT_BITS]!
            let at = (address & SEGMENT_MASK) + 2 * from
            const end = at + 2 * take
            if (edges) {
              for (; at < end; at += 2) {
                if (segment[at]! < 0) continue
                refs[count] = segment[at + 1]!
                rows[count++] = row
              }
            } else {
              for (; at < end; at += 2) {
                const neighbour = segment[at]!
                if (neighbour < 0) continue
                refs[count] = neighbour
                rows[count++] = row
              }
            }
            from += take
          }
          if (from !== 0 && (from < total || (count >= limit && next !== 0))) {
            return stop(out, count, cursor, row, place(2 * part, label, from))
          }
          if (next === 0) break
          records = adjacency.further
          base = next * GROUP
        }
      }
      resume = 0
      if (count >= limit && row + 1 < length) return stop(out, count, cursor, row + 1, 0)
    }
    out.length = count
    cursor.row = length
    cursor.offset = 0
    return true
  }

  /** An older snapshot, or own changes: each edge is looked at where the vertex was touched. */
  #carefully(
    edges: boolean,
    vertices: Int32Array,
    length: number,
    first: number,
    last: number,
    labels: MemoryLabelSet | null,
    cursor: Cursor,
    limit: number,
    out: Expansion
  ): boolean {
    for (let row = cursor.row; row < length; row++) {
      const vertex = vertices[row]!
      const resume = row === cursor.row ? cursor.offset : 0
      for (let part = Math.max(2 * first, partOf(resume)); part <= 2 * last + 1; part++) {
        const inside = part === partOf(resume) ? resume : 0
        const full =
          part % 2 === 1
            ? this.#ownPart(edges, vertex, row, part, inside, labels, cursor, limit, out)
            : vertex >= 0 && this.#committedPart(edges, vertex, row, part, inside, labels, cursor, limit, out)
        if (full) return false
      }
      if (out.length >= limit && row + 1 < length) return stop(out, out.length, cursor, row + 1, 0)
    }
    cursor.row = length
    cursor.offset = 0
    return true
  }

  /** True when it stopped inside. */
  #committedPart(
    edges: boolean,
    vertex: number,
    row: number,
    part: number,
    resume: number,
    labels: MemoryLabelSet | null,
    cursor: Cursor,
    limit: number,
    out: Expansion
  ): boolean {
    const adjacency = part < 2 ? this.#data.out : this.#data.in
    let records = adjacency.heads
    let base = vertex * GROUP
    let inside = resume
    for (;;) {
      const label = labelOf(records[base]!)
      const total = records[base + 2]!
      let from = 0
      if (inside !== 0) from = labelAt(inside) === label ? passedAt(inside) : total
      if (inside !== 0 && labelAt(inside) === label) inside = 0
      if (from < total && wants(labels, label)) {
        from = this.#group(edges, vertex, row, adjacency, records[base + 1]!, from, total, limit, out)
        if (from < total || out.length >= limit) {
          return !stop(out, out.length, cursor, row, place(part, label, from))
        }
      }
      const next = records[base + 3]!
      if (next === 0) return false
      records = adjacency.further
      base = next * GROUP
    }
  }

  /** Appends what the transaction sees of a block from a place on; returns the place it came to. */
  #group(
    edges: boolean,
    vertex: number,
    row: number,
    adjacency: Adjacency,
    address: number,
    from: number,
    total: number,
    limit: number,
    out: Expansion
  ): number {
    const view = this.#edges
    const { table, snapshot, high } = view
    const removed = view.own?.removed
    const touched = this.#data.touched[vertex]! > snapshot
    const segment = adjacency.arena.segments[address >>> SEGMENT_BITS]!
    const start = address & SEGMENT_MASK
    const most = Math.min(total - from, Math.max(limit - out.length, WHOLE))
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

  #ownPart(
    edges: boolean,
    vertex: Ref,
    row: number,
    part: number,
    resume: number,
    labels: MemoryLabelSet | null,
    cursor: Cursor,
    limit: number,
    out: Expansion
  ): boolean {
    const own = this.#own
    const groups = own?.at(vertex, part < 2)
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
      const most = Math.min(list.length - passed, Math.max(limit - out.length, WHOLE))
      grow(out, out.length, out.length + most)
      const refs = out.refs as Int32Array
      const full = out.length + most
      for (; passed < list.length && out.length < full; passed++) {
        const edge = list[passed]!
        if (this.#edges.own!.isRemoved(edge)) continue
        refs[out.length] = edges ? edge : others[ownPlace(edge)]!
        out.rows[out.length++] = row
      }
      if (passed < list.length || (out.length >= limit && passed > 0)) {
        return !stop(out, out.length, cursor, row, place(part, label, passed))
      }
    }
    return false
  }

  degree(vertex: Ref, direction: DirectionName, labels: MemoryLabelSet | null): number {
    if (this.#edges.isPlain) {
      let degree = direction === "IN" ? 0 : plainDegree(this.#data.out, vertex, labels)
      if (direction !== "OUT") degree += plainDegree(this.#data.in, vertex, labels)
      return degree
    }
    const cursor = { row: 0, offset: 0 }
    const out = { rows: new Int32Array(WHOLE), refs: new Int32Array(WHOLE), length: 0 }
    const column = Int32Array.of(vertex)
    for (let degree = 0; ; out.length = 0) {
      const done = this.#expand(true, column, 1, direction, labels, cursor, 4096, out)
      degree += out.length
      if (done) return degree
    }
  }
}

const wants = (labels: MemoryLabelSet | null, label: number): boolean =>
  labels === null || labels.single === label || labels.marks[label] === 1

const stop = (out: Expansion, count: number, cursor: Cursor, row: number, offset: number): false => {
  out.length = count
  cursor.row = row
  cursor.offset = offset
  return false
}

/** Room for `needed` rows, of which `used` are kept. */
const grow = (out: Expansion, used: number, needed: number): void => {
  if (needed <= out.rows.length && needed <= out.refs.length) return
  const size = Math.max(needed, 2 * out.rows.length)
  const rows = new Int32Array(size)
  rows.set(out.rows.subarray(0, used))
  const refs = new Int32Array(size)
  refs.set(out.refs.subarray(0, used))
  out.rows = rows
  out.refs = refs
}

const plainDegree = (adjacency: Adjacency, vertex: number, labels: MemoryLabelSet | null): number => {
  let records = adjacency.heads
  let base = vertex * GROUP
  let degree = 0
  if (vertex < 0) return 0
  for (;;) {
    if (wants(labels, labelOf(records[base]!))) {
      degree += records[base + 2]!
      if (adjacency.hasDeleted) degree -= adjacency.deletedIn(records === adjacency.heads, base)
    }
    const next = records[base + 3]!
    if (next === 0) return degree
    records = adjacency.further
    base = next * GROUP
  }
}
