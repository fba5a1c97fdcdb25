import { BigMap, BigSet } from "../../structure/BigMap.ts"

/**
 * How many edges of each group of an {@link Adjacency} are deleted, and how many of those are holes. A group is named by the
 * number that the adjacency gives it. Only groups with deleted edges are here.
 */
export class DeletedEdges {
  /** Deleted edges, holes included. */
  readonly #deleted = new BigMap<number, number>()
  readonly #holes = new BigMap<number, number>()
  /** Groups to be packed when no transaction holds a place inside a block. */
  readonly #toPack = new BigSet<number>()

  get any(): boolean {
    return this.#deleted.size > 0
  }

  in(group: number): number {
    return this.#deleted.get(group) ?? 0
  }

  add(group: number): void {
    this.#deleted.set(group, this.in(group) + 1)
  }

  /** So many edges are no longer among the deleted ones. */
  subtract(group: number, count: number): void {
    const left = this.in(group) - count
    if (left === 0) this.#deleted.delete(group)
    else this.#deleted.set(group, left)
  }

  /** A deleted edge became a hole: the number of holes that the group has now. */
  addHole(group: number): number {
    const holes = (this.#holes.get(group) ?? 0) + 1
    this.#holes.set(group, holes)
    return holes
  }

  /** The group has no more holes. */
  packed(group: number): void {
    this.#holes.delete(group)
  }

  packLater(group: number): void {
    this.#toPack.add(group)
  }

  /** Calls `pack` for some of the groups to be packed, and tells whether any is left. */
  packSome(most: number, pack: (group: number) => void): boolean {
    let packed = 0
    for (const group of this.#toPack) {
      if (packed++ === most) return true
      this.#toPack.delete(group)
      pack(group)
    }
    return false
  }

  /** A group gets another name. */
  rename(from: number, to: number): void {
    const counted = [this.#deleted, this.#holes]
    for (const counts of counted) {
      const count = counts.get(from)
      if (count !== undefined) counts.set(to, count)
    }
    if (this.#toPack.has(from)) this.#toPack.add(to)
    this.forget(from)
  }

  /** There is no such group any more. */
  forget(group: number): void {
    if (this.#deleted.size > 0) this.#deleted.delete(group)
    if (this.#holes.size > 0) this.#holes.delete(group)
    if (this.#toPack.size > 0) this.#toPack.delete(group)
  }
}
