import { isUnidirected, multiplicityOf } from "../../layers/tools/RandomSchema.ts"

interface PlainVertex {
  readonly label: string
  /** Values with their meta-properties, as text. */
  readonly properties: Map<string, Array<string>>
}

interface PlainEdge {
  readonly label: string
  readonly out: string
  readonly into: string
  readonly properties: Map<string, string>
}

/** A vertex or edge as text. Equal elements have equal texts. */
export const elementText = (id: string, label: string, properties: Iterable<readonly [string, string]>): string =>
  `${label} ${id}: ${Array.from(properties, ([key, value]) => `${key}=${value}`)
    .sort()
    .join(", ")}`

/**
 * A graph in plain maps, to which the changes of committed transactions are applied. Changing an element that does not
 * exist throws, because the transaction should have had a conflict.
 */
export class PlainGraph {
  readonly vertices = new Map<string, PlainVertex>()
  readonly edges = new Map<string, PlainEdge>()

  #vertex(id: string): PlainVertex {
    const vertex = this.vertices.get(id)
    if (vertex === undefined) throw new Error(`a transaction changed vertex ${id}, which another one had removed`)
    return vertex
  }

  #edge(id: string): PlainEdge {
    const edge = this.edges.get(id)
    if (edge === undefined) throw new Error(`a transaction changed edge ${id}, which another one had removed`)
    return edge
  }

  addVertex(id: string, label: string): void {
    this.vertices.set(id, { label, properties: new Map() })
  }

  addEdge(id: string, label: string, out: string, into: string): void {
    for (const end of [out, into]) this.#vertex(end)
    this.edges.set(id, { label, out, into, properties: new Map() })
  }

  /** Undefined removes the property. */
  setSingle(id: string, key: string, value: string | undefined): void {
    const { properties } = this.#vertex(id)
    if (value === undefined) properties.delete(key)
    else properties.set(key, [value])
  }

  addValue(id: string, key: string, value: string, isSet: boolean): void {
    const { properties } = this.#vertex(id)
    const values = properties.get(key) ?? []
    if (!isSet || !values.includes(value)) values.push(value)
    properties.set(key, values)
  }

  removeValue(id: string, key: string, value: string): void {
    const values = this.#vertex(id).properties.get(key) ?? []
    const at = values.indexOf(value)
    if (at === -1)
      throw new Error(`a transaction removed ${key}=${value} of vertex ${id}, which another one had removed`)
    values.splice(at, 1)
  }

  /** Undefined removes the property. */
  setOfEdge(id: string, key: string, value: string | undefined): void {
    const { properties } = this.#edge(id)
    if (value === undefined) properties.delete(key)
    else properties.set(key, value)
  }

  removeEdge(id: string): void {
    this.#edge(id)
    this.edges.delete(id)
  }

  /** Removes a vertex and its edges, except the unidirected edges of other vertices to it. */
  removeVertex(id: string): void {
    this.#vertex(id)
    for (const [edge, { into, label, out }] of this.edges) {
      if (out === id || (into === id && !isUnidirected(label))) this.edges.delete(edge)
    }
    this.vertices.delete(id)
  }

  /** Throws for a violated multiplicity or unique index. */
  assertRules(): void {
    const taken = new Set<string>()
    const take = (name: string): void => {
      if (taken.has(name)) throw new Error(`Two elements have ${name}, which must be unique.`)
      taken.add(name)
    }
    for (const { into, label, out, properties } of this.edges.values()) {
      const multiplicity = multiplicityOf(label)
      if (multiplicity === "SIMPLE") take(`${label} from ${out} to ${into}`)
      if (multiplicity === "ONE2ONE" || multiplicity === "MANY2ONE") take(`${label} from ${out}`)
      if (multiplicity === "ONE2ONE" || multiplicity === "ONE2MANY") take(`${label} to ${into}`)
      if (properties.has("u")) take(`edge u ${properties.get("u")}`)
    }
    for (const { properties } of this.vertices.values()) {
      for (const value of properties.get("u") ?? []) take(`vertex u ${value}`)
    }
  }

  /** All elements as sorted text. */
  text(): string {
    const vertices = Array.from(this.vertices, ([id, { label, properties }]) =>
      elementText(
        id,
        label,
        [...properties].flatMap(([key, values]) => values.map((value) => [key, value] as const))
      )
    )
    const edges = Array.from(this.edges, ([id, { label, properties }]) => elementText(id, label, properties))
    return [...vertices.sort(), ...edges.sort()].join("\n")
  }
}
