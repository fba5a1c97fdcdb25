import type { BulkSet, GremlinMap } from "../../structure/Collections.ts"
import type { Edge, Property, Vertex, VertexProperty } from "../../structure/Element.ts"
import type { Path } from "../../structure/Path.ts"
import type { SubGraph } from "../../structure/SubGraph.ts"
import type { Tree } from "../../structure/Tree.ts"
import { relationParts } from "../JanusGraphTypes.ts"
import { writeRelationIdentifier } from "./CustomWriting.ts"
import { DataType } from "./DataType.ts"
import { ScalarWriter } from "./ScalarWriter.ts"

/** Writes elements and collections of GraphBinary 1.0, long ones slice by slice where a result is written so. */
export abstract class ElementWriter extends ScalarWriter {
  /** False: elements are written with null for their properties. */
  properties = true

  /** A value of any type with its type code. */
  abstract value(value: unknown): void

  protected collection(code: number, size: number, values: Iterable<unknown>): void {
    this.type(code)
    this.int(size)
    this.#members(values, size, this.#value)
  }

  readonly #value = (value: unknown): undefined => this.value(value) as undefined

  /** What a collection holds; `write` is called for each member. */
  #members<A>(collection: Iterable<A> & object, size: number, write: (member: A) => undefined): void {
    const long = this.mode.longOf(collection)
    if (long !== null) {
      long.members(size, collection, write, this.resumed)
      return
    }
    const start = this.position
    for (const member of collection) {
      write(member)
      this.mode.checkLength(this.position - start)
    }
  }

  list(values: readonly unknown[]): void {
    this.type(DataType.List)
    this.int(values.length)
    const long = this.mode.longOf(values)
    if (long !== null) {
      long.members(values.length, values, this.#value, this.resumed)
      return
    }
    const start = this.position
    for (let i = 0; i < values.length; i++) {
      this.value(values[i])
      this.mode.checkLength(this.position - start)
    }
  }

  protected typedMap(map: GremlinMap): void {
    this.type(DataType.Map)
    this.int(map.size)
    const long = this.mode.longOf(map)
    if (long !== null) {
      long.members(map.size, map, this.#entry, this.resumed)
      return
    }
    const start = this.position
    map.forEach((value, key) => {
      this.value(key)
      this.value(value)
      this.mode.checkLength(this.position - start)
    })
  }

  readonly #entry = ([key, value]: readonly [unknown, unknown]): undefined => {
    this.value(key)
    this.value(value)
  }

  /** A map of named values without type code. */
  map(map: ReadonlyMap<string, unknown>): void {
    this.int(map.size)
    for (const [key, value] of map) {
      this.value(key)
      this.value(value)
    }
  }

  protected bulkSet(set: BulkSet): void {
    this.type(DataType.BulkSet)
    this.int(set.uniqueSize)
    const write = ([value, count]: [unknown, number]): undefined => {
      this.value(value)
      this.longOfNumber(count)
    }
    const long = this.mode.longOf(set)
    if (long !== null) {
      long.members(set.uniqueSize, set.entries(), write, this.resumed)
      return
    }
    const start = this.position
    for (const entry of set.entries()) {
      write(entry)
      this.mode.checkLength(this.position - start)
    }
  }

  protected traverser(value: unknown, bulk: number): void {
    this.type(DataType.Traverser)
    this.longOfNumber(bulk)
    this.value(value)
  }

  protected vertex(vertex: Vertex): void {
    this.type(DataType.Vertex)
    this.value(vertex.id)
    this.string(vertex.label)
    if (!this.properties) return this.null()
    const properties = vertex.properties()
    this.type(DataType.List)
    this.int(properties.length)
    this.#members(properties, properties.length, this.#vertexProperty)
  }

  readonly #vertexProperty = (property: VertexProperty): undefined => this.vertexProperty(property) as undefined

  protected vertexProperty(property: VertexProperty): void {
    this.type(DataType.VertexProperty)
    this.#vertexPropertyHead(property)
    if (!this.properties) return this.null()
    this.type(DataType.List)
    this.#metaProperties(property)
  }

  /** Up to the parent, which is always null. */
  #vertexPropertyHead(property: VertexProperty): void {
    this.#id(property.id)
    this.string(property.key)
    this.value(property.value)
    this.null()
  }

  #metaProperties({ meta }: VertexProperty): void {
    this.int(meta === null ? 0 : meta.size)
    if (meta !== null) for (const [key, value] of meta) this.property(key, value)
  }

  protected property(key: string, value: unknown): void {
    this.type(DataType.Property)
    this.string(key)
    this.value(value)
    this.null()
  }

  /** The id of an edge or a property. */
  #id(id: unknown): void {
    const parts = this.janusGraph ? relationParts(id) : undefined
    if (parts === undefined) this.value(id)
    else writeRelationIdentifier(this, parts)
  }

  protected edge(edge: Edge): void {
    const { inVertex, outVertex } = edge
    this.type(DataType.Edge)
    this.#id(edge.id)
    this.string(edge.label)
    this.value(inVertex.id)
    this.string(inVertex.label)
    this.value(outVertex.id)
    this.string(outVertex.label)
    this.null()
    if (!this.properties) return this.null()
    this.type(DataType.List)
    this.#properties(edge.properties())
  }

  #properties(properties: readonly Property[]): void {
    this.int(properties.length)
    this.#members(properties, properties.length, this.#property)
  }

  readonly #property = ({ key, value }: Property): undefined => this.property(key, value) as undefined

  protected path(path: Path): void {
    this.type(DataType.Path)
    this.type(DataType.List)
    this.int(path.labels.length)
    this.#members(path.labels, path.labels.length, this.#labels)
    this.list(path.objects)
  }

  readonly #labels = (labels: ReadonlySet<string>): undefined =>
    this.collection(DataType.Set, labels.size, labels) as undefined

  protected tree(tree: Tree): void {
    this.int(tree.children.size)
    this.#members(tree.children, tree.children.size, ([key, child]): undefined => {
      this.value(key)
      this.tree(child as Tree)
    })
  }

  /** Elements of a graph have forms of their own: no type codes around properties, no labels at an edge's vertices. */
  protected graph(graph: SubGraph): void {
    this.type(DataType.Graph)
    this.int(graph.vertices.length)
    this.#members(graph.vertices, graph.vertices.length, (vertex): undefined => {
      const properties = vertex.properties()
      this.value(vertex.id)
      this.string(vertex.label)
      this.int(properties.length)
      for (const property of properties) {
        this.#vertexPropertyHead(property)
        this.#metaProperties(property)
      }
    })
    this.int(graph.edges.length)
    this.#members(graph.edges, graph.edges.length, (edge): undefined => {
      this.value(edge.id)
      this.string(edge.label)
      this.value(edge.inVertex.id)
      this.null()
      this.value(edge.outVertex.id)
      this.null()
      this.null()
      this.#properties(edge.properties())
    })
  }
}
