import { type Follower, GremlinMap } from "../../../structure/collections/Collections.ts"
import type { ScriptClosure } from "../../ScriptClosure.ts"
import { mapOfView } from "./MapParts.ts"

/**
 * The result of `map.withDefault { key -> ... }`: a view of the map. Reading a key that the map lacks stores and gives what the closure
 * gives for the key.
 */
export class DefaultMap extends GremlinMap {
  /** The map that has the members; never a view itself. */
  readonly of: GremlinMap
  readonly closure: ScriptClosure

  constructor(of: GremlinMap, closure: ScriptClosure) {
    super()
    this.of = of instanceof DefaultMap ? of.of : of
    this.closure = closure
  }

  override get size(): number {
    return this.of.size
  }
  override get(key: unknown): unknown {
    return this.of.get(key)
  }
  override has(key: unknown): boolean {
    return this.of.has(key)
  }
  override set(key: unknown, value: unknown): this {
    this.of.set(key, value)
    return this
  }
  override delete(key: unknown): boolean {
    return this.of.delete(key)
  }
  override valueList(): readonly unknown[] {
    return this.of.valueList()
  }
  override get followers(): number {
    return this.of.followers
  }
  override followed(...call: Parameters<GremlinMap["followed"]>): Follower {
    return this.of.followed(...call)
  }
  override keys(): IterableIterator<unknown> {
    return this.of.keys()
  }
  override values(): IterableIterator<unknown> {
    return this.of.values()
  }
  override entries(): IterableIterator<[unknown, unknown]> {
    return this.of.entries()
  }
  override forEach(visit: (value: unknown, key: unknown) => void): void {
    this.of.forEach(visit)
  }
  override equivalenceKey(): string {
    return this.of.equivalenceKey()
  }
}

/** The collection that has the members of a value: the map of a view, of an entry or of a map with a default, else the value itself. */
export const underlying = (value: unknown): unknown => {
  const map = mapOfView(value) ?? value
  return map instanceof DefaultMap ? map.of : map
}

/** True for a map with a default that lacks this key. */
export const lacks = (value: unknown, key: unknown): value is DefaultMap =>
  value instanceof DefaultMap && !value.has(key)
