import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { GremlinMap, isListOrSet } from "../../structure/collections/Collections.ts"
import { Tree } from "../../structure/collections/Tree.ts"
import { type EnumValue, Operator } from "../../structure/scalars/Enums.ts"
import type { Closure } from "../language/Closure.ts"
import { copyOf, copyTask } from "./Copy.ts"
import { addInto, applyOperator } from "./Operators.ts"

/**
 * A value that grows while a traversal runs: a side effect, the state of fold(seed, operator), or sacks that merge at a barrier.
 *
 * A collection that a traverser, plan, binding or store holds never changes. The accumulator changes a collection in place only
 * while it owns it: it made the collection and has not shared it since. A collection that it received, or shared with
 * {@link share}, is copied before the next change. So a value never changes after it was read, no value contains itself, and
 * many additions in a row cost one copy.
 */
export class Accumulator {
  #value: unknown
  #owned: boolean

  /** @param owned The collection was made for this accumulator, and nothing else refers to it. */
  constructor(value: unknown, owned = false) {
    this.#value = value
    this.#owned = owned
  }

  /** The current value, for callers that keep no reference to it: the next change may modify it in place. */
  get current(): unknown {
    return this.#value
  }

  /** Whether the value is a collection other than a map. */
  get holdsMembers(): boolean {
    return isListOrSet(this.#value)
  }

  /** Whether the collection may be changed in place. */
  get isOwned(): boolean {
    return this.#owned
  }

  /** The value for a traverser. It never changes afterwards. */
  share(): unknown {
    this.#owned = false
    return this.#value
  }

  /** Replaces the value. */
  replace(value: unknown, owned = false): void {
    this.#value = value
    this.#owned = owned
  }

  /** Makes the accumulator the owner of its collection, by a copy if necessary. */
  *own(slice: TimeSlice): Task {
    while (!this.#owned) {
      const before = this.#value
      const copy = before instanceof Tree ? yield* copyOfTree(slice, before) : yield* copyTask(slice, before)
      // Another step may have changed the accumulator while this task had yielded.
      if (this.#owned || this.#value !== before) continue
      this.#value = copy
      this.#owned = true
    }
  }

  /** Combines the value with another. Throws what {@link applyOperator} throws. */
  apply(operator: EnumValue | Closure, value: unknown): void {
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

/** A deep copy: trees grow at every level, so the copy must not share one. */
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
