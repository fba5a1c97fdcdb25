import { Property, type Ref, VertexProperty } from "../../structure/elements/Element.ts"
import { ForwardingTransaction } from "../../structure/graph/ForwardingTransaction.ts"
import type { IndexChoice, IndexQuery, PropertyReader } from "../../structure/graph/GraphReads.ts"
import { text } from "../../structure/texts/Text.ts"

/**
 * The transaction that a traversal sees after pageRank(), peerPressure() and so on: its vertices have computed properties
 * besides their stored ones. Computed properties belong to the run and are never written to the graph. They hide stored
 * properties of the same key.
 */
export class ComputedGraph extends ForwardingTransaction {
  /** Readers by key. The value is undefined for a vertex without the property. */
  readonly #computed = new Map<string, PropertyReader>()

  /** Adds a computed property. */
  compute(key: string, reader: PropertyReader): void {
    this.#computed.set(key, reader)
  }

  override chooseIndex(query: IndexQuery): IndexChoice | undefined {
    const hidden = query.element === "vertex" && query.conditions.some(({ key }) => this.#computed.has(key))
    return hidden ? undefined : this.inner.chooseIndex(query)
  }

  override vertexReader(key: string): PropertyReader {
    const stored = this.inner.vertexReader(key)
    // The reader may be older than the computed property: a closure remembers it.
    return { value: (ref) => (this.#computed.get(key) ?? stored).value(ref) }
  }

  override vertexKeys(ref: Ref): readonly string[] {
    const own = this.inner.vertexKeys(ref).filter((key) => !this.#computed.has(key))
    for (const [key, reader] of this.#computed) if (reader.value(ref) !== undefined) own.push(key)
    return own
  }

  override vertexProperties(ref: Ref, keys: readonly string[] | null): readonly VertexProperty[] {
    const vertex = this.vertex(ref)
    const properties = this.inner
      .vertexProperties(ref, keys)
      .filter(({ key }) => !this.#computed.has(key))
      .map(({ id, key, value, meta }) => new VertexProperty(vertex, id, key, value, meta))
    for (const [key, reader] of this.#computed) {
      if (keys !== null && !keys.includes(key)) continue
      const value = reader.value(ref)
      if (value !== undefined)
        properties.push(new VertexProperty(vertex, `${text(vertex.id)}-${key}`, key, value, null))
    }
    return properties
  }

  override setMetaProperty(property: VertexProperty, key: string, value: unknown): VertexProperty {
    return this.inner.setMetaProperty(this.#toInner(property), key, value)
  }

  override removeVertexProperty(property: VertexProperty): void {
    if (!this.#computed.has(property.key)) this.inner.removeVertexProperty(this.#toInner(property))
  }

  override removeProperty(property: Property): void {
    const { element, key, value } = property
    const owner =
      element instanceof VertexProperty
        ? this.#toInner(element)
        : element === null
          ? null
          : this.inner.edge(this.refOfEdge(element))
    this.inner.removeProperty(new Property(owner, key, value))
  }

  /** The property as a handle of the inner transaction. */
  #toInner({ vertex, id, key, value, meta }: VertexProperty): VertexProperty {
    const owner = vertex === null ? null : this.inner.vertex(this.refOfVertex(vertex))
    return new VertexProperty(owner, id, key, value, meta)
  }
}
