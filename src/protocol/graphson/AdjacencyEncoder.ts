import type { Edge, Vertex, VertexProperty } from "../../structure/Element.ts"
import type { GraphEncoder } from "../../structure/GraphStream.ts"
import { quoted } from "../json/JsonText.ts"
import { byKey, type GraphSONWriter } from "./GraphSONWriter.ts"

/** Writes a graph in GraphSON: a vertex a line with its properties and edges. The writer decides version and types. */
export class AdjacencyEncoder implements GraphEncoder {
  readonly survey = null
  readonly withEdges = true
  readonly #writer: GraphSONWriter

  constructor(writer: GraphSONWriter) {
    this.#writer = writer
  }

  begin(): string {
    return ""
  }
  end(): string {
    return ""
  }
  /** Edges stand with their vertices. */
  edge(): string {
    return ""
  }

  vertex(vertex: Vertex, out: ReadonlyArray<Edge>, into: ReadonlyArray<Edge>): string {
    let line = `{"id":${this.#writer.value(vertex.id)},"label":${quoted(vertex.label)}`
    if (into.length > 0) line += `,"inE":${this.#edges(into, "outV")}`
    if (out.length > 0) line += `,"outE":${this.#edges(out, "inV")}`
    const properties = byKey(vertex.properties())
    if (properties.length > 0) line += `,"properties":${this.#properties(properties)}`
    return `${line}}\n`
  }

  #edges(edges: ReadonlyArray<Edge>, end: "inV" | "outV"): string {
    const byLabel = new Map<string, Array<string>>()
    for (const edge of edges) {
      const other = end === "inV" ? edge.inVertex : edge.outVertex
      let json = `{"id":${this.#writer.value(edge.id)},"${end}":${this.#writer.value(other.id)}`
      const properties = edge.properties().map(({ key, value }) => `${quoted(key)}:${this.#writer.value(value)}`)
      if (properties.length > 0) json += `,"properties":{${properties.join(",")}}`
      const { label } = edge
      const known = byLabel.get(label)
      if (known === undefined) byLabel.set(label, [`${json}}`])
      else known.push(`${json}}`)
    }
    return `{${[...byLabel].map(([label, items]) => `${quoted(label)}:[${items.join(",")}]`).join(",")}}`
  }

  #properties(properties: ReadonlyArray<VertexProperty>): string {
    let json = "{"
    let last: string | undefined
    for (const property of properties) {
      const { id, key, meta, value } = property
      if (key === last) json += ","
      else json += `${last === undefined ? "" : "],"}${quoted(key)}:[`
      last = key
      json += `{"id":${this.#writer.value(id)},"value":${this.#writer.value(value)}`
      if (meta !== null && meta.size > 0) {
        const items = Array.from(meta, ([name, item]) => `${quoted(name)}:${this.#writer.value(item)}`)
        json += `,"properties":{${items.join(",")}}`
      }
      json += "}"
    }
    return `${json}]}`
  }
}
