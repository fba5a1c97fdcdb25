import { labelOf, splitArray } from "../../src/protocol/csv/CsvArrays.ts"
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
  /** True for several values, separated by semicolons. */
  readonly isArray?: boolean
  /** The header names its type. */
  readonly isDeclared?: boolean
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
  number: "double",
  bool: "boolean",
  boolean: "boolean",
  string: "string"
}

/** Types of the server's CSV that the console does not read. */
const OTHER_TYPES: ReadonlySet<string> = new Set(
  "byte short date datetime localdatetime zoneddatetime duration uuid character char biginteger bigdecimal instant geoshape binary".split(
    " "
  )
)

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

/** The column of a header. With `tilde` only names that begin with one, or with a colon, have a role. Throws an Error. */
const columnOf = (written: string, values: ReadonlyArray<string>, tilde: boolean): CsvColumn => {
  const header = written.trim()
  const [, name = "", type, cardinality, brackets] = /^(.*):(\w+)(?:\((\w+)\))?(\[\])?$/s.exec(header) ?? []
  const declared = TYPES[(type ?? "").toLowerCase()]
  const isOther = OTHER_TYPES.has((type ?? "").toLowerCase())
  const system = (declared !== undefined || isOther ? name : header).toLowerCase()
  const role = !tilde || /^[~:]/.test(system) ? ROLES[system] : undefined
  if (role !== undefined) return { name: header, type: "string", role }
  const [, idName] = /^(.*):id(?:\(.*\))?$/i.exec(header) ?? []
  if (idName !== undefined) return { name: idName, type: "string", role: "id" }
  const [, end] = /^:(start|end)_id\(.*\)$/i.exec(header) ?? []
  if (end !== undefined) return { name: header, type: "string", role: end.toLowerCase() === "start" ? "from" : "to" }
  if (type?.toLowerCase() === "ignore") return { name, type: LEFT_OUT, role: "property" }
  const isCardinality = cardinality === undefined || /^(?:single|set|list)$/i.test(cardinality)
  if (declared !== undefined && name !== "" && isCardinality) {
    return { name, type: declared, role: "property", isArray: brackets !== undefined, isDeclared: true }
  }
  if (declared !== undefined || isOther || brackets !== undefined) throw new Error(texts.data.unreadColumn(header))
  return { name: header, type: guessed(values), role: "property" }
}

/** The names of the ends of an edge in files of other programs. A file of vertices may have them as properties. */
const OTHER_ENDS: Readonly<Partial<Record<string, CsvColumn["role"]>>> = { source: "from", target: "to" }

/** The columns with those of {@link OTHER_ENDS} as the ends of edges, if there are both without a type, and no other ends. */
const withEnds = (columns: ReadonlyArray<CsvColumn>): ReadonlyArray<CsvColumn> => {
  const roles = columns.map(({ isDeclared = false, name, role }) =>
    role === "property" && !isDeclared ? OTHER_ENDS[name.trim().toLowerCase()] : role
  )
  const hasEnds = columns.some(({ role }) => role === "from" || role === "to")
  if (hasEnds || !roles.includes("from") || !roles.includes("to")) return columns
  return columns.map((column, at) => ({ ...column, role: roles[at] ?? column.role }))
}

/** Whether an earlier column has the role of a column. */
const isRepeated = (columns: ReadonlyArray<CsvColumn>, role: CsvColumn["role"], at: number): boolean =>
  role !== "property" && columns.findIndex((column) => column.role === role) < at

/**
 * Whether a header is one that the console writes for vertices and edges. In another file, an edge whose ends are missing must not become
 * a vertex.
 */
const isHeadOfConsole = (headers: ReadonlyArray<string>): boolean =>
  headers[0] === "id" &&
  headers[1] === "label" &&
  headers.some((name, at) => name === "from" && headers[at + 1] === "to")

/** Reads CSV: edges when it has columns of both ends, else vertices. `label` is for rows without one. */
export const readCsv = (text: string, label: string, types: ChosenTypes): ParsedFile => {
  const [headers = [], ...rows] = recordsOf(text)
  if (rows.length === 0) throw new Error(texts.data.noRows)
  const long = rows.findIndex((row) => row.length > headers.length)
  if (long >= 0) throw new Error(texts.data.longRow(long + 1, rows[long]!.length, headers.length))
  const tilde = headers.some((header) => /^\s*~(?:id|from|to|label)\b/.test(header))
  const read = headers.map((header, at) => {
    const values = rows.map((row) => row[at] ?? "")
    return columnOf(header, values, tilde)
  })
  // Neptune and Neo4j name the ends of edges in their own way.
  const hasOwnNames = tilde || headers.some((header) => /:id(?:\(.*\))?\s*$/i.test(header))
  const columns = (hasOwnNames ? read : withEnds(read)).map((column) =>
    column.role === "property" ? { ...column, type: types.get(column.name) ?? column.type } : column
  )
  const repeated = hasOwnNames ? undefined : columns.find(({ role }, at) => isRepeated(columns, role, at))
  if (repeated !== undefined) throw new Error(texts.data.repeatedColumn(repeated.name))
  const isEdges = columns.some(({ role }) => role === "from") && columns.some(({ role }) => role === "to")
  const cell = (row: ReadonlyArray<string>, role: CsvColumn["role"]): string | undefined => {
    const at = columns.findIndex((column) => column.role === role)
    return at < 0 ? undefined : row[at]
  }
  const isSaved = isHeadOfConsole(headers)
  /** The console saves vertices and edges in one file: the rows of vertices have an id and no ends. */
  const isVertex = (row: ReadonlyArray<string>): boolean =>
    !isEdges || (isSaved && (["from", "to"] as const).every((end) => !cell(row, end)) && !!cell(row, "id"))
  const propertiesOf = (row: ReadonlyArray<string>): ReadonlyArray<NewProperty> =>
    columns.flatMap(({ isArray = false, name, role, type }, at) => {
      const value = row[at] ?? ""
      if (role !== "property" || value === "" || type === LEFT_OUT) return []
      const values = isArray ? splitArray(value) : [value]
      if (!isVertex(row) && values.length > 1) throw new Error(texts.data.severalValues(name))
      return values.map((one) => typedProperty(name, one, type as FileType))
    })
  const labelIn = (row: ReadonlyArray<string>): string => labelOf(cell(row, "label") ?? "") || label
  const shown = columns.map(({ name, role, type }) =>
    role === "property" ? { name, type, choices: CHOICES } : { name, type: role }
  )
  const contentOf = (row: ReadonlyArray<string>) => ({ label: labelIn(row), properties: propertiesOf(row) })
  const vertices = rows.filter(isVertex).map((row) => ({ key: cell(row, "id") ?? NO_KEY, ...contentOf(row) }))
  const edges = rows
    .filter((row) => !isVertex(row))
    .map((row) => ({ from: cell(row, "from") ?? "", to: cell(row, "to") ?? "", ...contentOf(row) }))
  return { vertices, edges, columns: shown }
}
