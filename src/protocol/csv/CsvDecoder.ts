import { TaggedError } from "../../structure/errors/TaggedError.ts"
import type { EdgeListing, GraphDecoder, GraphReceiver, StreamedProperty } from "../../structure/graph/GraphStream.ts"
import { FileText, Tail } from "../FileText.ts"
import { ProtocolError } from "../ProtocolError.ts"
import { labelOf, splitArray } from "./CsvArrays.ts"
import { type CsvColumn, type CsvHeader, readHeader } from "./CsvHeader.ts"
import { CsvRecords } from "./CsvRecords.ts"
import type { CsvType } from "./CsvTypes.ts"

/** Options of a decoder. */
interface CsvOptions {
  /** The label of elements without a label. Default `vertex` and `edge`. */
  readonly label?: string | undefined
  /** These precede `label`. */
  readonly vertexLabel?: string | undefined
  readonly edgeLabel?: string | undefined
  /** The character between fields. Default: a comma. */
  readonly delimiter?: string | undefined
  /** New columns by the names of the file, as `name` or `name:Type`. */
  readonly columns?: ReadonlyMap<string, string> | undefined
}

const ALONE: EdgeListing = "alone"
const NONE: ReadonlyMap<string, unknown> = new Map()

/**
 * Reads a CSV file with a header: vertices (`~id,~label,name:String,tags:String[]`) or edges (`~id,~from,~to,~label,since:Int`) in
 * Neptune's format, with plain names (`id,label,name`), or with Neo4j's names (`personId:ID(Person),:LABEL`). An empty field
 * means no property.
 */
export class CsvDecoder implements GraphDecoder {
  readonly #receiver: GraphReceiver
  readonly #options: CsvOptions
  readonly #text = new FileText()
  readonly #records: CsvRecords
  #header: CsvHeader | undefined
  #line = 1
  readonly #tail = new Tail()

  constructor(receiver: GraphReceiver, options: CsvOptions = {}) {
    this.#receiver = receiver
    this.#options = options
    this.#records = new CsvRecords((fields, line) => this.#record(fields, line), options.delimiter)
  }

  get line(): number {
    return this.#line
  }

  get tail(): number {
    return this.#tail.bytes
  }

  push(bytes: Uint8Array): void {
    const text = this.#text.decode(bytes)
    this.#records.push(text)
    this.#tail.read(bytes, text, this.#records.ended, this.#text.undecoded)
  }

  end(): void {
    this.#records.push(this.#text.end())
    this.#records.end()
    if (this.#header === undefined) throw new ProtocolError("line 1: the file has no header")
  }

  #record(fields: ReadonlyArray<string>, line: number): void {
    if (this.#header === undefined) {
      this.#header = readHeader(fields, this.#options.columns)
      return
    }
    this.#line = line
    try {
      this.#element(this.#header, fields, line)
    } catch (error) {
      if (error instanceof ProtocolError || !(error instanceof TaggedError)) throw error
      throw new ProtocolError(`line ${line}: ${error.message}`)
    }
  }

  #element({ columns, kind }: CsvHeader, fields: ReadonlyArray<string>, line: number): void {
    if (fields.length !== columns.length) {
      const found = fields.length === 1 ? "is 1 field" : `are ${fields.length} fields`
      throw new ProtocolError(`line ${line}: there ${found}, and the header has ${columns.length}`)
    }
    if (kind === "vertices") this.#vertex(columns, fields, line)
    else this.#edge(columns, fields, line)
  }

  #vertex(columns: ReadonlyArray<CsvColumn>, fields: ReadonlyArray<string>, line: number): void {
    let id: unknown
    let label = this.#options.vertexLabel ?? this.#options.label ?? "vertex"
    const properties: Array<StreamedProperty> = []
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at]!
      const field = fields[at]!
      switch (column.kind) {
        case "id":
          id = idOf(column, field, line, at)
          if (column.property !== undefined) {
            properties.push({ id: undefined, key: column.property, value: field, meta: null })
          }
          break
        case "label":
          if (field !== "") label = labelOf(field)
          break
        case "property":
          if (field !== "") vertexProperties(column, field, line, at, properties)
          break
        default:
      }
    }
    this.#receiver.vertex({ id, label, properties })
  }

  #edge(columns: ReadonlyArray<CsvColumn>, fields: ReadonlyArray<string>, line: number): void {
    let id: unknown
    let out: unknown
    let into: unknown
    let label = this.#options.edgeLabel ?? this.#options.label ?? "edge"
    let properties: Map<string, unknown> | undefined
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at]!
      const field = fields[at]!
      switch (column.kind) {
        case "id":
          // An edge without an id gets one from the graph.
          if (field !== "") id = idOf(column, field, line, at)
          break
        case "from":
          out = idOf(column, field, line, at)
          break
        case "to":
          into = idOf(column, field, line, at)
          break
        case "label":
          if (field !== "") label = labelOf(field)
          break
        case "property":
          if (field === "") break
          properties ??= new Map()
          // A key whose values have several types has a column for each type.
          if (properties.has(column.key)) {
            const problem = "a property of an edge has one value, and another column of the key has one, too"
            throw new ProtocolError(`${place(line, at, column.key)}: ${problem}`)
          }
          properties.set(column.key, column.array ? only(column, field, line, at) : parsed(column, field, line, at))
          break
        default:
      }
    }
    this.#receiver.edge({ id, label, out, in: into, properties: properties ?? NONE }, ALONE)
  }
}

type IdColumn = Extract<CsvColumn, { readonly kind: "id" | "from" | "to" }>
type PropertyColumn = Extract<CsvColumn, { readonly kind: "property" }>

/** The place of a field in messages. Columns count from 1. */
const place = (line: number, at: number, name: string): string => `line ${line}, column ${at + 1} (${name})`

const idOf = (column: IdColumn, field: string, line: number, at: number): unknown => {
  if (field === "") throw new ProtocolError(`${place(line, at, `~${column.kind}`)}: the id is empty`)
  if (column.space !== "") return `${column.space}\u0000${field}`
  return column.type.name === "String" ? field : parsed({ key: `~${column.kind}`, type: column.type }, field, line, at)
}

const parsed = (
  { key, type }: { readonly key: string; readonly type: CsvType },
  field: string,
  line: number,
  at: number
): unknown => {
  const value = type.parse(field)
  if (value !== undefined) return value
  const name = `${key}:${type.name}`
  throw new ProtocolError(`${place(line, at, name)}: '${field.slice(0, 60)}' is no ${type.name}`)
}

const vertexProperties = (
  column: PropertyColumn,
  field: string,
  line: number,
  at: number,
  to: Array<StreamedProperty>
): void => {
  const { key, array } = column
  const cardinality = column.cardinality ?? (array ? "set" : undefined)
  const found = cardinality === undefined ? undefined : { cardinality }
  for (const text of array ? splitArray(field) : [field]) {
    const value = parsed(column, text, line, at)
    to.push({ id: undefined, key, value, meta: null, ...found })
  }
}

/** The only value of an array. Fails for several values, because properties of edges have one value. */
const only = (column: PropertyColumn, field: string, line: number, at: number): unknown => {
  const values = splitArray(field)
  if (values.length === 1) return parsed(column, values[0]!, line, at)
  throw new ProtocolError(
    `${place(line, at, column.key)}: a property of an edge has one value, and there are ${values.length}`
  )
}
