import { type Edge, type Property, Vertex, type VertexProperty } from "../../structure/Element.ts"
import type { GraphEncoder } from "../../structure/GraphStream.ts"
import { isNumber, numberKind } from "../../structure/Numbers.ts"
import { text } from "../../structure/Text.ts"
import { SerializationError } from "../ProtocolError.ts"

const LABEL_V = "labelV"
const LABEL_E = "labelE"

const types: Readonly<Record<string, string>> = {
  Int: "int",
  Long: "long",
  Float: "float",
  Double: "double"
}

/** GraphML's type of a value; what has none is written as text. */
const typeOf = (value: unknown): string => {
  if (typeof value === "boolean") return "boolean"
  return isNumber(value) ? (types[numberKind(value)] ?? "string") : "string"
}

/**
 * Writes GraphML 1.1 as TinkerPop does: vertices, then edges, labels under labelV and labelE. The format has one value for
 * each key of an element, of a few types; everything else is refused or becomes text.
 */
export class GraphMLEncoder implements GraphEncoder {
  readonly withEdges = false
  readonly #vertexKeys = new Map<string, string>()
  readonly #edgeKeys = new Map<string, string>()

  /** The type of a key is that of its values where they agree, else string. */
  readonly survey = (element: Vertex | Edge): void => {
    const keys = element instanceof Vertex ? this.#vertexKeys : this.#edgeKeys
    for (const { key, value } of element.properties()) {
      const type = typeOf(value)
      keys.set(key, (keys.get(key) ?? type) === type ? type : "string")
    }
  }

  begin(): string {
    for (const [keys, reserved] of [[this.#vertexKeys, LABEL_V] as const, [this.#edgeKeys, LABEL_E] as const]) {
      if (!keys.has(reserved)) continue
      throw new SerializationError(`A property has the key ${reserved}, under which GraphML keeps labels; rename it.`)
    }
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
        'xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.1/graphml.xsd">',
      ...this.#keyElements("node", [[LABEL_V, "string"], ...this.#vertexKeys]),
      ...this.#keyElements("edge", [[LABEL_E, "string"], ...this.#edgeKeys]),
      '<graph id="G" edgedefault="directed">',
      ""
    ].join("\n")
  }

  #keyElements(element: "node" | "edge", keys: ReadonlyArray<readonly [string, string]>): ReadonlyArray<string> {
    return keys.map(([key, type]) => {
      const id = attribute(this.#keyId(key, element))
      return `<key id="${id}" for="${element}" attr.name="${attribute(key)}" attr.type="${type}"/>`
    })
  }

  /** A key that vertices and edges have needs two ids. */
  #keyId(key: string, element: "node" | "edge"): string {
    const shared = this.#vertexKeys.has(key) && this.#edgeKeys.has(key)
    return shared ? `${key}${element === "node" ? "V" : "E"}` : key
  }

  vertex(vertex: Vertex): string {
    const seen = new Set<string>()
    for (const { key, meta } of vertex.properties()) {
      if (seen.has(key)) throw refused(vertex, `several values of ${key}`)
      if (meta !== null && meta.size > 0) throw refused(vertex, `meta-properties of ${key}`)
      seen.add(key)
    }
    return `<node id="${attribute(text(vertex.id))}">${this.#data(vertex, "node", LABEL_V)}</node>\n`
  }

  edge(edge: Edge): string {
    const ends = `source="${attribute(text(edge.outVertex.id))}" target="${attribute(text(edge.inVertex.id))}"`
    return `<edge id="${attribute(text(edge.id))}" ${ends}>${this.#data(edge, "edge", LABEL_E)}</edge>\n`
  }

  #data(element: Vertex | Edge, kind: "node" | "edge", label: string): string {
    let data = `<data key="${label}">${escaped(element.label, "a label")}</data>`
    const properties: ReadonlyArray<Property | VertexProperty> = element.properties()
    for (const { key, value } of properties) {
      const content = value === null ? "" : escaped(text(value), `the property ${key}`)
      data += `<data key="${attribute(this.#keyId(key, kind))}">${content}</data>`
    }
    return data
  }

  end(): string {
    return "</graph>\n</graphml>\n"
  }
}

const refused = (vertex: Vertex, what: string): SerializationError =>
  new SerializationError(
    `The vertex ${text(vertex.id)} has ${what}, which GraphML cannot hold; write GraphSON instead.`
  )

/** Characters that no XML 1.0 text can have, in whatever way they are written. */
const impossible = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;"
}

const checked = (value: string, what: string): string => {
  if (!impossible.test(value)) return value
  throw new SerializationError(`The text of ${what} has a character that XML cannot hold; write GraphSON instead.`)
}

/** Readers normalise line ends: a carriage return must be written as a reference. */
const escaped = (value: string, what: string): string =>
  checked(value, what).replace(/[&<>\r]/g, (character) => entities[character]!)

const attribute = (value: string): string =>
  checked(value, "an id or key").replace(/[&<>"\t\n\r]/g, (character) => entities[character]!)
