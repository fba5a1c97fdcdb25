import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "./Collections.ts"
import { Detached, Edge, Property, Vertex, VertexProperty } from "./Element.ts"
import { keyOf } from "./Equivalence.ts"
import { Path } from "./Path.ts"
import { Tree } from "./Tree.ts"

/**
 * A copy of a value whose elements are copied out of their transaction, so that the copy can be used after its end: a session
 * keeps such copies in its variables. Vertices and edges are copied with their properties; the vertices of an edge or of a
 * property only with id and label. Collections are copied, too.
 */
export const detach = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? new Detaching().copy(value) : value

/** One traversal of a value; the copies share one source, and an element that occurs twice is copied once. */
class Detaching {
  readonly #source = new Detached()
  readonly #whole = new Map<unknown, Vertex | Edge>()
  readonly #references = new Map<unknown, Vertex>()

  copy(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) return this.#copyAll(value)
    if (value instanceof Vertex) return this.#whole.get(keyOf(value)) ?? this.#keep(this.#source.copyVertex(value))
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

  #keep<E extends Vertex | Edge>(element: E): E {
    this.#whole.set(keyOf(element), element)
    return element
  }

  #copyEdge(edge: Edge): Edge {
    const present = this.#whole.get(keyOf(edge))
    if (present instanceof Edge) return present
    return this.#keep(this.#source.copyEdge(edge, this.#reference(edge.outVertex), this.#reference(edge.inVertex)))
  }

  /** The vertex with its id and label only. */
  #reference(vertex: Vertex): Vertex {
    const key = keyOf(vertex)
    let reference = this.#references.get(key)
    if (reference === undefined) {
      reference = this.#source.addVertex(vertex.id, vertex.label)
      this.#references.set(key, reference)
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
