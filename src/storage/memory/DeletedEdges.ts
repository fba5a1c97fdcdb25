import { BigMap, BigSet } from "../../structure/containers/BigMap.ts"

/**
 * Counts the deleted edges of each group of an adjacency, and how many of those are holes. A group is named by its number in
 * `EdgeGroups`. Only groups with deleted edges have entries.
 */
export class DeletedEdges {
  /** Deleted edges, holes included. */
  readonly #deleted = new BigMap<number, number>()
  readonly #holes = new BigMap<number, number>()
  /** Groups to be packed when no transaction holds a place inside a block. */
  readonly #toPack = new BigSet<number>()

  /** True when a group has deleted edges. */
  get any(): boolean {
    return this.#deleted.size > 0
  }

  /** Number of deleted edges of a group, holes included. */
  in(group: number): number {
    return this.#deleted.get(group) ?? 0
  }

  /** Counts one more deleted edge. */
  add(group: number): void {
    this.#deleted.set(group, this.in(group) + 1)
  }

  /** Counts `count` deleted edges less. */
  subtract(group: number, count: number): void {
    const left = this.in(group) - count
    if (left === 0) this.#deleted.delete(group)
    else this.#deleted.set(group, left)
  }

  /** Counts a deleted edge that became a hole; returns the number of holes of the group. */
  addHole(group: number): number {
    const holes = (this.#holes.get(group) ?? 0) + 1
    this.#holes.set(group, holes)
    return holes
  }

  /** The group has no holes any longer. */
  packed(group: number): void {
    this.#holes.delete(group)
  }

  /** Marks a group to be packed by {@link packSome}. */
  packLater(group: number): void {
    this.#toPack.add(group)
  }

  /** Calls `pack` for up to `most` of the groups to be packed. True when any is left. */
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

  /** Drops a group that no longer exists. */
  forget(group: number): void {
    if (this.#deleted.size > 0) this.#deleted.delete(group)
    if (this.#holes.size > 0) this.#holes.delete(group)
    if (this.#toPack.size > 0) this.#toPack.delete(group)
  }
}
