import { GremlinMap, GremlinSet } from "../structure/Collections.ts"
import { Detached, Edge, type ElementSource, Property, Vertex, VertexProperty } from "../structure/Element.ts"
import { Path } from "../structure/Path.ts"

/**
 * The value with copies in place of the elements that `source` (an ending transaction) gives their data to. The value
 * itself where it has none. Copies keep id, label and properties, and stand for the element in later traversals.
 */
export const detachFrom = (value: unknown, source: ElementSource): unknown => new Detaching(source).value(value)

class Detaching {
  readonly #source: ElementSource
  readonly #copies = new Detached()
  constructor(source: ElementSource) {
    this.#source = source
  }

  value(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value
    if (value instanceof Vertex) return value.source === this.#source ? this.#vertex(value, true) : value
    if (value instanceof Edge) return value.source === this.#source ? this.#edge(value) : value
    if (value instanceof VertexProperty) return this.#vertexProperty(value)
    if (value instanceof Property) return this.#property(value)
    if (Array.isArray(value)) return this.#list(value)
    if (value instanceof Path) {
      const objects = this.#list(value.objects)
      return objects === value.objects ? value : new Path(objects, value.labels)
    }
    if (value instanceof GremlinMap) return this.#map(value)
    if (value instanceof GremlinSet) {
      const before = [...value]
      const after = this.#list(before)
      return after === before ? value : new GremlinSet(after)
    }
    return value
  }

  #vertex(vertex: Vertex, withProperties: boolean): Vertex {
    const copy = this.#copies.addVertex(vertex.id, vertex.label)
    if (withProperties) {
      for (const { id, key, meta, value } of vertex.properties()) {
        this.#copies.addVertexProperty(copy, id, key, value, meta)
      }
    }
    return copy
  }

  #edge(edge: Edge): Edge {
    const copy = this.#copies.addEdge(
      edge.id,
      edge.label,
      this.#vertex(edge.outVertex, false),
      this.#vertex(edge.inVertex, false)
    )
    for (const { key, value } of edge.properties()) this.#copies.addEdgeProperty(copy, key, value)
    return copy
  }

  #vertexProperty(property: VertexProperty): VertexProperty {
    const vertex = property.vertex
    if (vertex === null || vertex.source !== this.#source) return property
    return new VertexProperty(this.#vertex(vertex, false), property.id, property.key, property.value, property.meta)
  }

  #property(property: Property): Property {
    const element = this.value(property.element)
    return element === property.element
      ? property
      : new Property(element as Edge | VertexProperty, property.key, property.value)
  }

  /** The list itself when nothing in it changed. */
  #list(list: readonly unknown[]): readonly unknown[] {
    let copy: Array<unknown> | undefined
    for (let i = 0; i < list.length; i++) {
      const item = this.value(list[i])
      if (item !== list[i]) {
        copy ??= list.slice()
        copy[i] = item
      }
    }
    return copy ?? list
  }

  #map(map: GremlinMap): GremlinMap {
    let changed = false
    const entries: Array<readonly [unknown, unknown]> = []
    for (const [key, value] of map) {
      const entry = [this.value(key), this.value(value)] as const
      if (entry[0] !== key || entry[1] !== value) changed = true
      entries.push(entry)
    }
    return changed ? new GremlinMap(entries) : map
  }
}
