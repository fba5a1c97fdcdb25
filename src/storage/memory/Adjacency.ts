import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { Arena, SEGMENT_BITS, SEGMENT_MASK } from "./Arena.ts"
import { DeletedEdges } from "./DeletedEdges.ts"
import { EdgeGroups, GROUP_ADDRESS, GROUP_LENGTH, GROUP_TAG, sizeClassOf, withSizeClass } from "./EdgeGroups.ts"
import { growTask, type Meter } from "./Growth.ts"
import type { Labels } from "./Labels.ts"

/** Blocks with fewer pairs are packed only when all of them are holes: reading over a few holes costs nothing. */
const PACK_FROM_PAIRS = 16

/**
 * The edges of every vertex in one direction, newest state. The edges of a vertex are grouped by label; each group is
 * a block of pairs (neighbour slot, edge slot) in insertion order.
 *
 * A deleted edge stays in its block as a pair with the complement of its neighbour (negative), so that older snapshots
 * find it in its place. When no snapshot needs it, it becomes a hole (edge -1), and a block that is half holes
 * is packed. A reader of the newest state only tests the sign of the neighbour.
 */
export class Adjacency {
  readonly arena: Arena
  readonly groups: EdgeGroups
  /** Place of each edge in its block. */
  #positions: Int32Array<ArrayBuffer> = new Int32Array(0)
  readonly #meter: Meter
  readonly #deleted = new DeletedEdges()

  constructor(labels: Labels, meter: Meter) {
    this.#meter = meter
    this.arena = new Arena(meter)
    this.groups = new EdgeGroups(labels, this.#deleted, meter)
  }

  /** Makes room for slots up to these counts. */
  *growTask(vertices: number, edges: number, slice: TimeSlice): Task {
    yield* this.groups.growTask(vertices, slice)
    this.#positions = yield* growTask(this.#positions, edges, this.#meter, slice)
  }

  /** True when a block has deleted edges in it, so that lengths are not degrees. */
  get hasDeleted(): boolean {
    return this.#deleted.any
  }

  /** Number of deleted edges in a group. */
  deletedIn(group: number): number {
    return this.#deleted.in(group)
  }

  /**
   * Makes room for one more edge of a label at a vertex, and returns its group: {@link put} with it cannot fail. Readers see
   * no change. Throws when there is no memory.
   */
  open(vertex: number, label: number): number {
    const group = this.groups.open(vertex, label)
    const records = this.groups.recordsOf(group)
    const base = Math.abs(group)
    const sizeClass = sizeClassOf(records[base + GROUP_TAG]!)
    if (sizeClass === 0 || records[base + GROUP_LENGTH]! === 1 << sizeClass) {
      this.#resize(records, base, sizeClass + 1)
    }
    return group
  }

  /** Adds an edge at the end of a group that {@link open} has just returned. */
  put(group: number, neighbour: number, edge: number): void {
    const records = this.groups.recordsOf(group)
    const base = Math.abs(group)
    const length = records[base + GROUP_LENGTH]!
    const address = records[base + GROUP_ADDRESS]!
    const segment = this.arena.segments[address >>> SEGMENT_BITS]!
    const at = (address & SEGMENT_MASK) + 2 * length
    segment[at] = neighbour
    segment[at + 1] = edge
    records[base + GROUP_LENGTH] = length + 1
    this.#positions[edge] = length
  }

  /** Undoes {@link put}: the edge is the last one of its group. */
  undoPut(vertex: number, label: number): void {
    const group = this.groups.find(vertex, label)
    this.groups.recordsOf(group)[Math.abs(group) + GROUP_LENGTH]!--
  }

  /** Marks an edge as deleted: readers of the newest state no longer see it, the pair stays. */
  delete(vertex: number, label: number, edge: number): void {
    const group = this.groups.find(vertex, label)
    this.#deleted.add(group)
    const segment = this.#segmentOf(group)
    const at = this.#startOf(group) + 2 * this.#positions[edge]!
    segment[at] = ~segment[at]!
  }

  /** Undoes {@link delete}, if the edge is deleted and was not forgotten. */
  restore(vertex: number, label: number, edge: number): void {
    const group = this.groups.find(vertex, label)
    const segment = this.#segmentOf(group)
    const at = this.#startOf(group) + 2 * this.#positions[edge]!
    if (segment[at]! >= 0) return
    segment[at] = ~segment[at]!
    this.#deleted.subtract(group, 1)
  }

  /** Makes a hole of a deleted edge that no snapshot needs. Packs the block when `canPack` and it is worth it. */
  forget(vertex: number, label: number, edge: number, canPack: boolean): void {
    const group = this.groups.find(vertex, label)
    this.#segmentOf(group)[this.#startOf(group) + 2 * this.#positions[edge]! + 1] = -1
    const holes = this.#deleted.addHole(group)
    const length = this.groups.length(group)
    if (2 * holes < length || (length < PACK_FROM_PAIRS && holes < length)) return
    if (canPack) this.#pack(group)
    else this.#deleted.packLater(group)
  }

  /**
   * Packs up to `most` blocks that {@link forget} could not pack, and returns whether any is left. Call this only while no
   * transaction holds a place inside a block.
   */
  packPending(most: number): boolean {
    return this.#deleted.packSome(most, (group) => this.#pack(group))
  }

  /** Frees the blocks of a vertex without edges. */
  clear(vertex: number): void {
    this.groups.clear(vertex, (group, tag, address) => {
      const sizeClass = sizeClassOf(tag)
      if (sizeClass !== 0) this.arena.free(address, sizeClass)
      this.#deleted.forget(group)
    })
  }

  #segmentOf(group: number): Int32Array {
    return this.arena.segments[this.groups.address(group) >>> SEGMENT_BITS]!
  }

