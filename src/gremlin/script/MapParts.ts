import { type GremlinMap, GremlinSet, MapEntry } from "../../structure/Collections.ts"
import { equals } from "../../structure/Equality.ts"
import { OperandError, Unavailable } from "./OperandErrors.ts"

/** `map.keySet()`: a view of the map. As in Java, removing a key removes its entry, and no key can be added. */
export class KeySet extends GremlinSet {
  /** The map that the view shows. */
  readonly of: GremlinMap

  constructor(map: GremlinMap) {
    super()
    this.of = map
  }
  override get size(): number {
    return this.of.size
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
  override toList(): Array<unknown> {
    return [...this.of.keys()]
  }
  override values(): IterableIterator<unknown> {
    return this.of.keys()
  }
  override [Symbol.iterator](): IterableIterator<unknown> {
    return this.of.keys()
  }
  override equivalenceKey(): string {
    return new GremlinSet(this.of.keys()).equivalenceKey()
  }
}

/** An entry of a map of a script. As in Java, it has the value that the map has now, and a new value is put into the map. */
export class LiveEntry extends MapEntry {
  /** The map that the entry belongs to. */
  readonly of: GremlinMap

  constructor(map: GremlinMap, key: unknown, value: unknown) {
    super(key, value)
    this.of = map
  }
  /** The value of the key; the first value once the map lacks the key. */
  override get value(): unknown {
    return this.of.has(this.key) ? this.of.get(this.key) : super.value
  }
}

/** The entries of a map, as loops and methods visit them. */
export const liveEntries = (map: GremlinMap): Array<unknown> =>
  Array.from(map, ([key, value]) => new LiveEntry(map, key, value))

/** `map.entrySet()`: a view of the map. As in Java, removing an entry removes its key, and no entry can be added. */
export class EntrySet extends GremlinSet {
  /** The map that the view shows. */
  readonly of: GremlinMap

  constructor(map: GremlinMap) {
    super()
    this.of = map
  }
  override get size(): number {
    return this.of.size
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
  override toList(): Array<unknown> {
    return liveEntries(this.of)
  }
  override *values(): IterableIterator<unknown> {
    for (const [key, value] of this.of) yield new LiveEntry(this.of, key, value)
  }
  override [Symbol.iterator](): IterableIterator<unknown> {
    return this.values()
  }
  override equivalenceKey(): string {
    return new GremlinSet(this.values()).equivalenceKey()
  }
}

/**
 * `map.values()`: a view of the map, whose members {@link refreshed} brings up to date. Java would also change the map through it, so a
 * change is refused.
 */
export class MapValues extends Array<unknown> {
  /** Methods such as slice() make lists of their own. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }
  /** The map that the view shows. */
  readonly of: GremlinMap

  constructor(map: GremlinMap) {
    super(map.size)
    this.of = map
    this.refresh()
  }

  /** Takes the members that the map has now. */
  refresh(): void {
    let at = 0
    for (const value of this.of.values()) this[at++] = value
    this.length = at
  }

  /** The error of a method that would change the map. */
  unchangeable(): Unavailable {
    return new Unavailable(
      "values() cannot be changed in scripts: call the method on the map, keySet() or entrySet(), or on values().toList()"
    )
  }
}

/** The value. The values of a map are brought up to date: the map may have changed since. */
export const refreshed = <Value>(value: Value): Value => {
  if (value instanceof MapValues) value.refresh()
  return value
}

/** The map that a value shows or belongs to; undefined if it is no view of a map and no entry. */
export const mapOfView = (value: unknown): GremlinMap | undefined =>
  value instanceof MapValues || value instanceof KeySet || value instanceof EntrySet || value instanceof LiveEntry
    ? value.of
    : undefined
