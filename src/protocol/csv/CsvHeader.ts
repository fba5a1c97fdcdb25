import { ProtocolError } from "../ProtocolError.ts"
import { type CsvType, csvType, csvTypeNames, stringType } from "./CsvTypes.ts"

/** The cardinality of a property in the header. */
export type CsvCardinality = "single" | "set" | "list"

/** The meaning of one column. */
export type CsvColumn =
  | { readonly kind: "id" | "from" | "to"; readonly type: CsvType; readonly space: string; readonly property?: string }
  | { readonly kind: "label" }
  | {
      readonly kind: "property"
      readonly key: string
      readonly type: CsvType
      /** True for several values, separated by semicolons. */
      readonly array: boolean
      readonly cardinality: CsvCardinality | undefined
    }
  | { readonly kind: "ignored" }

/** The columns of a file. */
export interface CsvHeader {
  readonly kind: "vertices" | "edges"
  readonly columns: ReadonlyArray<CsvColumn>
}

/** System columns by their names: Neptune's, and plain ones. */
const systemNames: Readonly<Record<string, "id" | "label" | "from" | "to">> = {
  "~id": "id",
  "~label": "label",
  "~from": "from",
  "~to": "to",
  id: "id",
  label: "label",
  from: "from",
  to: "to",
  source: "from",
  target: "to"
}

/** Neo4j's system columns by the name after the colon. */
const neo4jKinds: Readonly<Record<string, "id" | "label" | "from" | "to" | "ignored">> = {
  ID: "id",
  LABEL: "label",
  TYPE: "label",
  START_ID: "from",
  END_ID: "to",
  IGNORE: "ignored"
}

const fail = (field: number, reason: string): never => {
  throw new ProtocolError(`line 1, column ${field}: ${reason}`)
}

/** A system column of Neo4j: `personId:ID(Person)`, `:START_ID(Person)`, `:LABEL`; undefined for another column. */
const neo4jColumn = (name: string, kind: string, space: string): CsvColumn | undefined => {
  const known = Object.hasOwn(neo4jKinds, kind) ? neo4jKinds[kind] : undefined
  if (known === undefined) return undefined
  if (known === "label" || known === "ignored") return { kind: known }
  const made = { kind: known, type: stringType, space } as const
  return known === "id" && name !== "" ? { ...made, property: name } : made
}

const cardinalities: ReadonlyArray<string> = ["single", "set", "list"] satisfies ReadonlyArray<CsvCardinality>

/** The part after the colon: `Type`, `Type(argument)`, `Type[]`, `Type(argument)[]`. */
const typed = /^(.*):(\w+)(?:\(([^)]*)\))?(\[\])?$/s

/** The column `name` or `name:Type(cardinality)[]`. With `tilde` only names that begin with one are system columns. */
const column = (written: string, place: number, tilde: boolean): CsvColumn => {
  const text = written.trim()
  if (text === "") return fail(place, "the header has an empty name")
  const parts = typed.exec(text)
  if (parts === null && text.includes(":")) return fail(place, badType(text))
  const [, name = text, type, argument = "", array] = parts ?? []
  const special = type === undefined ? undefined : neo4jColumn(name, type, argument)
  if (special !== undefined) return special
  const found = type === undefined ? stringType : csvType(type)
  if (found === undefined) return fail(place, badType(text))
  const kind = systemColumn(name, tilde)
  if (kind === "label") return { kind }
  if (kind !== undefined) return { kind, type: found, space: "" }
  if (name.startsWith("~")) {
    return fail(place, `there is no system column ${name}: there are ~id, ~label, ~from and ~to`)
  }
  if (name === "") return fail(place, `the property in '${text}' has no name`)
  const cardinality = argument.toLowerCase()
  if (cardinality !== "" && !cardinalities.includes(cardinality)) return fail(place, badType(text))
  return {
    kind: "property",
    key: name,
    type: found,
    array: array !== undefined,
    cardinality: cardinality === "" ? undefined : (cardinality as CsvCardinality)
  }
}

