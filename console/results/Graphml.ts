import { download, escaped, isXmlText } from "../shell/Format.ts"
import { texts } from "../texts.ts"
import { type Edge, type ElementId, idKeyOf, type PropertyValue, textOf, Vertex } from "../wire/Values.ts"

const words = texts.results

/** The types of GraphML by those of GraphSON. All other values are refused, as the command `export` refuses them. */
const TYPES: Readonly<Partial<Record<string, string>>> = {
  "g:Int32": "int",
  "g:Int64": "long",
  "g:Float": "float",
  "g:Double": "double"
}

/** The type of GraphML that holds a value; undefined if there is none. */
const typeOf = ({ type, value }: PropertyValue): string | undefined => {
  if (type !== "") return TYPES[type]
  return typeof value === "string" || typeof value === "boolean" ? typeof value : undefined
}

const LABELS = { node: "labelV", edge: "labelE" } as const

type Kind = keyof typeof LABELS

const kindOf = (element: Vertex | Edge): Kind => (element instanceof Vertex ? "node" : "edge")

/** A key of the file: a property of vertices or of edges whose values have one type. */
interface Declared {
  readonly id: string
  readonly kind: Kind
  readonly name: string
  readonly type: string
}

/** The declared keys. A property whose values have several types is declared once for each. */
class Keys {
  readonly #found = new Map<string, Declared>()
  readonly #ids = new Set<string>(Object.values(LABELS))

  of(kind: Kind, name: string, type: string): Declared {
    const key = `${kind} ${type} ${name}`
    const known = this.#found.get(key)
    if (known !== undefined) return known
    let id = name
    for (let more = 2; this.#ids.has(id); more++) id = `${name}.${more}`
    this.#ids.add(id)
    const declared = { id, kind, name, type }
    this.#found.set(key, declared)
    return declared
  }

  all(): Iterable<Declared> {
    return this.#found.values()
  }
}

const keyOf = ({ id, kind, name, type }: Declared): string =>
  `<key id="${escaped(id)}" for="${kind}" attr.name="${escaped(name)}" attr.type="${type}"/>`

const dataOf = (element: Vertex | Edge, keys: Keys): string => {
  const kind = kindOf(element)
  let data = `<data key="${LABELS[kind]}">${escaped(element.label)}</data>`
  for (const [name, values] of element.properties) {
    for (const property of values) {
      const { id } = keys.of(kind, name, typeOf(property) ?? "string")
      data += `<data key="${escaped(id)}">${escaped(textOf(property.value))}</data>`
    }
  }
  return data
}

/** Elements as GraphML. They have nothing of {@link lossOf}. */
const graphmlOf = (vertices: Iterable<Vertex>, edges: Iterable<Edge>): string => {
  const keys = new Keys()
  const nodes = Array.from(vertices, (vertex) => `<node id="${escaped(vertex.id.text)}">${dataOf(vertex, keys)}</node>`)
  const lines = Array.from(edges, (edge) => {
    const ends = `source="${escaped(edge.from.id.text)}" target="${escaped(edge.to.id.text)}"`
    return `<edge id="${escaped(edge.id.text)}" ${ends}>${dataOf(edge, keys)}</edge>`
  })
  const labels = Object.entries(LABELS).map(([kind, id]) => keyOf({ id, kind: kind as Kind, name: id, type: "string" }))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...labels,
    ...Array.from(keys.all(), keyOf),
    '<graph id="G" edgedefault="directed">',
    ...nodes,
    ...lines,
    "</graph></graphml>"
  ].join("\n")
}

/** Why GraphML cannot hold the elements; undefined if it can. */
const lossOf = (elements: Iterable<Vertex | Edge>): string | undefined => {
  const [several, meta, others] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const element of elements) {
    const reserved = LABELS[kindOf(element)]
    if (element.properties.has(reserved)) return words.labelKey(reserved)
    const written = [element.id.text, element.label]
    for (const [key, values] of element.properties) {
      if (values.length > 1) several.add(key)
      if (values.some((property) => property.meta.size > 0)) meta.add(key)
      if (values.some((property) => typeOf(property) === undefined)) others.add(key)
      written.push(key, ...values.map(({ value }) => (typeof value === "string" ? value : "")))
    }
    if (!written.every(isXmlText))
      return words.noCharacter(`${kindOf(element) === "node" ? "v" : "e"}[${element.id.text}]`)
  }
  const named = (keys: ReadonlySet<string>): string => [...keys].sort().join(", ")
  if (several.size > 0) return words.severalValues(named(several))
  if (meta.size > 0) return words.metaProperties(named(meta))
  return others.size > 0 ? words.noType(named(others)) : undefined
}

/** The vertices of edges that are not among the elements. A file without them is no graph. */
const endsOf = (edges: Iterable<Edge>, has: (key: string) => boolean): ReadonlyArray<Vertex> => {
  const found = new Map<string, Vertex>()
  const add = ({ id, label }: { readonly id: ElementId; readonly label: string }): void => {
    if (!has(idKeyOf(id))) found.set(idKeyOf(id), new Vertex(id, label, new Map()))
  }
  for (const { from, to } of edges) for (const end of [from, to]) add(end)
  return [...found.values()]
}

/** Why GraphML, where an id is a text, cannot tell vertices apart; undefined if it can. */
const sameIdOf = (vertices: ReadonlyArray<Vertex>): string | undefined => {
  const seen = new Set<string>()
  for (const { id } of vertices) {
    if (seen.has(id.text)) return words.sameId(id.text)
    seen.add(id.text)
  }
  return undefined
}

/**
 * The text of a file, or why there is none. The elements are by the keys of their ids. `bare` counts the vertices of which only an edge
 * is known.
 */
export const graphmlFile = (
  vertices: ReadonlyMap<string, Vertex>,
  edges: ReadonlyMap<string, Edge>
): { readonly loss: string } | { readonly text: string; readonly bare: number } => {
  const ends = endsOf(edges.values(), (key) => vertices.has(key))
  const nodes = [...vertices.values(), ...ends]
  const loss = sameIdOf(nodes) ?? lossOf([...nodes, ...edges.values()])
  return loss === undefined ? { text: graphmlOf(nodes, edges.values()), bare: ends.length } : { loss }
}

/** Offers elements as a GraphML file. Returns why there is none, or what it does not have; empty if it has all. */
export const exportGraphml = (
  name: string,
  vertices: ReadonlyMap<string, Vertex>,
  edges: ReadonlyMap<string, Edge>
): string => {
  const file = graphmlFile(vertices, edges)
  if ("loss" in file) return words.noGraphml(file.loss)
  download(name, "application/xml", file.text)
  return file.bare === 0 ? "" : words.bareEnds(file.bare)
}
