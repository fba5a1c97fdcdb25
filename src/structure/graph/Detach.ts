import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../collections/Collections.ts"
import { keyOf } from "../collections/Equivalence.ts"
import { Tree } from "../collections/Tree.ts"
import { Detached, Edge, type ElementSource, Property, Vertex, VertexProperty } from "../elements/Element.ts"
import { Path } from "../elements/Path.ts"

/**
 * Copies a value and the elements in it, so that the copy can be used after the end of the transaction. A session keeps such
 * copies in its variables. Vertices and edges are copied with their properties. The vertices of an edge or of a property are
 * copied only with id and label. Collections are copied as well.
 */
export const detach = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? new Detaching().copy(value) : value

/** The graph of a transaction or of copies from it; undefined for elements of no graph. */
export const originOf = (source: ElementSource): object | undefined => {
  if (source instanceof Detached) return source.origin
  return "store" in source && typeof source.store === "object" && source.store !== null ? source.store : undefined
}

/** The copies of the elements of one graph. */
class Copies {
  readonly source: Detached
  /** Vertices and edges with their properties, by the key of the original. */
  readonly whole = new Map<unknown, Vertex | Edge>()
  /** Vertices with their id and label only. */
  readonly references = new Map<unknown, Vertex>()
  constructor(origin: object | undefined) {
    this.source = new Detached(origin)
  }

  keep<E extends Vertex | Edge>(element: E): E {
    this.whole.set(keyOf(element), element)
    return element
  }
}

/** Copies one value. An element that occurs twice is copied once. */
class Detaching {
  readonly #copies = new Map<object | undefined, Copies>()

  copy(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) return this.#copyAll(value)
    if (value instanceof Vertex) return this.#copyVertex(value)
    if (value instanceof Edge) return this.#copyEdge(value)
    if (value instanceof VertexProperty) return this.#copyVertexProperty(value)
    if (value instanceof Property) return new Property(this.#copyOwner(value.element), value.key, value.value)
    if (value instanceof GremlinMap) return this.#copyMap(value)
    if (value instanceof GremlinSet) return new GremlinSet(this.#copyAll(value))
    if (value instanceof BulkSet) return this.#copyBulkSet(value)
    if (value instanceof MapEntry) return new MapEntry(this.copy(value.key), this.copy(value.value))
    if (value instanceof Path) return new Path(this.#copyAll(value.objects), value.labels)
    if (value instanceof Tree) return new Tree(this.#copyMap(value.children))
    return value
  }

  #copiesOf({ source }: Vertex | Edge): Copies {
    const origin = originOf(source)
    let copies = this.#copies.get(origin)
    if (copies === undefined) {
      copies = new Copies(origin)
      this.#copies.set(origin, copies)
    }
    return copies
  }

  #copyAll(values: Iterable<unknown>): unknown[] {
    return Array.from(values, (value) => this.copy(value))
  }

  #copyMap(map: GremlinMap): GremlinMap {
    const copy = new GremlinMap()
    map.forEach((value, key) => {
      copy.set(this.copy(key), this.copy(value))
    })
    return copy
  }

  #copyBulkSet(set: BulkSet): BulkSet {
    const copy = new BulkSet()
    for (const [value, count] of set.entries()) copy.add(this.copy(value), count)
    return copy
  }

  #copyVertex(vertex: Vertex): Vertex | Edge {
    const copies = this.#copiesOf(vertex)
    return copies.whole.get(keyOf(vertex)) ?? copies.keep(copies.source.copyVertex(vertex))
  }

  #copyEdge(edge: Edge): Edge {
    const copies = this.#copiesOf(edge)
    const present = copies.whole.get(keyOf(edge))
    if (present instanceof Edge) return present
    return copies.keep(copies.source.copyEdge(edge, this.#reference(edge.outVertex), this.#reference(edge.inVertex)))
  }

  /** The vertex with its id and label only. */
  #reference(vertex: Vertex): Vertex {
    const key = keyOf(vertex)
    const copies = this.#copiesOf(vertex)
    let reference = copies.references.get(key)
    if (reference === undefined) {
      reference = copies.source.addVertex(vertex.id, vertex.label)
      copies.references.set(key, reference)
    }
    return reference
  }

  #copyVertexProperty(property: VertexProperty): VertexProperty {
    const owner = property.vertex === null ? null : this.#reference(property.vertex)
    return new VertexProperty(owner, property.id, property.key, property.value, property.meta)
  }

  #copyOwner(owner: Edge | VertexProperty | null): Edge | VertexProperty | null {
    return owner === null ? null : owner instanceof Edge ? this.#copyEdge(owner) : this.#copyVertexProperty(owner)
  }
}
