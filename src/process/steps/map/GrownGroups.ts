import type { Task } from "../../../scheduling/Task.ts"
import type { GremlinMap } from "../../../structure/collections/Collections.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { Joins, Step } from "../../plan/Step.ts"
import type { Accumulator } from "../../scalars/Accumulator.ts"
import { mapIn } from "./MapJoin.ts"

/** What the steps of a run that add to one side effect know about its map. */
interface Grown {
  map: GremlinMap | null
  /** The collections in the map that nothing else holds. */
  owned: WeakSet<object>
}

/**
 * Adds groups to the map of a side effect, in place. Many small additions take time linear in their groups: the map, and each list in it,
 * is copied only if somebody has read the side effect since the last addition.
 */
export function* addGroups(
  groups: GremlinMap,
  effect: Accumulator,
  step: Step,
  joins: Joins,
  { run, slice }: Activation
): Task {
  const grown = run.sharedBy(effect, (): Grown => ({ map: null, owned: new WeakSet() }))
  let added = 0
  for (const [key, value] of groups) {
    run.sideEffects.takes(key)
    for (const part of Array.isArray(value) ? value : [value]) run.sideEffects.takes(part)
    if (!effect.isOwned) yield* effect.own(slice)
    const map = mapIn(effect.current, step)
    if (grown.map !== map) {
      grown.map = map
      grown.owned = new WeakSet()
    }
    map.set(key, map.has(key) ? joins(map.get(key), value, grown.owned) : value)
    if (slice.isOverAfter(++added, key)) yield
  }
}
