import { type ColumnSpec, cqlTypes, type Markers, RowsHeader, type Type } from "./Frames.ts"
import type { Range } from "./Tables.ts"

/** What a condition or an option of a statement is compared with: a marker, by its position. */
type Conditions = ReadonlyMap<string, number>

/** A statement over a table of cells. */
export interface Statement extends Markers {
  readonly kind: "select" | "insert" | "delete"
  /** Positions of markers, by what they stand for: `key =`, `key IN`, `column1 >=`, `TIMESTAMP`, `LIMIT` and so on. */
  readonly at: Conditions
  readonly reverse: boolean
  /** The columns of the answer. */
  readonly header: RowsHeader
}

/** Says that a text is not a statement that the simulated cluster knows. */
export class UnknownStatement extends Error {}

const NAME = String.raw`"?(\w+)"?\."?(\w+)"?`
const SELECT = new RegExp(`^SELECT (.+) FROM ${NAME}(.*)$`)
const INSERT = new RegExp(`^INSERT INTO ${NAME} \\(key, column1, value\\) VALUES \\(\\?, \\?, \\?\\)(.*)$`)
const DELETE = new RegExp(`^DELETE FROM ${NAME}(.*)$`)

const CONDITION =
  /^\s*(?:WHERE|AND|USING)?\s*(key =|key IN|column1 (?:>=|<=|=|>|<)|token\(key\) (?:>=|<=|>|<)|TIMESTAMP|TTL|PER PARTITION LIMIT|LIMIT) (token\(\?\)|\?)/

const typeOf = (what: string, marker: string): Type => {
  if (what === "key IN") return cqlTypes.blobs
  if (what.startsWith("token")) return marker === "?" ? cqlTypes.bigint : cqlTypes.blob
  if (what === "TIMESTAMP") return cqlTypes.bigint
  return what === "TTL" || what.endsWith("LIMIT") ? cqlTypes.int : cqlTypes.blob
}

/** Reads the conditions and options at the end of a statement. */
const readRest = (text: string, rest: string, markers: Array<ColumnSpec>, at: Map<string, number>): boolean => {
  let left = rest
  let reverse = false
  while (left.trim() !== "") {
    const order = /^\s*ORDER BY column1 (DESC|ASC)/.exec(left)
    if (order !== null) {
      reverse = order[1] === "DESC"
      left = left.slice(order[0].length)
      continue
    }
    const found = CONDITION.exec(left)
    if (found === null) throw new UnknownStatement(`The simulated cluster does not know "${left.trim()}" in: ${text}`)
    const [whole, what, marker] = found as unknown as readonly [string, string, string]
    at.set(marker === "?" ? what : `${what} of key`, markers.length)
    markers.push({ name: what, type: typeOf(what, marker) })
    left = left.slice(whole.length)
  }
  return reverse
}

const columnOf = (text: string, column: string): ColumnSpec => {
  const [, what, alias] = /^(\w+|\w+\(\w+\))(?: AS (\w+))?$/.exec(column.trim()) ?? []
  const types: Readonly<Record<string, Type>> = {
    key: cqlTypes.blob,
    column1: cqlTypes.blob,
    value: cqlTypes.blob,
    "writetime(value)": cqlTypes.bigint
  }
  const type = types[what?.toLowerCase() ?? ""]
  if (type === undefined || what === undefined) {
    throw new UnknownStatement(`The simulated cluster does not know the column "${column}" in: ${text}`)
  }
  return { name: alias ?? what.toLowerCase(), type }
}

/** Reads a statement over a table of JanusGraph's form. Throws UnknownStatement. */
export const parse = (text: string): Statement => {
  const markers: Array<ColumnSpec> = []
  const at = new Map<string, number>()
  const end = (kind: Statement["kind"], keyspace: string, table: string, columns: string, rest: string): Statement => {
    const reverse = readRest(text, rest, markers, at)
    const specs = columns === "" ? [] : columns.split(",").map((column) => columnOf(text, column))
    const header = new RowsHeader(keyspace, table, specs)
    return { kind, keyspace, table, markers, at, reverse, header, keyAt: at.get("key =") }
  }
  const select = SELECT.exec(text)
  if (select !== null) return end("select", select[2]!, select[3]!, select[1]!, select[4]!)
  const insert = INSERT.exec(text)
  if (insert !== null) {
    for (const [name, what] of Object.entries({ key: "key =", column1: "column1 =", value: "value" })) {
      at.set(what, markers.length)
      markers.push({ name, type: cqlTypes.blob })
    }
    return end("insert", insert[1]!, insert[2]!, "", insert[3]!)
  }
  const removal = DELETE.exec(text)
  if (removal !== null) return end("delete", removal[1]!, removal[2]!, "", removal[3]!)
  throw new UnknownStatement(`The simulated cluster does not know the statement: ${text}`)
}

/** The values of one execution, by what they stand for. */
export class Values {
  readonly #statement: Statement
  readonly #values: ReadonlyArray<Buffer | null>

  constructor(statement: Statement, values: ReadonlyArray<Buffer | null>) {
    this.#statement = statement
    this.#values = values
  }

  /** The value of a marker; undefined if the statement has no such marker. */
  get(what: string): Buffer | undefined {
    const at = this.#statement.at.get(what)
    return at === undefined ? undefined : (this.#values[at] ?? undefined)
  }

  /** A number, or `otherwise` if the statement has no such marker. */
  int(what: string, otherwise: number): number {
    return this.get(what)?.readInt32BE() ?? otherwise
  }

  /** The time stamp of a write, microseconds. */
  time(): bigint {
    return this.get("TIMESTAMP")?.readBigInt64BE() ?? BigInt(Date.now()) * 1000n
  }

  /** The keys of `key IN`. */
  keys(): ReadonlyArray<Buffer> {
    const list = this.get("key IN")
    if (list === undefined) return []
    const keys: Array<Buffer> = []
    for (let at = 4; at < list.length; ) {
      const length = list.readInt32BE(at)
      keys.push(list.subarray(at + 4, at + 4 + length))
      at += 4 + length
    }
    return keys
  }

  /** The columns that the statement reads or removes. */
  range(): Range {
    const only = this.get("column1 =")
    if (only !== undefined) return { start: only, end: only, withEnd: true }
    const after = this.get("column1 >")
    const upTo = this.get("column1 <=")
    return {
      start: after ?? this.get("column1 >="),
      afterStart: after !== undefined,
      end: upTo ?? this.get("column1 <"),
      withEnd: upTo !== undefined
    }
  }
}
