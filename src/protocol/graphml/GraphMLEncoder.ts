import { type Edge, type Property, Vertex, type VertexProperty } from "../../structure/elements/Element.ts"
import type { GraphEncoder } from "../../structure/graph/GraphStream.ts"
import { isNumber, numberKind } from "../../structure/numbers/Numbers.ts"
import { text } from "../../structure/texts/Text.ts"
import { refusedBy, refusedValue } from "../FileValues.ts"

const LABEL_V = "labelV"
const LABEL_E = "labelE"

const types: Readonly<Record<string, string>> = {
  Int: "int",
  Long: "long",
  Float: "float",
  Double: "double"
}

/** GraphML's type of a value; undefined when it has none. */
const typeOf = (value: unknown): string | undefined => {
  if (typeof value === "boolean") return "boolean"
  if (typeof value === "string") return "string"
  return isNumber(value) ? types[numberKind(value)] : undefined
}

/** The ids of a property key by the types of its values. GraphML declares a key once for each type. */
type KeyTypes = Map<string, string>

/**
 * Writes GraphML 1.1 as TinkerPop does: vertices, then edges, labels with the keys labelV and labelE. The format has one value for
 * each key of an element, and six types; all other values are refused. A property key whose values have several types is
 * declared once for each type, with the same `attr.name`. TinkerPop reads such files.
 */
export class GraphMLEncoder implements GraphEncoder {
  readonly withEdges = false
  readonly #vertexKeys = new Map<string, KeyTypes>()
  readonly #edgeKeys = new Map<string, KeyTypes>()
  /** Ids of keys. Keys of vertices and of edges share one name space. */
  readonly #ids = new Set<string>([LABEL_V, LABEL_E])

  readonly survey = (element: Vertex | Edge): void => {
    const [keys, reserved] =
      element instanceof Vertex ? ([this.#vertexKeys, LABEL_V] as const) : ([this.#edgeKeys, LABEL_E] as const)
    refuseCharacters(element, text(element.id), "its id")
    refuseCharacters(element, element.label, "its label")
    for (const { key, value } of element.properties()) {
      if (key === reserved) throw refusedBy("GraphML", element, `the key ${key}`)
      const type = typeOf(value)
      if (type === undefined) throw refusedValue("GraphML", element, key, value)
      refuseCharacters(element, key, "a key")
      if (typeof value === "string") refuseCharacters(element, value, `the value under ${key}`)
      const known = keys.get(key)
      if (known === undefined) keys.set(key, new Map([[type, ""]]))
      else if (!known.has(type)) known.set(type, "")
    }
  }

  /** Chooses the ids of keys: the name, with a suffix when vertices, edges or types share the name. */
  #nameKeys(): void {
    for (const [keys, others, end] of [
      [this.#vertexKeys, this.#edgeKeys, "V"],
      [this.#edgeKeys, this.#vertexKeys, "E"]
    ] as const) {
      for (const [key, types] of keys) {
        for (const type of types.keys()) {
          let id = `${key}${types.size > 1 ? `.${type}` : ""}${others.has(key) ? end : ""}`
          while (this.#ids.has(id)) id += end
          this.#ids.add(id)
          types.set(type, id)
        }
      }
    }
  }

  begin(): string {
    this.#nameKeys()
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
        'xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.1/graphml.xsd">',
      ...keyElements("node", LABEL_V, this.#vertexKeys),
      ...keyElements("edge", LABEL_E, this.#edgeKeys),
      '<graph id="G" edgedefault="directed">',
      ""
    ].join("\n")
  }

  vertex(vertex: Vertex): string {
    const seen = new Set<string>()
    for (const { key, meta } of vertex.properties()) {
      if (seen.has(key)) throw refusedBy("GraphML", vertex, `several values of ${key}`)
      if (meta !== null && meta.size > 0) throw refusedBy("GraphML", vertex, `meta-properties of ${key}`)
      seen.add(key)
    }
    return `<node id="${attribute(text(vertex.id))}">${this.#data(vertex, "node", LABEL_V)}</node>\n`
  }

  edge(edge: Edge): string {
    const ends = `source="${attribute(text(edge.outVertex.id))}" target="${attribute(text(edge.inVertex.id))}"`
    return `<edge id="${attribute(text(edge.id))}" ${ends}>${this.#data(edge, "edge", LABEL_E)}</edge>\n`
  }

  #data(element: Vertex | Edge, kind: "node" | "edge", label: string): string {
    let data = `<data key="${label}">${escaped(element.label)}</data>`
    const properties: ReadonlyArray<Property | VertexProperty> = element.properties()
    const keys = kind === "node" ? this.#vertexKeys : this.#edgeKeys
    for (const { key, value } of properties) {
      data += `<data key="${attribute(keys.get(key)!.get(typeOf(value)!)!)}">${escaped(text(value))}</data>`
    }
    return data
  }

  end(): string {
    return "</graph>\n</graphml>\n"
  }
}

const keyElements = (
  element: "node" | "edge",
  label: string,
  keys: ReadonlyMap<string, KeyTypes>
): ReadonlyArray<string> => {
  const written = (id: string, key: string, type: string): string =>
    `<key id="${attribute(id)}" for="${element}" attr.name="${attribute(key)}" attr.type="${type}"/>`
  return [
    written(label, label, "string"),
    ...Array.from(keys, ([key, types]) => Array.from(types, ([type, id]) => written(id, key, type))).flat()
  ]
}

/** Characters that XML 1.0 cannot represent, not even as references. */
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

/** Escapes a text. Readers normalise line ends, so a carriage return is written as a reference. */
const escaped = (value: string): string => value.replace(/[&<>\r]/g, (character) => entities[character]!)

const attribute = (value: string): string => value.replace(/[&<>"\t\n\r]/g, (character) => entities[character]!)

const refuseCharacters = (element: Vertex | Edge, value: string, what: string): void => {
  if (impossible.test(value)) throw refusedBy("GraphML", element, `a character in ${what}`)
}
