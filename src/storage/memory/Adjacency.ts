import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { Arena, SEGMENT_BITS, SEGMENT_MASK } from "./Arena.ts"
import { DeletedEdges } from "./DeletedEdges.ts"
import { grow, growTask, type Meter } from "./Growth.ts"
import type { Labels } from "./Labels.ts"

/** Integers of a group record: tag, address, length, next. */
export const GROUP = 4
const SIZE_CLASS_BITS = 5
const SIZE_CLASS_MASK = (1 << SIZE_CLASS_BITS) - 1
/** Label number of a group's tag; -1 in the record of a vertex without edges. */
export const labelOf = (tag: number): number => (tag >>> SIZE_CLASS_BITS) - 1

/** Blocks shorter than this are not packed: reading over a few holes costs nothing. */
const PACK_FROM = 16

/**
 * The edges of every vertex in one direction, newest state. The edges of a vertex are grouped by label; each group is
 * a block of pairs (neighbour slot, edge slot) in insertion order. The record of a vertex's first group lies at
 * `heads[4 * vertex]`, those of further groups in `further`, linked by their index (0 = none).
 *
 * A deleted edge stays in its block as a pair with the complement of its neighbour (negative), so that older snapshots
 * find it in its place; when no snapshot needs it any more it becomes a hole (edge -1), and a block that is half holes
 * is packed. A newest reader only tests the sign of the neighbour.
 */
export class Adjacency {
  heads: Int32Array<ArrayBuffer> = new Int32Array(0)
  further: Int32Array<ArrayBuffer> = new Int32Array(GROUP)
  readonly arena: Arena
  /** Place of each edge in its block. */
  #positions: Int32Array<ArrayBuffer> = new Int32Array(0)
  readonly #labels: Labels
  readonly #meter: Meter
  readonly #spareGroups: Array<number> = []
  #groups = 1
  readonly #deleted = new DeletedEdges()

  constructor(labels: Labels, meter: Meter) {
    this.#labels = labels
    this.#meter = meter
    this.arena = new Arena(meter)
  }

