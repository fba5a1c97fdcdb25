import type { GremlinMap } from "./Collections.ts"
import { IdentityList } from "./Equivalence.ts"

/**
 * The values of a map as a list that nobody can change. All reads give what the map has now. As in Java, the list is equal to itself only.
 * Made by {@link viewedBy}.
 */
export class MapValues extends IdentityList {
  /** Methods such as slice() make lists of their own. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }
  /** The map that the list shows. */
  readonly of: GremlinMap

  override get identity(): object {
    return this.of
  }

  constructor(map: GremlinMap) {
    super()
    this.of = map
  }
}

/** True for an index and for the length: the other properties are those of the class. */
const isOfMembers = (name: string | symbol): boolean =>
  typeof name === "string" && (name === "length" || (name.charCodeAt(0) >= 0x30 && name.charCodeAt(0) <= 0x39))

/** Reads the members of the map. The list has none of its own. */
const reads: ProxyHandler<MapValues> = {
  get(values, name) {
    if (name === "length") return values.of.size
    return Reflect.get(isOfMembers(name) ? values.of.valueList() : values, name)
  },
  has: (values, name) => Reflect.has(isOfMembers(name) ? values.of.valueList() : values, name),
  ownKeys: ({ of }) => Reflect.ownKeys(of.valueList()),
  getOwnPropertyDescriptor: ({ of }, name) => Reflect.getOwnPropertyDescriptor(of.valueList(), name),
  set: () => false,
  defineProperty: () => false,
  deleteProperty: () => false
}

/** The values of a map, as a list that follows the map. */
export const viewedBy = (map: GremlinMap): MapValues => new Proxy(new MapValues(map), reads)
