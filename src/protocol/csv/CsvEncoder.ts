import { type Edge, Vertex } from "../../structure/elements/Element.ts"
import { text } from "../../structure/texts/Text.ts"
import { isSameValue, isWholeText, refusedBy, refusedValue } from "../FileValues.ts"
import type { SerializationError } from "../ProtocolError.ts"
import { csvType, csvValue } from "./CsvTypes.ts"

/** The column of one key and one type, as the survey found it. */
interface KeyColumn {
  readonly key: string
  readonly type: string
  /** True when an element has several values of the key, of this type or another. */
  array: boolean
  /** True when an element has the same value twice. */
  repeated: boolean
  /** True if a value is the empty string. CSV can represent it only in an array. */
  empty: boolean
}

/** The columns of one of the two files. */
class Columns {
  readonly #found = new Map<string, KeyColumn>()
  /** Types of the ids. The header names the type if all ids have the same one. */
  readonly idTypes = new Set<string>()

  add(key: string, type: string): KeyColumn {
    const name = `${type} ${key}`
    let column = this.#found.get(name)
    if (column === undefined) {
      column = { key, type, array: false, repeated: false, empty: false }
      this.#found.set(name, column)
    }
    return column
  }

  get sorted(): ReadonlyArray<KeyColumn> {
    return [...this.#found.values()].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.type < b.type ? -1 : 1))
  }
}

/**
 * Writes a graph as two CSV files in Neptune's format, vertices and edges. {@link survey} must see every element first, because
 * the header has all keys with their types. A key whose values have several types has a column for each type.
 */
export class CsvEncoder {
  readonly #vertices = new Columns()
  readonly #edges = new Columns()
  readonly #typedIds: boolean
  #vertexColumns: ReadonlyArray<KeyColumn> = []
  #edgeColumns: ReadonlyArray<KeyColumn> = []

  /** @param typedIds the header names the types of ids that are not texts, for graphs that keep the ids of a file */
  constructor(typedIds: boolean) {
    this.#typedIds = typedIds
  }

  survey(element: Vertex | Edge): void {
    const columns = element instanceof Vertex ? this.#vertices : this.#edges
    const idType = csvValue(element.id)?.type ?? "String"
    if (this.#typedIds && columns.idTypes.size > 0 && !columns.idTypes.has(idType)) {
      throw refused(element, `an id of the type ${idType}, and other ids have the type ${[...columns.idTypes].join()}`)
    }
    columns.idTypes.add(idType)
    if (!isWholeText(idText(element.id)) || !isWholeText(element.label))
      throw refused(element, "an incomplete character (half of a surrogate pair) in its id or label")
    const seen = new Map<KeyColumn, Set<string>>()
    const seenOfKey = new Map<string, KeyColumn>()
    for (const { key, value } of element.properties()) {
      const written = writtenValue(element, key, value)
      const column = columns.add(key, written.type)
      const other = seenOfKey.get(key)
      seenOfKey.set(key, column)
      if (other !== undefined && other !== column) other.array = column.array = true
      if (written.text === "") column.empty = true
      const values = seen.get(column)
      if (values === undefined) seen.set(column, new Set([written.text]))
      else {
        column.array = true
        if (values.has(written.text)) column.repeated = true
        values.add(written.text)
      }
    }
  }

  vertexHeader(): string {
    this.#vertexColumns = this.#vertices.sorted
    return line([`~id${this.#idType(this.#vertices)}`, "~label", ...this.#vertexColumns.map(named)])
  }

  edgeHeader(): string {
    this.#edgeColumns = this.#edges.sorted
    const ends = this.#idType(this.#vertices)
    const head = [`~id${this.#idType(this.#edges)}`, `~from${ends}`, `~to${ends}`, "~label"]
    return line([...head, ...this.#edgeColumns.map(({ key, type, empty }) => `${key}:${type}${empty ? "[]" : ""}`)])
  }

  #idType({ idTypes }: Columns): string {
    const [type] = idTypes
    return this.#typedIds && idTypes.size === 1 && type !== "String" ? `:${type}` : ""
  }

  vertex(vertex: Vertex): string {
    const values = new Map<string, Array<string>>()
    for (const { key, meta, value } of vertex.properties()) {
      if (meta !== null && meta.size > 0) throw refused(vertex, `meta-properties of ${key}`)
      const written = writtenValue(vertex, key, value)
      const name = `${written.type} ${key}`
      const known = values.get(name)
      if (known === undefined) values.set(name, [written.text])
      else known.push(written.text)
    }
    const fields = this.#vertexColumns.map(({ key, type, array, empty }) => {
      const found = values.get(`${type} ${key}`)
      if (found === undefined) return ""
      return array || empty ? found.map(escaped).join(";") : found[0]!
    })
    return line([idText(vertex.id), labelText(vertex.label), ...fields])
  }

  edge(edge: Edge): string {
    const values = new Map<string, string>()
    for (const { key, value } of edge.properties()) {
      const written = writtenValue(edge, key, value)
      values.set(`${written.type} ${key}`, written.text)
    }
    const fields = this.#edgeColumns.map(({ key, type, empty }) => {
      const found = values.get(`${type} ${key}`)
      if (found === undefined) return ""
      return empty ? escaped(found) : found
    })
    const ends = [idText(edge.outVertex.id), idText(edge.inVertex.id)]
    return line([idText(edge.id), ...ends, labelText(edge.label), ...fields])
  }
}

/**
 * The header of a column, such as `name:String` or `tags:String[]`. `(list)` marks a column in which an element has equal values.
 * `(single)` marks an array that is used only to represent the empty string.
 */
const named = ({ key, type, array, empty, repeated }: KeyColumn): string => {
  if (array) return `${key}:${type}${repeated ? "(list)" : ""}[]`
  return `${key}:${type}${empty ? "(single)[]" : ""}`
}

const refused = (element: Vertex | Edge, what: string): SerializationError => refusedBy("CSV", element, what)

const writtenValue = (element: Vertex | Edge, key: string, value: unknown) => {
  const written = csvValue(value)
  if (written === undefined || !isHeld(value, written)) throw refusedValue("CSV", element, key, value)
  if (/^~|^$|^\s|\s$/.test(key) || !isWholeText(key)) throw refused(element, `the key '${key}'`)
  return written
}

/** True if a reader of the file gets the same value. */
const isHeld = (value: unknown, written: { readonly type: string; readonly text: string }): boolean =>
  typeof value === "string" ? isWholeText(value) : isSameValue(csvType(written.type)?.parse(written.text), value)

const idText = (id: unknown): string => csvValue(id)?.text ?? text(id)

/** Escapes a label: a semicolon would separate labels, and a leading colon would be omitted. */
const labelText = (label: string): string => (label.startsWith(":") ? `\\e${escaped(label)}` : escaped(label))

const escaped = (value: string): string => (value === "" ? "\\e" : value.replace(/[\\;]/g, "\\$&"))

const line = (fields: ReadonlyArray<string>): string => `${fields.map(quoted).join(",")}\n`

/** Quotes a field as in RFC 4180. */
const quoted = (field: string): string => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)