  #startOf(group: number): number {
    return this.groups.address(group) & SEGMENT_MASK
  }

  /** Moves the pairs of the group whose record is at `base` to a block of another size. */
  #resize(records: Int32Array, base: number, sizeClass: number): void {
    const tag = records[base + GROUP_TAG]!
    const old = records[base + GROUP_ADDRESS]!
    const length = records[base + GROUP_LENGTH]!
    const address = this.arena.allocate(sizeClass)
    if (length > 0) {
      const source = this.arena.segments[old >>> SEGMENT_BITS]!
      const start = old & SEGMENT_MASK
      this.arena.segments[address >>> SEGMENT_BITS]!.set(
        source.subarray(start, start + 2 * length),
        address & SEGMENT_MASK
      )
    }
    if (sizeClassOf(tag) !== 0) this.arena.free(old, sizeClassOf(tag))
    records[base + GROUP_TAG] = withSizeClass(tag, sizeClass)
    records[base + GROUP_ADDRESS] = address
  }

  /** Closes the holes of a group, and moves it to a smaller block when most of it is empty. */
  #pack(group: number): void {
    const records = this.groups.recordsOf(group)
    const base = Math.abs(group)
    const segment = this.#segmentOf(group)
    const start = this.#startOf(group)
    const end = start + 2 * records[base + GROUP_LENGTH]!
    let holes = 0
    for (let at = start + 1; at < end; at += 2) if (segment[at] === -1) holes++
    if (holes === 0) return
    // First what may fail: the degree is the length less the number of deleted edges.
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
    records[base + GROUP_LENGTH] = length
    this.#deleted.packed(group)
    this.#shrink(records, base, length)
  }

  #shrink(records: Int32Array, base: number, length: number): void {
    const tag = records[base + GROUP_TAG]!
    if (length === 0) {
      this.arena.free(records[base + GROUP_ADDRESS]!, sizeClassOf(tag))
      records[base + GROUP_TAG] = withSizeClass(tag, 0)
      records[base + GROUP_ADDRESS] = 0
      return
    }
    let wanted = 1
    while (1 << wanted < length) wanted++
    if (wanted + 1 >= sizeClassOf(tag)) return
    try {
      this.#resize(records, base, wanted)
    } catch {
      // There is no memory for a smaller block: the edges stay in the larger one.
    }
  }
}