  /** Makes room for slots up to these counts. */
  *growTask(vertices: number, edges: number, slice: TimeSlice): Task {
    this.heads = yield* growTask(this.heads, vertices * GROUP, this.#meter, slice)
    this.#positions = yield* growTask(this.#positions, edges, this.#meter, slice)
  }

  /** True when some block has deleted edges in it, so that lengths are not degrees. */
  get hasDeleted(): boolean {
    return this.#deleted.any
  }

  /** Deleted edges in the group whose record is at `base` of {@link heads} (or of {@link further}). */
  deletedIn(inHeads: boolean, base: number): number {
    return this.#deleted.in(inHeads ? base : -base)
  }

  /**
   * Makes room for one more edge of a label at a vertex, and names its group: {@link put} with it cannot fail. Readers see
   * no change. Throws when there is no memory.
   */
  open(vertex: number, label: number): number {
    const group = this.#openGroup(vertex, label)
    const records = group >= 0 ? this.heads : this.further
    const base = group >= 0 ? group : -group
    const sizeClass = records[base]! & SIZE_CLASS_MASK
    if (sizeClass === 0 || records[base + 2]! === 1 << sizeClass) {
      this.#resize(records, base, sizeClass, sizeClass + 1)
    }
    return group
  }

  /** Adds an edge at the end of a group that {@link open} has just given. */
  put(group: number, neighbour: number, edge: number): void {
    const records = group >= 0 ? this.heads : this.further
    const base = group >= 0 ? group : -group
    const length = records[base + 2]!
    const address = records[base + 1]!
    const segment = this.arena.segments[address >>> SEGMENT_BITS]!
    const at = (address & SEGMENT_MASK) + 2 * length
    segment[at] = neighbour
    segment[at + 1] = edge
    records[base + 2] = length + 1
    this.#positions[edge] = length
  }

  /** Undoes {@link put}: the edge is the last one of its group. */
  undoPut(vertex: number, label: number): void {
    const group = this.#find(vertex, label)
    const records = group >= 0 ? this.heads : this.further
    records[Math.abs(group) + 2]!--
  }

  /** Marks an edge as deleted: newest readers no longer see it, the pair stays. */
  delete(vertex: number, label: number, edge: number): void {
    const group = this.#find(vertex, label)
    this.#deleted.add(group)
    const segment = this.#segmentOf(group)
    const at = this.#startOf(group) + 2 * this.#positions[edge]!
    segment[at] = ~segment[at]!
  }

  /** Undoes {@link delete}, if the edge is deleted and was not forgotten. */
  restore(vertex: number, label: number, edge: number): void {
    const group = this.#find(vertex, label)
    const segment = this.#segmentOf(group)
    const at = this.#startOf(group) + 2 * this.#positions[edge]!
    if (segment[at]! >= 0) return
    segment[at] = ~segment[at]!
    this.#deleted.subtract(group, 1)
  }

  /** Makes a hole of a deleted edge's pair, as no snapshot needs it. Packs the block when `canPack` and it is worth it. */
  forget(vertex: number, label: number, edge: number, canPack: boolean): void {
    const group = this.#find(vertex, label)
    this.#segmentOf(group)[this.#startOf(group) + 2 * this.#positions[edge]! + 1] = -1
    const holes = this.#deleted.addHole(group)
    const length = this.#lengthOf(group)
    if (2 * holes < length || (length < PACK_FROM && holes < length)) return
    if (canPack) this.#pack(group)
    else this.#deleted.packLater(group)
  }

  /**
   * Packs some of what {@link forget} could not, and tells whether any is left. Call only while no transaction holds a
   * place inside a block.
   */
  packPending(most: number): boolean {
    return this.#deleted.packSome(most, (group) => this.#pack(group))
  }

  /** Gives the blocks of a vertex back; its edges are all gone. */
  clear(vertex: number): void {
    const heads = this.heads
    let base = vertex * GROUP
    let next = heads[base + 3]!
    this.#release(base, heads[base]!, heads[base + 1]!)
    heads.fill(0, base, base + GROUP)
    while (next !== 0) {
      base = next * GROUP
      const further = this.further
      next = further[base + 3]!
      this.#release(-base, further[base]!, further[base + 1]!)
      further.fill(0, base, base + GROUP)
      this.#spareGroups.push(base / GROUP)
    }
  }

  #release(group: number, tag: number, address: number): void {
    const sizeClass = tag & SIZE_CLASS_MASK
    if (sizeClass !== 0) this.arena.free(address, sizeClass)
    this.#deleted.forget(group)
  }

  // A group is named by the place of its record: as it is in heads, negated in further.

