/** What the table reads of a graph index. */
interface Indexed {
  readonly id: number
  readonly name: string
  readonly element: "vertex" | "edge" | "property"
  readonly fields: ReadonlyArray<{ readonly name: string }>
  readonly inlineKeys: ReadonlyArray<{ readonly name: string }>
}

/** What the table reads of a vertex-centric index: the type of its copies, and the id of the indexed type. */
interface IndexedType {
  readonly type: { readonly id: number }
  readonly base: number
}

/** The indexes of a schema by their ids, names and keys. A lookup takes the same time however many indexes the schema has. */
export class IndexTable<I extends Indexed, R extends IndexedType> {
  readonly #byId = new Map<number, I>()
  readonly #byName = new Map<string, I>()
  readonly #byType = new Map<number, R>()
  readonly #copies = new Map<number, Array<R>>()
  /** The places of the indexes in the schema, by the names of their keys. */
  readonly #places = { vertex: new Map<string, Array<number>>(), edge: new Map<string, Array<number>>() }
  readonly #indexes: ReadonlyArray<I>

  constructor(indexes: ReadonlyArray<I>, relationIndexes: ReadonlyArray<R>) {
    this.#indexes = indexes
    indexes.forEach((index, at) => {
      const { element, fields, id, inlineKeys, name } = index
      this.#byId.set(id, index)
      if (!this.#byName.has(name)) this.#byName.set(name, index)
      if (element === "property") return
      for (const key of new Set([...fields, ...inlineKeys])) append(this.#places[element], key.name, at)
    })
    for (const index of relationIndexes) {
      this.#byType.set(index.type.id, index)
      append(this.#copies, index.base, index)
    }
  }

  /** The graph index with this id. */
  index(id: number): I | undefined {
    return this.#byId.get(id)
  }

  /** The graph index with this name. */
  named(name: string): I | undefined {
    return this.#byName.get(name)
  }

  /** The vertex-centric index whose type has this id. */
  relationIndex(type: number): R | undefined {
    return this.#byType.get(type)
  }

  /** The vertex-centric indexes of a type. */
  copiesOf(type: number): ReadonlyArray<R> {
    return this.#copies.get(type) ?? []
  }

  /**
   * The indexes of vertices or edges whose entries depend on one of the keys, given by their names, in the order of the schema. Other
   * indexes have no entries of an element that has only these keys.
   */
  ofKeys(element: "vertex" | "edge", keys: Iterable<string>): ReadonlyArray<I> {
    const known = this.#places[element]
    if (known.size === 0) return []
    const places = new Set<number>()
    for (const key of keys) for (const at of known.get(key) ?? []) places.add(at)
    return [...places].sort((a, b) => a - b).map((at) => this.#indexes[at]!)
  }
}

const append = <K, V>(map: Map<K, Array<V>>, key: K, value: V): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
