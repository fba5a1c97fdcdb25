import { decode, parseJson } from "../wire/Decode.ts"
import { type Value, Vertex } from "../wire/Values.ts"

/** A vertex to be made. */
export interface NewVertex {
  /** Its id in the file, by which edges name it. */
  readonly key: string
  readonly label: string
  readonly properties: ReadonlyArray<readonly [string, Value]>
}

/** An edge to be made. */
export interface NewEdge {
  readonly from: string
  readonly to: string
  readonly label: string
  readonly properties: ReadonlyArray<readonly [string, Value]>
}

/** What a file contains. */
export interface ParsedFile {
  readonly vertices: ReadonlyArray<NewVertex>
  readonly edges: ReadonlyArray<NewEdge>
  /** Columns or keys with the types of their values, for the preview. */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string }>
}

/** The records of a CSV text. A field in quotes may contain commas, line ends and doubled quotes. */
const recordsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const records: Array<Array<string>> = []
  let record: Array<string> = []
  const field = /(?:"((?:[^"]|"")*)"|((?!")[^,\r\n]*))(,|\r?\n|$)/gy
  const source = text.replace(/^\ufeff/, "")
  while (field.lastIndex < source.length) {
    const at = field.lastIndex
    const found = field.exec(source)
    if (found === null) throw new Error(`the field at character ${at + 1} has an unfinished quote`)
    record.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? "")
    if (found[3] !== ",") {
      if (record.length > 1 || record[0] !== "") records.push(record)
      record = []
    } else if (field.lastIndex === source.length) record.push("")
  }
  if (record.length > 0) records.push(record)
  return records
}

/** A column of CSV: `name`, `name:type`, or a name of Neptune or Neo4j with a meaning. */
interface CsvColumn {
  readonly name: string
  readonly type: string
  readonly role: "id" | "label" | "from" | "to" | "property"
}

const ROLES: Readonly<Record<string, CsvColumn["role"]>> = {
  "~id": "id",
  ":id": "id",
  id: "id",
  "~label": "label",
  ":label": "label",
  ":type": "label",
  label: "label",
  "~from": "from",
  ":start_id": "from",
  from: "from",
  "~to": "to",
  ":end_id": "to",
  to: "to"
}

const TYPES: Readonly<Record<string, string>> = {
  int: "int",
  integer: "int",
  long: "int",
  float: "double",
  double: "double",
  bool: "boolean",
  boolean: "boolean",
  string: "string"
}

const guessed = (values: ReadonlyArray<string>): string => {
  const given = values.filter((value) => value !== "")
  if (given.length === 0) return "string"
  // A number with a leading zero is a code.
  if (given.every((value) => /^-?(?:0|[1-9]\d{0,14})$/.test(value))) return "int"
  if (given.every((value) => /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value) && value.length < 18))
    return "double"
  return given.every((value) => /^(?:true|false)$/i.test(value)) ? "boolean" : "string"
}

const columnOf = (header: string, values: ReadonlyArray<string>): CsvColumn => {
  const role = ROLES[header.trim().toLowerCase()]
  if (role !== undefined) return { name: header, type: "string", role }
  const [, idName] = /^(.*):id(?:\(.*\))?$/i.exec(header) ?? []
  if (idName !== undefined) return { name: idName, type: "string", role: "id" }
  const [, end] = /^:(start|end)_id\(.*\)$/i.exec(header) ?? []
  if (end !== undefined) return { name: header, type: "string", role: end.toLowerCase() === "start" ? "from" : "to" }
  const colon = header.lastIndexOf(":")
  const declared = colon > 0 ? TYPES[header.slice(colon + 1).toLowerCase()] : undefined
  if (declared !== undefined) return { name: header.slice(0, colon), type: declared, role: "property" }
  return { name: header.trim(), type: guessed(values), role: "property" }
}

const typedValue = (text: string, type: string): Value => {
  if (type === "int" || type === "double") return Number(text)
  return type === "boolean" ? text.toLowerCase() === "true" : text
}

/** Reads CSV: edges when it has columns of both ends, else vertices. `label` is for rows without one. */
const readCsv = (text: string, label: string): ParsedFile => {
  const [headers = [], ...rows] = recordsOf(text)
  if (rows.length === 0) throw new Error("it has no rows below its header")
  const columns = headers.map((header, at) =>
    columnOf(
      header,
      rows.map((row) => row[at] ?? "")
    )
  )
  const cell = (row: ReadonlyArray<string>, role: CsvColumn["role"]): string | undefined => {
    const at = columns.findIndex((column) => column.role === role)
    return at < 0 ? undefined : row[at]
  }
  const propertiesOf = (row: ReadonlyArray<string>): ReadonlyArray<readonly [string, Value]> =>
    columns.flatMap(({ name, role, type }, at) => {
      const value = row[at] ?? ""
      return role === "property" && value !== "" ? [[name, typedValue(value, type)] as const] : []
    })
  const labelOf = (row: ReadonlyArray<string>): string =>
    (cell(row, "label") ?? "").split(";")[0]?.replace(/^:/, "") || label
  const shown = columns.map(({ name, role, type }) => ({ name, type: role === "property" ? type : role }))
  const isEdges = columns.some(({ role }) => role === "from") && columns.some(({ role }) => role === "to")
  if (!isEdges) {
    const vertices = rows.map((row, at) => ({
      key: cell(row, "id") ?? String(at),
      label: labelOf(row),
      properties: propertiesOf(row)
    }))
    return { vertices, edges: [], columns: shown }
  }
  const edges = rows.map((row) => ({
    from: cell(row, "from") ?? "",
    to: cell(row, "to") ?? "",
    label: labelOf(row),
    properties: propertiesOf(row)
  }))
  return { vertices: [], edges, columns: shown }
}

