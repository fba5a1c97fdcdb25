import { type GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { OperandError, Unavailable } from "./OperandErrors.ts"

/** `map.keySet()`: a view of the map. As in Java, removing a key removes its entry, and no key can be added. */
export class KeySet extends GremlinSet {
  readonly #map: GremlinMap

  constructor(map: GremlinMap) {
    super()
    this.#map = map
  }
  override get size(): number {
    return this.#map.size
  }
  override has(key: unknown): boolean {
    return this.#map.has(key)
  }
  override add(): boolean {
    throw new OperandError(
      "no key can be added to keySet(): put an entry into the map",
      "UnsupportedOperationException"
    )
  }
  override delete(key: unknown): boolean {
    return this.#map.delete(key)
  }
  override toList(): Array<unknown> {
    return [...this.#map.keys()]
  }
  override values(): IterableIterator<unknown> {
    return this.#map.keys()
  }
  override [Symbol.iterator](): IterableIterator<unknown> {
    return this.#map.keys()
  }
  override equivalenceKey(): string {
    return new GremlinSet(this.#map.keys()).equivalenceKey()
  }
}

/** `map.values()` and `map.entrySet()`: a copy. Java would also change the map, so a change is refused. */
export class MapPart extends Array<unknown> {
  /** Methods such as slice() make lists of their own. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }
  readonly #method: string

  constructor(method: string, members: readonly unknown[]) {
    super(members.length)
    this.#method = method
    for (let at = 0; at < members.length; at++) this[at] = members[at]
  }

  /** The error of a method that would change the map. */
  unchangeable(): Unavailable {
    return new Unavailable(
      `${this.#method}() is a copy in scripts, whose change would not change the map: call the method on the map or on keySet()`
    )
  }
}
