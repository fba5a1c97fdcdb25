import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { GremlinMap } from "../../structure/Collections.ts"
import { type EnumValue, Operator } from "../../structure/Enums.ts"
import { Tree } from "../../structure/Tree.ts"
import { copyOf, copyTask } from "./Copy.ts"
import { addInto, applyOperator, isCollection } from "./Operators.ts"

/**
 * A value that grows while a traversal runs: a side effect, the state of fold(seed, operator), sacks that merge at a barrier.
 *
 * Collections that traversers, plans, bindings and stores hold are never changed. The accumulator changes a collection only
 * while it is its owner: it made the collection, and has handed it out to nobody since. A collection that it was given, or has
 * handed out by {@link share}, is copied before the next change. So a value that was read stays as it is, no value ever
 * contains itself, and many additions in a row cost one copy.
 */
export class Accumulator {
  #value: unknown
  #owned: boolean

  /** `owned`: the collection was made for this accumulator, and nothing else refers to it. */
  constructor(value: unknown, owned = false) {
    this.#value = value
    this.#owned = owned
  }

  /** The value as it is now, for a look that keeps no reference to it: the next change may be made in place. */
  get current(): unknown {
    return this.#value
  }

  /** True for a collection of members: any but a map. */
  get holdsMembers(): boolean {
    return isCollection(this.#value)
  }

  /** True while the collection may be changed in place. */
  get isOwned(): boolean {
    return this.#owned
  }

  /** The value for a traverser: it never changes after that. */
  share(): unknown {
    this.#owned = false
    return this.#value
  }

  /** Puts another value in place of the present one. */
  replace(value: unknown, owned = false): void {
    this.#value = value
    this.#owned = owned
  }

  /** Makes the accumulator the owner of its collection, by a copy where it is not. */
  *own(slice: TimeSlice): Task {
    while (!this.#owned) {
      const before = this.#value
      const copy = before instanceof Tree ? yield* copyOfTree(slice, before) : yield* copyTask(slice, before)
      // Another step may have changed the accumulator between two pieces.
      if (this.#owned || this.#value !== before) continue
      this.#value = copy
      this.#owned = true
    }
  }

  /** Combines the value with another. Fails as {@link applyOperator} does. */
  apply(operator: EnumValue, value: unknown): void {
    const before = this.#value
    const adds = operator === Operator.addAll && isPresent(before) && isPresent(value)
    if (!adds) {
      this.#value = applyOperator(operator, before, value)
      if (this.#value !== before) this.#owned = false
      return
    }
    if (!this.#owned) this.#value = copyOf(before)
    this.#owned = true
    addInto(this.#value, value)
  }
}

const isPresent = (value: unknown): boolean => value !== null && value !== undefined

/** Trees grow at every level: the copy has no level in common with the tree. */
function* copyOfTree(slice: TimeSlice, tree: Tree): Task<Tree> {
  const copy = new Tree(new GremlinMap())
  const open = [{ from: tree, to: copy }]
  let nodes = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [key, child] of next.from.children) {
      const copied = new Tree(new GremlinMap())
      next.to.children.set(key, copied)
      open.push({ from: child as Tree, to: copied })
      if (slice.isOverAfter(++nodes, key)) yield
    }
  }
  return copy
}
