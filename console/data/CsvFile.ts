import { texts } from "../texts.ts"
import { type ChosenTypes, type NewProperty, NO_KEY, type ParsedFile } from "./ParsedFile.ts"
import { type FileType, isWhole, typedProperty } from "./TypedValue.ts"

/** Types that the user may choose for a column. A column that is left out makes no properties. */
const CHOICES = ["string", "int", "long", "float", "double", "boolean", "left out"]
const LEFT_OUT = "left out"

/** For each separator that spreadsheets write: the pattern of a field and of the separator or line end after it. */
const FIELDS = {
  ",": /(?:"((?:[^"]|"")*)"|((?!")[^,\r\n]*))(,|\r?\n|$)/gy,
  ";": /(?:"((?:[^"]|"")*)"|((?!")[^;\r\n]*))(;|\r?\n|$)/gy,
  "\t": /(?:"((?:[^"]|"")*)"|((?!")[^\t\r\n]*))(\t|\r?\n|$)/gy
} as const

type Delimiter = keyof typeof FIELDS

/** The delimiter of a text: a comma, or what the header has instead. */
const delimiterOf = (text: string): Delimiter => {
  const header = (/^[^\r\n]*/.exec(text)?.[0] ?? "").replace(/"(?:[^"]|"")*"/g, "")
  const others: ReadonlyArray<Delimiter> = [";", "\t"]
  return header.includes(",") ? "," : (others.find((delimiter) => header.includes(delimiter)) ?? ",")
}

/** The records of a CSV text. A field in quotes may contain delimiters, line ends and doubled quotes. */
const recordsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const records: Array<Array<string>> = []
  let record: Array<string> = []
  const source = text.replace(/^\ufeff/, "")
  const delimiter = delimiterOf(source)
  const field = new RegExp(FIELDS[delimiter])
  while (field.lastIndex < source.length) {
    const at = field.lastIndex
    const found = field.exec(source)
    if (found === null) throw new Error(texts.data.openQuote(at + 1))
    record.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? "")
    if (found[3] !== delimiter) {
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

const TYPES: Readonly<Record<string, FileType>> = {
  int: "int",
  integer: "int",
  long: "long",
  float: "float",
  double: "double",
  bool: "boolean",
  boolean: "boolean",
  string: "string"
}

const guessed = (values: ReadonlyArray<string>): FileType => {
  const given = values.filter((value) => value !== "")
  if (given.length === 0) return "string"
  // A number with a leading zero is a code.
  if (given.every((value) => /^-?(?:0|[1-9]\d*)$/.test(value) && isWhole(value, "long"))) {
    return given.every((value) => isWhole(value, "int")) ? "int" : "long"
  }
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

/** The names of the ends of an edge in files of other programs. A file of vertices may have one of them as a property. */
const OTHER_ENDS: Readonly<Partial<Record<string, CsvColumn["role"]>>> = { source: "from", target: "to" }

/** The columns with those of {@link OTHER_ENDS} as the ends of edges, if there are both and no other ends. */
const withEnds = (columns: ReadonlyArray<CsvColumn>): ReadonlyArray<CsvColumn> => {
  const roles = columns.map(({ name, role }) => (role === "property" ? OTHER_ENDS[name.trim().toLowerCase()] : role))
  const hasEnds = columns.some(({ role }) => role === "from" || role === "to")
  if (hasEnds || !roles.includes("from") || !roles.includes("to")) return columns
  return columns.map((column, at) => ({ ...column, role: roles[at] ?? column.role }))
}

/** Reads CSV: edges when it has columns of both ends, else vertices. `label` is for rows without one. */
export const readCsv = (text: string, label: string, types: ChosenTypes): ParsedFile => {
  const [headers = [], ...rows] = recordsOf(text)
  if (rows.length === 0) throw new Error(texts.data.noRows)
  const long = rows.findIndex((row) => row.length > headers.length)
  if (long >= 0) throw new Error(texts.data.longRow(long + 1, rows[long]!.length, headers.length))
  const read = headers.map((header, at) =>
    columnOf(
      header,
      rows.map((row) => row[at] ?? "")
    )
  )
  const columns = withEnds(read).map((column) =>
    column.role === "property" ? { ...column, type: types.get(column.name) ?? column.type } : column
  )
  const cell = (row: ReadonlyArray<string>, role: CsvColumn["role"]): string | undefined => {
    const at = columns.findIndex((column) => column.role === role)
    return at < 0 ? undefined : row[at]
  }
  const propertiesOf = (row: ReadonlyArray<string>): ReadonlyArray<NewProperty> =>
    columns.flatMap(({ name, role, type }, at) => {
      const value = row[at] ?? ""
      const isKept = role === "property" && value !== "" && type !== LEFT_OUT
      return isKept ? [typedProperty(name, value, type as FileType)] : []
    })
  const labelOf = (row: ReadonlyArray<string>): string =>
    (cell(row, "label") ?? "").split(";")[0]?.replace(/^:/, "") || label
  const shown = columns.map(({ name, role, type }) =>
    role === "property" ? { name, type, choices: CHOICES } : { name, type: role }
  )
  const isEdges = columns.some(({ role }) => role === "from") && columns.some(({ role }) => role === "to")
  if (!isEdges) {
    const vertices = rows.map((row) => ({
      key: cell(row, "id") ?? NO_KEY,
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
