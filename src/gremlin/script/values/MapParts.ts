import { type Follower, type GremlinMap, GremlinSet, MapEntry } from "../../../structure/collections/Collections.ts"
import { MapValues } from "../../../structure/collections/MapValues.ts"
import { equals } from "../../../structure/comparison/Equality.ts"
import { OperandError, Unavailable } from "./OperandErrors.ts"

/** A set that shows a part of a map, as the map is now. */
abstract class MapView extends GremlinSet {
  /** The map that the view shows. */
  readonly of: GremlinMap

  constructor(map: GremlinMap) {
    super()
    this.of = map
  }
  abstract override values(): IterableIterator<unknown>
  override get shows(): GremlinMap {
    return this.of
  }
  override get size(): number {
    return this.of.size
  }
  override toList(): Array<unknown> {
    return [...this.values()]
  }
  override [Symbol.iterator](): IterableIterator<unknown> {
    return this.values()
  }
  override equivalenceKey(): string {
    return new GremlinSet(this.values()).equivalenceKey()
  }
}

/** `map.keySet()`: a view of the map. As in Java, removing a key removes its entry, and no key can be added. */
export class KeySet extends MapView {
  override values(): IterableIterator<unknown> {
    return this.of.keys()
  }
  override has(key: unknown): boolean {
    return this.of.has(key)
  }
  override add(): boolean {
    throw new OperandError(
      "no key can be added to keySet(): put an entry into the map",
      "UnsupportedOperationException"
    )
  }
  override delete(key: unknown): boolean {
    return this.of.delete(key)
  }
}

/**
 * An entry that follows its map, as in Java: it has the value that the map has now, and puts a new value into it. Once its key is
 * removed from the map, the entry keeps its last value, and no longer belongs to the map. The entry does not keep the map in memory.
 */
export class LiveEntry extends MapEntry implements Follower {
  #now: unknown
  #map: WeakRef<GremlinMap> | undefined

  constructor(key: unknown, value: unknown, map: WeakRef<GremlinMap>) {
    super(key, undefined)
    this.#now = value
    this.#map = map
  }
  override get value(): unknown {
    return this.#now
  }
  /** The map; undefined if it no longer has the entry. */
  get of(): GremlinMap | undefined {
    return this.#map?.deref()
  }
  /** Replaces the value, also in the map. */
  put(value: unknown): void {
    this.#now = value
    this.of?.set(this.key, value)
  }
  /** The map has this value now. */
  follow(value: unknown): void {
    this.#now = value
  }
  /** The map has lost the key. */
  leave(): void {
    this.#map = undefined
  }
}

const liveEntry = (map: GremlinMap, key: unknown): LiveEntry =>
  map.followed(key, (value, self) => new LiveEntry(key, value, self)) as LiveEntry

/** An entry whose key and value are passed to a closure. The closure never sees the entry, so the map need not follow it. */
class PassedEntry extends MapEntry {
  readonly #of: GremlinMap
  constructor(map: GremlinMap, key: unknown) {
    super(key, undefined)
    this.#of = map
  }
  override get value(): unknown {
    return this.#of.get(this.key) ?? null
  }
}

/** The entries of a map for a closure that takes keys and values. */
export const passedEntries = (map: GremlinMap): Array<unknown> =>
  Array.from(map.keys(), (key) => new PassedEntry(map, key))

/** The entries of a map, as loops and methods visit them. */
export const liveEntries = (map: GremlinMap): Array<unknown> => Array.from(map.keys(), (key) => liveEntry(map, key))

/** `map.entrySet()`: a view of the map. As in Java, removing an entry removes its key, and no entry can be added. */
export class EntrySet extends MapView {
  override *values(): IterableIterator<unknown> {
    for (const key of this.of.keys()) yield liveEntry(this.of, key)
  }
  override has(entry: unknown): boolean {
    return entry instanceof MapEntry && this.of.has(entry.key) && equals(this.of.get(entry.key), entry.value)
  }
  override add(): boolean {
    throw new OperandError("no entry can be added to entrySet(): put it into the map", "UnsupportedOperationException")
  }
  override delete(entry: unknown): boolean {
    return this.has(entry) && this.of.delete((entry as MapEntry).key)
  }
}

/** The error of a method that would change the values of a map. Java would change the map. */
export const unchangeableValues = (): Unavailable =>
  new Unavailable(
    "values() cannot be changed in scripts: call the method on the map, keySet() or entrySet(), or on values().toList()"
  )

/** The map that a value shows or belongs to; undefined if it is no view of a map and no entry. */
export const mapOfView = (value: unknown): GremlinMap | undefined =>
  value instanceof MapValues || value instanceof MapView || value instanceof LiveEntry ? value.of : undefined
