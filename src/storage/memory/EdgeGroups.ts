import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import type { DeletedEdges } from "./DeletedEdges.ts"
import { grow, growTask, type Meter } from "./Growth.ts"
import type { Labels } from "./Labels.ts"

/** Integers of the record of a group; the place of each of them follows. */
export const GROUP_INTEGERS = 4
/** Label and size class: see {@link labelOf}. */
export const GROUP_TAG = 0
/** Address of the group's block in the arena. */
export const GROUP_ADDRESS = 1
/** Pairs in the block, deleted ones included. */
export const GROUP_LENGTH = 2
/** Number of the vertex's next group among the further ones; 0 = none. */
export const GROUP_NEXT = 3

const SIZE_CLASS_BITS = 5
const SIZE_CLASS_MASK = (1 << SIZE_CLASS_BITS) - 1

/** Label number of a group's tag; -1 in the record of a vertex without edges. */
export const labelOf = (tag: number): number => (tag >>> SIZE_CLASS_BITS) - 1

/** Size class of the block of a group's tag; 0 when the group has no block. */
export const sizeClassOf = (tag: number): number => tag & SIZE_CLASS_MASK

/** A tag with another size class. */
export const withSizeClass = (tag: number, sizeClass: number): number => (tag & ~SIZE_CLASS_MASK) | sizeClass

/**
 * The records of the groups of edges: one group for each vertex and label in one direction. The record of a vertex's first
 * group lies at `heads[4 * vertex]`, those of further groups in `further`, linked by their number. A group is named by the
 * place of its record: a place in `heads` as it is, a place in `further` negated.
 */
export class EdgeGroups {
  heads: Int32Array<ArrayBuffer> = new Int32Array(0)
  further: Int32Array<ArrayBuffer> = new Int32Array(GROUP_INTEGERS)
  readonly #labels: Labels
  readonly #meter: Meter
  readonly #deleted: DeletedEdges
  /** Numbers of further groups that are not in use. */
  readonly #spare: Array<number> = []
  /** Further groups, used or not. Number 0 is never used: it is the end of each list. */
  #count = 1

  /** `deleted` is told when a group gets another name. */
  constructor(labels: Labels, deleted: DeletedEdges, meter: Meter) {
    this.#labels = labels
    this.#deleted = deleted
    this.#meter = meter
  }

  /** Makes room for vertices up to this count. */
  *growTask(vertices: number, slice: TimeSlice): Task {
    this.heads = yield* growTask(this.heads, vertices * GROUP_INTEGERS, this.#meter, slice)
  }

  /** The array that has the record of a group. */
  recordsOf(group: number): Int32Array<ArrayBuffer> {
    return group >= 0 ? this.heads : this.further
  }

  /** The first group of a vertex; its label is -1 when the vertex has no edges. */
  first(vertex: number): number {
    return vertex * GROUP_INTEGERS
  }

  /** The group of the same vertex after this one; 0 = none. */
  next(group: number): number {
    return -this.#at(group, GROUP_NEXT) * GROUP_INTEGERS
  }

  /** Label number of a group; -1 for the first group of a vertex without edges. */
  label(group: number): number {
    return labelOf(this.#at(group, GROUP_TAG))
  }

  /** Address of a group's block. */
  address(group: number): number {
    return this.#at(group, GROUP_ADDRESS)
  }

  /** Pairs in a group's block, deleted ones included. */
  length(group: number): number {
    return this.#at(group, GROUP_LENGTH)
  }

  #at(group: number, field: number): number {
    return group >= 0 ? this.heads[group + field]! : this.further[field - group]!
  }

  /** The group of a label at a vertex. Throws when there is none. */
  find(vertex: number, label: number): number {
    const head = vertex * GROUP_INTEGERS
    if (labelOf(this.heads[head + GROUP_TAG]!) === label) return head
    const further = this.further
    let next = this.heads[head + GROUP_NEXT]!
    while (next !== 0) {
      const base = next * GROUP_INTEGERS
      if (labelOf(further[base + GROUP_TAG]!) === label) return -base
      next = further[base + GROUP_NEXT]!
    }
    throw new Error(`The vertex at ${vertex} has no edges with the label number ${label}`)
  }

  /** The group of a label at a vertex, made in its place among the others when there is none. */
  open(vertex: number, label: number): number {
    const head = vertex * GROUP_INTEGERS
    const tag = (label + 1) << SIZE_CLASS_BITS
    const first = labelOf(this.heads[head + GROUP_TAG]!)
    if (first === label) return head
    if (first === -1) {
      this.heads[head + GROUP_TAG] = tag
      return head
    }
    if (this.#labels.before(label, first)) return this.#pushFront(head, tag)
    let previous = 0
    let next = this.heads[head + GROUP_NEXT]!
    while (next !== 0) {
      const other = labelOf(this.further[next * GROUP_INTEGERS + GROUP_TAG]!)
      if (other === label) return -next * GROUP_INTEGERS
      if (this.#labels.before(label, other)) break
      previous = next
      next = this.further[next * GROUP_INTEGERS + GROUP_NEXT]!
    }
    const made = this.#newGroup()
    this.further[made * GROUP_INTEGERS + GROUP_TAG] = tag
    this.further[made * GROUP_INTEGERS + GROUP_NEXT] = next
    if (previous === 0) this.heads[head + GROUP_NEXT] = made
    else this.further[previous * GROUP_INTEGERS + GROUP_NEXT] = made
    return -made * GROUP_INTEGERS
  }

  /** Moves the first group out of the head and starts an empty one there. */
  #pushFront(head: number, tag: number): number {
    const moved = this.#newGroup()
    this.further.set(this.heads.subarray(head, head + GROUP_INTEGERS), moved * GROUP_INTEGERS)
    this.#deleted.rename(head, -moved * GROUP_INTEGERS)
    this.heads[head + GROUP_TAG] = tag
    this.heads[head + GROUP_ADDRESS] = 0
    this.heads[head + GROUP_LENGTH] = 0
    this.heads[head + GROUP_NEXT] = moved
    return head
  }

  #newGroup(): number {
    const spare = this.#spare.pop()
    if (spare !== undefined) return spare
    this.further = grow(this.further, (this.#count + 1) * GROUP_INTEGERS, this.#meter)
    return this.#count++
  }

  /** Removes all groups of a vertex; `release` gets each with its tag and its address. */
  clear(vertex: number, release: (group: number, tag: number, address: number) => void): void {
    const { heads } = this
    let base = vertex * GROUP_INTEGERS
    let next = heads[base + GROUP_NEXT]!
    release(base, heads[base + GROUP_TAG]!, heads[base + GROUP_ADDRESS]!)
    heads.fill(0, base, base + GROUP_INTEGERS)
    while (next !== 0) {
      base = next * GROUP_INTEGERS
      const { further } = this
      next = further[base + GROUP_NEXT]!
      release(-base, further[base + GROUP_TAG]!, further[base + GROUP_ADDRESS]!)
      further.fill(0, base, base + GROUP_INTEGERS)
      this.#spare.push(base / GROUP_INTEGERS)
    }
  }
}