/** Reads GraphML. The parser of the browser loads nothing from elsewhere. */
const readGraphml = (text: string, label: string): ParsedFile => {
  const document = new DOMParser().parseFromString(text, "application/xml")
  const broken = document.querySelector("parsererror")
  if (broken !== null) throw new Error(broken.textContent?.slice(0, 200) ?? "it is not XML")
  const keys = new Map(
    Array.from(document.getElementsByTagName("key"), (key) => [
      key.getAttribute("id") ?? "",
      {
        name: key.getAttribute("attr.name") ?? key.getAttribute("id") ?? "",
        type: key.getAttribute("attr.type") ?? "string"
      }
    ])
  )
  const dataOf = (element: Element): ReadonlyArray<readonly [string, Value]> =>
    Array.from(element.children)
      .filter(({ localName }) => localName === "data")
      .map((data) => {
        const key = data.getAttribute("key") ?? ""
        const { name, type } = keys.get(key) ?? { name: key, type: "string" }
        return [
          name,
          typedValue(
            data.textContent ?? "",
            type === "float" || type === "long" ? (type === "long" ? "int" : "double") : type
          )
        ] as const
      })
  const isLabel = ([name]: readonly [string, Value]): boolean => name === "labelV" || name === "labelE"
  const partsOf = (element: Element) => {
    const data = dataOf(element)
    return { label: String(data.find(isLabel)?.[1] ?? label), properties: data.filter((pair) => !isLabel(pair)) }
  }
  const vertices = Array.from(document.getElementsByTagName("node"), (node) => ({
    key: node.getAttribute("id") ?? "",
    ...partsOf(node)
  }))
  const edges = Array.from(document.getElementsByTagName("edge"), (edge) => ({
    from: edge.getAttribute("source") ?? "",
    to: edge.getAttribute("target") ?? "",
    ...partsOf(edge)
  }))
  return { vertices, edges, columns: [...keys.values()].filter(({ name }) => !/^label[VE]$/.test(name)) }
}

const record = (json: unknown): Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null ? (json as Readonly<Record<string, unknown>>) : {}

/** A line of GraphSON: a vertex with its outgoing edges. */
const lineOf = (json: unknown): { readonly vertex: NewVertex; readonly edges: ReadonlyArray<NewEdge> } => {
  const { id, label, outE, properties } = record(json)
  const vertex = decode({ "@type": "g:Vertex", "@value": { id, label, properties } })
  if (!(vertex instanceof Vertex)) throw new Error("a line has no vertex")
  const key = vertex.id.text
  const edges = Object.entries(record(outE)).flatMap(([name, list]) =>
    (Array.isArray(list) ? list : []).map((edge: unknown) => {
      const { inV, properties: own } = record(edge)
      const pairs = Object.entries(record(own)).map(([key, value]) => [key, decode(value)] as const)
      return { from: key, to: String(decode(inV)), label: name, properties: pairs }
    })
  )
  const pairs = [...vertex.properties].flatMap(([name, values]) => values.map((value) => [name, value] as const))
  return { vertex: { key, label: vertex.label, properties: pairs }, edges }
}

/** Reads GraphSON as TinkerPop writes it: one vertex a line, or a list of them. */
const readGraphson = (text: string): ParsedFile => {
  const trimmed = text.trim()
  const lines = trimmed.startsWith("[")
    ? (parseJson(trimmed) as ReadonlyArray<unknown>)
    : trimmed
        .split(/\r?\n/)
        .filter((line) => line.trim() !== "")
        .map(parseJson)
  const all = lines.map(lineOf)
  const types = new Map<string, string>()
  for (const { vertex } of all) for (const [name, value] of vertex.properties) types.set(name, typeof value)
  return {
    vertices: all.map(({ vertex }) => vertex),
    edges: all.flatMap(({ edges }) => edges),
    columns: [...types].map(([name, type]) => ({ name, type }))
  }
}

/** Reads a file by the end of its name. */
export const readFile = (name: string, text: string, label: string): ParsedFile => {
  if (/\.csv$/i.test(name)) return readCsv(text, label)
  if (/\.(?:graphml|xml)$/i.test(name)) return readGraphml(text, label)
  if (/\.(?:graphson|json|jsonl)$/i.test(name)) return readGraphson(text)
  throw new Error("its name ends neither in .csv, nor in .json, .graphson, .graphml or .xml")
}
