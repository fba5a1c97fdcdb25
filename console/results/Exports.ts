import { download } from "../shell/Format.ts"
import { JSON_INDENT, writeJson } from "../wire/Decode.ts"
import { Edge, idKeyOf, Other, Path, plainOf, Subgraph, textOf, type Value, Vertex } from "../wire/Values.ts"
import { Columns } from "./Columns.ts"
import { exportGraphml } from "./Graphml.ts"

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

/** The vertices and edges of a result by the keys of their ids, also those in its paths and subgraphs. */
export const elementsOf = (
  values: Iterable<Value>,
  found: { readonly vertices: Map<string, Vertex>; readonly edges: Map<string, Edge> } = {
    vertices: new Map(),
    edges: new Map()
  }
): typeof found => {
  for (const value of values) {
    if (value instanceof Vertex) found.vertices.set(idKeyOf(value.id), value)
    else if (value instanceof Edge) found.edges.set(idKeyOf(value.id), value)
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

/** Formats of exported results. */
export type ExportFormat = "csv" | "json" | "graphml"

/** Offers results as a file. Returns why there is none, or what it does not have; empty if it has all. */
export const exportResults = (values: ReadonlyArray<Value>, format: ExportFormat): string => {
  if (format === "graphml") {
    const { edges, vertices } = elementsOf(values)
    return exportGraphml("results.graphml", vertices, edges)
  }
  if (format === "csv") download("results.csv", "text/csv", csvOf(values))
  else download("results.json", "application/json", writeJson(values.map(plainOf), JSON_INDENT))
  return ""
}