  #segmentOf(group: number): Int32Array {
    const address = group >= 0 ? this.heads[group + 1]! : this.further[-group + 1]!
    return this.arena.segments[address >>> SEGMENT_BITS]!
  }

  #startOf(group: number): number {
    return (group >= 0 ? this.heads[group + 1]! : this.further[-group + 1]!) & SEGMENT_MASK
  }

  #lengthOf(group: number): number {
    return group >= 0 ? this.heads[group + 2]! : this.further[-group + 2]!
  }

  #find(vertex: number, label: number): number {
    const head = vertex * GROUP
    if (labelOf(this.heads[head]!) === label) return head
    const further = this.further
    let next = this.heads[head + 3]!
    while (next !== 0 && labelOf(further[next * GROUP]!) !== label) next = further[next * GROUP + 3]!
    // Group 0 of the further ones is the end of every list, so that a group that is not there would be looked for without end.
    if (next === 0) throw new Error(`The vertex at ${vertex} has no edges with the label number ${label}`)
    return -next * GROUP
  }

  /** The group of a label at a vertex, made in its place among the others when there is none. */
  #openGroup(vertex: number, label: number): number {
    const head = vertex * GROUP
    const tag = (label + 1) << SIZE_CLASS_BITS
    const first = labelOf(this.heads[head]!)
    if (first === label) return head
    if (first === -1) {
      this.heads[head] = tag
      return head
    }
    if (this.#labels.before(label, first)) return this.#pushFront(head, tag)
    let previous = 0
    let next = this.heads[head + 3]!
    while (next !== 0) {
      const other = labelOf(this.further[next * GROUP]!)
      if (other === label) return -next * GROUP
      if (this.#labels.before(label, other)) break
      previous = next
      next = this.further[next * GROUP + 3]!
    }
    const made = this.#newGroup()
    this.further[made * GROUP] = tag
    this.further[made * GROUP + 3] = next
    if (previous === 0) this.heads[head + 3] = made
    else this.further[previous * GROUP + 3] = made
    return -made * GROUP
  }

  /** Moves the first group out of the head and starts an empty one there. */
  #pushFront(head: number, tag: number): number {
    const moved = this.#newGroup()
    this.further.set(this.heads.subarray(head, head + GROUP), moved * GROUP)
    this.#deleted.rename(head, -moved * GROUP)
    this.heads[head] = tag
    this.heads[head + 1] = 0
    this.heads[head + 2] = 0
    this.heads[head + 3] = moved
    return head
  }

  #newGroup(): number {
    const spare = this.#spareGroups.pop()
    if (spare !== undefined) return spare
    this.further = grow(this.further, (this.#groups + 1) * GROUP, this.#meter)
    return this.#groups++
  }

  /** Moves a group's pairs to a block of another size. */
  #resize(records: Int32Array, base: number, from: number, to: number): void {
    const old = records[base + 1]!
    const address = this.arena.allocate(to)
    const length = records[base + 2]!
    if (length > 0) {
      const source = this.arena.segments[old >>> SEGMENT_BITS]!
      const start = old & SEGMENT_MASK
      this.arena.segments[address >>> SEGMENT_BITS]!.set(
        source.subarray(start, start + 2 * length),
        address & SEGMENT_MASK
      )
    }
    if (from !== 0) this.arena.free(old, from)
    records[base] = (records[base]! & ~SIZE_CLASS_MASK) | to
    records[base + 1] = address
  }

  /** Closes the holes of a group, and moves it to a smaller block when most of it is empty. */
  #pack(group: number): void {
    const records = group >= 0 ? this.heads : this.further
    const base = group >= 0 ? group : -group
    const segment = this.#segmentOf(group)
    const start = this.#startOf(group)
    const end = start + 2 * records[base + 2]!
    let holes = 0
    for (let at = start + 1; at < end; at += 2) if (segment[at] === -1) holes++
    if (holes === 0) return
    // First what may fail: lengths and numbers of deleted edges are degrees together.
    this.#deleted.subtract(group, holes)
    let to = start
    for (let from = start; from < end; from += 2) {
      const edge = segment[from + 1]!
      if (edge === -1) continue
      segment[to] = segment[from]!
      segment[to + 1] = edge
      this.#positions[edge] = (to - start) >> 1
      to += 2
    }
    const length = (to - start) >> 1
    records[base + 2] = length
    this.#deleted.packed(group)
    this.#shrink(records, base, length)
  }

  #shrink(records: Int32Array, base: number, length: number): void {
    const sizeClass = records[base]! & SIZE_CLASS_MASK
    if (length === 0) {
      this.arena.free(records[base + 1]!, sizeClass)
      records[base] = records[base]! & ~SIZE_CLASS_MASK
      records[base + 1] = 0
      return
    }
    let wanted = 1
    while (1 << wanted < length) wanted++
    if (wanted + 1 >= sizeClass) return
    try {
      this.#resize(records, base, sizeClass, wanted)
    } catch {
      // There is no memory for a smaller block: the edges stay in the larger one.
    }
  }
}
