import { GremlinMap } from "../../structure/collections/Collections.ts"
import type { GraphDecoder, GraphReceiver, StreamedProperty } from "../../structure/graph/GraphStream.ts"
import { FileText, Tail } from "../FileText.ts"
import { ProtocolError } from "../ProtocolError.ts"
import { type GraphSONOptions, GraphSONReader } from "./GraphSONReader.ts"

/** Characters of a line, which becomes one string: about half of what a string may have. */
const MAX_LINE_CHARACTERS = 268_435_456

/**
 * Reads a graph in GraphSON of any version, with or without types. Each line is a vertex with its properties and edges (an adjacency
 * list). All vertices may also be in the member `vertices` of one object.
 */
export class AdjacencyDecoder implements GraphDecoder {
  readonly #receiver: GraphReceiver
  readonly #text = new FileText()
  /** The parts of the line that is incomplete. */
  #open: Array<string> = []
  #openCharacters = 0
  #line = 0
  readonly #longest: number
  readonly #tail = new Tail()

  /** `longest`: the maximum length of a line, characters. */
  constructor(receiver: GraphReceiver, longest = MAX_LINE_CHARACTERS) {
    this.#receiver = receiver
    this.#longest = longest
  }

  get line(): number {
    return this.#line
  }

  get tail(): number {
    return this.#tail.bytes
  }

  push(bytes: Uint8Array): void {
    const text = this.#text.decode(bytes)
    this.#lines(text)
    this.#tail.read(bytes, text, text.lastIndexOf("\n") + 1 || -1, this.#text.undecoded)
  }

  end(): void {
    this.#lines(this.#text.end())
    this.#complete()
  }

  #lines(text: string): void {
    let from = 0
    for (let to = text.indexOf("\n"); to >= 0; to = text.indexOf("\n", from)) {
      this.#add(text.slice(from, to))
      this.#complete()
      from = to + 1
    }
    this.#add(text.slice(from))
  }

  #add(part: string): void {
    this.#open.push(part)
    this.#openCharacters += part.length
    if (this.#openCharacters <= this.#longest) return
    throw new ProtocolError(
      `Line ${this.#line + 1}: the line has more than ${this.#longest} characters, so a vertex has too many edges for GraphSON. Use ` +
        "CSV, where each edge has a line of its own."
    )
  }

  #complete(): void {
    const line = this.#open.join("")
    this.#open = []
    this.#openCharacters = 0
    this.#line++
    if (line.trim() === "") return
    try {
      this.#vertexOrAll(line)
    } catch (error) {
      if (error instanceof ProtocolError) throw new ProtocolError(`Line ${this.#line}: ${error.message}`)
      throw error
    }
  }

  #vertexOrAll(line: string): void {
    const reader = new GraphSONReader(line, adjacencyOptions(line))
    const value = reader.value()
    reader.json.end()
    const map = mapOf(value, "a vertex")
    const wrapped = map.get("vertices")
    if (Array.isArray(wrapped) && !map.has("id")) for (const vertex of wrapped) this.#vertex(mapOf(vertex, "a vertex"))
    else this.#vertex(map)
  }

  #vertex(vertex: GremlinMap): void {
    const id = vertex.get("id")
    if (id === undefined || id === null) throw new ProtocolError("a vertex has no id")
    const properties: Array<StreamedProperty> = []
    for (const [key, values] of mapOf(vertex.get("properties") ?? EMPTY, "the properties of a vertex")) {
      for (const value of listOf(values, "the properties of a key")) {
        const property = mapOf(value, "a property")
        const meta = namesOf(property.get("properties"), "meta-properties")
        properties.push({ id: property.get("id"), key: String(key), value: property.get("value") ?? null, meta })
      }
    }
    this.#receiver.vertex({ id, label: labelOf(vertex.get("label") ?? "vertex"), properties })
    this.#edges(vertex.get("outE"), id, "out")
    this.#edges(vertex.get("inE"), id, "in")
  }

  #edges(labels: unknown, vertex: unknown, listing: "out" | "in"): void {
    if (labels === undefined) return
    for (const [label, edges] of mapOf(labels, "the edges of a vertex")) {
      for (const item of listOf(edges, "the edges of a label")) {
        const edge = mapOf(item, "an edge")
        const other = edge.get(listing === "out" ? "inV" : "outV")
        if (other === undefined) throw new ProtocolError(`an edge ${String(label)} has no vertex at its other end`)
        this.#receiver.edge(
          {
            id: edge.get("id"),
            label: labelOf(label),
            out: listing === "out" ? vertex : other,
            in: listing === "out" ? other : vertex,
            properties: namesOf(edge.get("properties"), "the properties of an edge") ?? NONE
          },
          listing
        )
      }
    }
  }
}

/** The options for a line: GraphSON 1 with types has class names, later versions have types. */
export const adjacencyOptions = (line: string): GraphSONOptions => ({
  classes: !/"@type"\s*:/.test(line) && /"@class"\s*:/.test(line),
  integers: "Int"
})

const EMPTY = new GremlinMap()
const NONE: ReadonlyMap<string, unknown> = new Map()

const mapOf = (value: unknown, what: string): GremlinMap => {
  if (value instanceof GremlinMap) return value
  throw new ProtocolError(`${what} must be a JSON object`)
}

const listOf = (value: unknown, what: string): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return value
  throw new ProtocolError(`${what} must be a JSON array`)
}

const labelOf = (value: unknown): string => {
  if (typeof value === "string") return value
  throw new ProtocolError("a label must be a string")
}

/** Values by name; null when there are none. */
const namesOf = (value: unknown, what: string): ReadonlyMap<string, unknown> | null => {
  if (value === undefined || value === null) return null
  const names = new Map<string, unknown>()
  for (const [key, item] of mapOf(value, what)) names.set(String(key), item)
  return names.size === 0 ? null : names
}