const systemColumn = (name: string, tilde: boolean): "id" | "label" | "from" | "to" | undefined => {
  const key = tilde ? name : name.toLowerCase()
  if (tilde && !name.startsWith("~")) return undefined
  return Object.hasOwn(systemNames, key) ? systemNames[key] : undefined
}

const badType = (text: string): string =>
  `'${text}' names no type: there are ${csvTypeNames.join(", ")}, each also with (single), (set) or (list), and with []`

/** Fails when two columns have the same key and type. */
const refuseRepeated = (columns: ReadonlyArray<CsvColumn>): void => {
  const seen = new Map<string, number>()
  for (const [at, column] of columns.entries()) {
    if (column.kind !== "property") continue
    const name = `${column.key}:${column.type.name}`
    const first = seen.get(name)
    if (first !== undefined) fail(at + 1, `the header has the property ${name} already, in column ${first}`)
    seen.set(name, at + 1)
  }
}

/** The likely separator of a header that is one field; undefined when there is none. */
const otherSeparator = ([only, ...more]: ReadonlyArray<string>): string | undefined => {
  if (only === undefined || more.length > 0) return undefined
  return only.includes(",")
    ? "commas"
    : only.includes(";")
      ? "semicolons"
      : only.includes("\t")
        ? "tabs"
        : only.includes("|")
          ? "bars"
          : undefined
}

/** The name of a column without its type. */
const nameOf = (field: string): string => {
  const text = field.trim()
  return typed.exec(text)?.[1] ?? text
}

/**
 * The header with other columns. A new column without a type keeps the type that the file names. The old name may include the
 * type, to choose one of several columns.
 */
const mapped = (fields: ReadonlyArray<string>, columns: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  fields.map((field) => {
    const text = field.trim()
    const name = nameOf(text)
    const column = columns.get(text) ?? columns.get(name)
    if (column === undefined) return field
    return column.includes(":") ? column : column + text.slice(name.length)
  })

/** The columns of a mapping that a header has, by the names that the mapping uses. */
export const mappedNames = (
  fields: ReadonlyArray<string>,
  columns: ReadonlyMap<string, string>
): ReadonlyArray<string> => fields.flatMap((field) => [field.trim(), nameOf(field)]).filter((name) => columns.has(name))

/**
 * Reads the first record of a file. Fails with ProtocolError, which names the place.
 *
 * @param columnNames new columns by the names of the file, as `name` or `name:Type`
 */
export const readHeader = (written: ReadonlyArray<string>, columnNames?: ReadonlyMap<string, string>): CsvHeader => {
  const fields = columnNames === undefined ? written : mapped(written, columnNames)
  // When system columns have a tilde, names such as `label` are ordinary properties.
  const tilde = fields.some((field) => /^~(id|from|to|label)\b/.test(field.trim()))
  const separator = otherSeparator(fields)
  if (separator !== undefined) {
    fail(
      1,
      `the header is one column; columns are separated by another character than these, which seem to be by ${separator}: give --delimiter`
    )
  }
  const columns = fields.map((field, at) => column(field, at + 1, tilde))
  const count = (kind: CsvColumn["kind"]): number => columns.filter((each) => each.kind === kind).length
  for (const kind of ["id", "label", "from", "to"] as const) {
    if (count(kind) > 1) fail(1, `the header has ${count(kind)} columns for the ${kind}; one is expected`)
  }
  if (count("from") !== count("to")) fail(1, "edges need both ends: ~from and ~to")
  refuseRepeated(columns)
  const kind = count("from") === 1 ? "edges" : "vertices"
  if (kind === "vertices" && count("id") === 0) {
    fail(1, "the header has neither ~id (vertices) nor ~from and ~to (edges); plain names id, from and to will do too")
  }
  return { kind, columns }
}
