import { download, escaped } from "../shell/Format.ts"
import { texts } from "../texts.ts"
import { JSON_INDENT, writeJson } from "../wire/Decode.ts"
import { Edge, Other, Path, plainOf, Subgraph, textOf, type Value, Vertex } from "../wire/Values.ts"
import { Columns } from "./Columns.ts"

/** The text of a cell. A text that a spreadsheet would take for a formula begins with an apostrophe. */
const safeText = (value: Value | undefined): string => {
  const text =
    value === undefined ? "" : typeof value === "object" && value !== null ? textOf(value) : String(value ?? "")
  return typeof value !== "number" && typeof value !== "bigint" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

const csvCell = (value: Value | undefined): string => {
  const safe = safeText(value)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Results as CSV, with the columns of the table. */
export const csvOf = (values: ReadonlyArray<Value>): string => {
  const columns = new Columns(values).all()
  const head = columns.map(({ name }) => csvCell(name)).join(",")
  const rows = values.map((value) => columns.map((column) => csvCell(column.of(value))).join(","))
  return [head, ...rows].join("\r\n")
}

/** Results as a spreadsheet takes them from the clipboard: cells with tabs between them. */
export const tabbedOf = (values: ReadonlyArray<Value>): string => {
  const columns = new Columns(values).all()
  const cell = (text: string): string => (/["\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const rows = values.map((value) => columns.map((column) => cell(safeText(column.of(value)))).join("\t"))
  return [columns.map(({ name }) => cell(safeText(name))).join("\t"), ...rows].join("\n")
}

/** The vertices and edges of a result, also those in its paths and subgraphs. */
export const elementsOf = (
  values: Iterable<Value>,
  found: { readonly vertices: Map<string, Vertex>; readonly edges: Map<string, Edge> } = {
    vertices: new Map(),
    edges: new Map()
  }
): typeof found => {
  for (const value of values) {
    if (value instanceof Vertex) found.vertices.set(value.id.text, value)
    else if (value instanceof Edge) found.edges.set(value.id.text, value)
    else if (value instanceof Path) elementsOf(value.objects, found)
    else if (value instanceof Other) elementsOf([value.value], found)
    else if (value instanceof Subgraph) {
      elementsOf(value.vertices, found)
      elementsOf(value.edges, found)
    } else if (Array.isArray(value)) elementsOf(value, found)
    else if (typeof value === "object" && value !== null && "entries" in value) {
      for (const [key, item] of (value as { readonly entries: Iterable<readonly [Value, Value]> }).entries) {
        elementsOf([key, item], found)
      }
    }
  }
  return found
}

const dataOf = (
  label: string,
  of: "labelV" | "labelE",
  properties: ReadonlyMap<string, ReadonlyArray<Value>>
): string =>
  [
    `<data key="${of}">${escaped(label)}</data>`,
    ...[...properties].map(([key, [value]]) => `<data key="${escaped(key)}">${escaped(textOf(value ?? ""))}</data>`)
  ].join("")

const MAX_INT32 = 0x7fff_ffff

const typeOf = (value: Value | undefined): string => {
  if (typeof value === "boolean") return "boolean"
  if (typeof value === "bigint") return BigInt.asIntN(64, value) === value ? "long" : "string"
  if (typeof value === "number") {
    if (!Number.isInteger(value)) return "double"
    return Math.abs(value) > MAX_INT32 ? "long" : "int"
  }
  return "string"
}

/** Types of numbers, each of which holds those before it; a double holds few long ones. */
const WIDENING = ["int", "long"]

/** The type that holds values of both types. */
const widest = (a: string, b: string): string => {
  if (a === b) return a
  if (WIDENING.includes(a) && WIDENING.includes(b)) return "long"
  return [a, b].every((type) => type === "int" || type === "double") ? "double" : "string"
}

/** Elements as GraphML. */
export const graphmlOf = (vertices: Iterable<Vertex>, edges: Iterable<Edge>): string => {
  const types = new Map<string, string>()
  const note = (properties: ReadonlyMap<string, ReadonlyArray<Value>>): void => {
    for (const [key, [value]] of properties) types.set(key, widest(types.get(key) ?? typeOf(value), typeOf(value)))
  }
  const nodes = [...vertices].map(({ id, label, properties }) => {
    note(properties)
    return `<node id="${escaped(id.text)}">${dataOf(label, "labelV", properties)}</node>`
  })
  const lines = [...edges].map(({ from, id, label, properties, to }) => {
    note(properties)
    const ends = `source="${escaped(from.id.text)}" target="${escaped(to.id.text)}"`
    return `<edge id="${escaped(id.text)}" ${ends}>${dataOf(label, "labelE", properties)}</edge>`
  })
  const labels = ["labelV", "labelE"].map(
    (id, at) => `<key id="${id}" for="${at === 0 ? "node" : "edge"}" attr.name="${id}" attr.type="string"/>`
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...labels,
    ...[...types].map(
      ([key, type]) => `<key id="${escaped(key)}" for="all" attr.name="${escaped(key)}" attr.type="${type}"/>`
    ),
    '<graph id="G" edgedefault="directed">',
    ...nodes,
    ...lines,
    "</graph></graphml>"
  ].join("\n")
}

/** The keys of which an element has several values: GraphML has one. */
const keysOfLists = (elements: Iterable<Vertex | Edge>): ReadonlyArray<string> => {
  const keys = new Set<string>()
  for (const { properties } of elements) for (const [key, values] of properties) if (values.length > 1) keys.add(key)
  return [...keys].sort()
}

/** Offers elements as a GraphML file. Returns why there is none; empty if there is one. */
export const exportGraphml = (name: string, vertices: Iterable<Vertex>, edges: Iterable<Edge>): string => {
  const [nodes, links] = [[...vertices], [...edges]]
  const keys = keysOfLists([...nodes, ...links])
  if (keys.length > 0) return texts.results.severalValues(keys.join(", "))
  download(name, "application/xml", graphmlOf(nodes, links))
  return ""
}

/** Formats of exported results. */
export type ExportFormat = "csv" | "json" | "graphml"

/** Offers results as a file. Returns why there is none; empty if there is one. */
export const exportResults = (values: ReadonlyArray<Value>, format: ExportFormat): string => {
  if (format === "graphml") {
    const { edges, vertices } = elementsOf(values)
    return exportGraphml("results.graphml", vertices.values(), edges.values())
  }
  if (format === "csv") download("results.csv", "text/csv", csvOf(values))
  else download("results.json", "application/json", writeJson(values.map(plainOf), JSON_INDENT))
  return ""
}
