import type { Edge, Vertex, VertexProperty } from "../../structure/elements/Element.ts"
import { TaggedError } from "../../structure/errors/TaggedError.ts"
import type { GraphEncoder } from "../../structure/graph/GraphStream.ts"
import { isInt } from "../../structure/numbers/Numbers.ts"
import { isSameValue, isWholeText, refusedBy, refusedValue } from "../FileValues.ts"
import { quoted } from "../json/JsonText.ts"
import { adjacencyOptions } from "./AdjacencyDecoder.ts"
import { GraphSONReader } from "./GraphSONReader.ts"
import type { GraphSONWriter } from "./GraphSONWriter.ts"
import { byKey } from "./VertexProperties.ts"

/** Edges of a part of the text of a vertex. */
const PART_EDGES = 256

/** Writes a graph in GraphSON: each line is a vertex with its properties and edges. The writer decides on types. */
export class AdjacencyEncoder implements GraphEncoder {
  readonly survey = null
  readonly withEdges = true
  readonly #writer: GraphSONWriter
  readonly #format: string

  /** @param version named in errors about values that it cannot represent */
  constructor(writer: GraphSONWriter, version: 1 | 2 | 3) {
    this.#writer = writer
    this.#format = `GraphSON ${version}`
  }

  begin(): string {
    return ""
  }
  end(): string {
    return ""
  }
  /** Edges are written with their vertices. */
  edge(): string {
    return ""
  }

  vertex(vertex: Vertex, out: ReadonlyArray<Edge>, into: ReadonlyArray<Edge>): string {
    return [...this.vertexParts(vertex, out, into)].join("")
  }

  *vertexParts(vertex: Vertex, out: ReadonlyArray<Edge>, into: ReadonlyArray<Edge>): Iterable<string> {
    if (!isWholeText(vertex.label))
      throw refusedBy(this.#format, vertex, "an incomplete character (half of a surrogate pair) in its label")
    yield `{"id":${this.#writer.value(vertex.id)},"label":${quoted(vertex.label)}`
    if (into.length > 0) yield* this.#edges(into, "inE")
    if (out.length > 0) yield* this.#edges(out, "outE")
    const properties = byKey(vertex.properties())
    yield properties.length > 0 ? `,"properties":${this.#properties(vertex, properties)}}\n` : "}\n"
  }

  /** The member with the edges, by their labels. */
  *#edges(edges: ReadonlyArray<Edge>, member: "inE" | "outE"): Iterable<string> {
    const byLabel = new Map<string, Array<Edge>>()
    for (const [at, edge] of edges.entries()) {
      const { label } = edge
      const known = byLabel.get(label)
      if (known === undefined) byLabel.set(label, [edge])
      else known.push(edge)
      if ((at + 1) % PART_EDGES === 0) yield ""
    }
    let text = `,"${member}":`
    let before = "{"
    for (const [label, own] of byLabel) {
      text += `${before}${quoted(label)}:[`
      before = "],"
      for (const [at, edge] of own.entries()) {
        text += `${at === 0 ? "" : ","}${this.#edge(edge, member)}`
        if ((at + 1) % PART_EDGES !== 0) continue
        yield text
        text = ""
      }
    }
    yield `${text}]}`
  }

  #edge(edge: Edge, member: "inE" | "outE"): string {
    const [end, other] = member === "outE" ? ["inV", edge.inVertex] : ["outV", edge.outVertex]
    let json = `{"id":${this.#writer.value(edge.id)},"${end}":${this.#writer.value(other.id)}`
    const properties = edge.properties().map(({ key, value }) => `${quoted(key)}:${this.#value(edge, key, value)}`)
    if (properties.length > 0) json += `,"properties":{${properties.join(",")}}`
    return `${json}}`
  }

  /** The JSON of the value of a property. Fails for a value that would be read as another one. */
  #value(element: Vertex | Edge, key: string, value: unknown): string {
    if (!isWholeText(key)) throw refusedBy(this.#format, element, `the key '${key}'`)
    const json = this.#writer.value(value)
    const isHeld = typeof value === "string" ? isWholeText(value) : this.#isHeld(json, value)
    if (!isHeld) throw refusedValue(this.#format, element, key, value)
    return json
  }

  #isHeld(json: string, value: unknown): boolean {
    if (typeof value === "boolean" || (typeof value === "number" && isInt(value))) return true
    try {
      const reader = new GraphSONReader(json, adjacencyOptions(json))
      const read = reader.value()
      reader.json.end()
      return isSameValue(read, value)
    } catch (error) {
      if (error instanceof TaggedError) return false
      throw error
    }
  }

  #properties(vertex: Vertex, properties: ReadonlyArray<VertexProperty>): string {
    let json = "{"
    let last: string | undefined
    for (const property of properties) {
      const { id, key, meta, value } = property
      if (key === last) json += ","
      else json += `${last === undefined ? "" : "],"}${quoted(key)}:[`
      last = key
      json += `{"id":${this.#writer.value(id)},"value":${this.#value(vertex, key, value)}`
      if (meta !== null && meta.size > 0) {
        const items = Array.from(meta, ([name, item]) => `${quoted(name)}:${this.#value(vertex, name, item)}`)
        json += `,"properties":{${items.join(",")}}`
      }
      json += "}"
    }
    return `${json}]}`
  }
}
