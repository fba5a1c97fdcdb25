import { createHash } from "node:crypto"
import {
  BodyReader,
  bytesOf,
  created,
  errorCodes,
  intOf,
  opcodes,
  type Parameters,
  parametersOf,
  prepared,
  stringOf,
  VOID
} from "./Frames.ts"
import { parse, type Statement, UnknownStatement, Values } from "./Statements.ts"
import { type SystemQuery, SystemTables } from "./SystemTables.ts"
import { type Cell, cellsIn, type Row, Table } from "./Tables.ts"

/** What a cluster has done since its start. */
export interface Work {
  /** Statements that read, each page for itself. */
  readonly reads: number
  /** Rows that these statements have read. */
  readonly rows: number
  /** Cells of these rows. */
  readonly cells: number
  /** Statements and batches that write. */
  readonly writes: number
  /** Rows that they have written: a batch may write several. */
  readonly written: number
}

/** The type and the body of an answer. */
export interface Answer {
  readonly opcode: number
  readonly body: Buffer
}

const result = (body: Buffer): Answer => ({ opcode: opcodes.result, body })

/** An answer that says what is wrong. */
export const errorAnswer = (code: number, message: string, more: ReadonlyArray<Buffer> = []): Answer => ({
  opcode: opcodes.error,
  body: Buffer.concat([intOf(code), stringOf(message), ...more])
})

const CREATE = /^CREATE (KEYSPACE|TABLE) IF NOT EXISTS "?(\w+)"?(?:\."?(\w+)"?)?/

/** Tables whose statements are not work of requests: messages between instances, and ids in blocks. */
const background = new Set(["systemlog", "janusgraph_ids"])

const longOf = (value: bigint): Buffer => {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigInt64BE(value)
  return bytes
}

/** The name of a column that is not `key`, `column1` or `value`: the write time. */
const isTime = (name: string): boolean => name !== "key" && name !== "column1" && name !== "value"

/**
 * One node of a cluster in memory. It answers the statements of this server over tables of JanusGraph's form, and what a driver
 * asks when it connects. It refuses every other statement.
 */
export class Cluster {
  readonly #system = new SystemTables()
  readonly #tables = new Map<string, Table>()
  readonly #prepared = new Map<string, Statement | SystemQuery>()
  #reads = 0
  #rows = 0
  #cells = 0
  #writes = 0
  #written = 0

  /** Forgets the prepared statements, as a node that restarts. */
  forget(): void {
    this.#prepared.clear()
  }

  /** What the cluster has done for tables of graphs. */
  get work(): Work {
    return { reads: this.#reads, rows: this.#rows, cells: this.#cells, writes: this.#writes, written: this.#written }
  }

  /** Answers a request. */
  answer(opcode: number, body: Buffer): Answer {
    try {
      return this.#answer(opcode, new BodyReader(body))
    } catch (error) {
      if (!(error instanceof UnknownStatement)) throw error
      return errorAnswer(errorCodes.invalid, error.message)
    }
  }

  #answer(opcode: number, reader: BodyReader): Answer {
    switch (opcode) {
      case opcodes.options:
        // An empty list of options.
        return { opcode: opcodes.supported, body: Buffer.from([0, 0]) }
      case opcodes.startup:
      case opcodes.register:
        return { opcode: opcodes.ready, body: Buffer.alloc(0) }
      case opcodes.query:
        return this.#query(reader.longString(), parametersOf(reader))
      case opcodes.prepare:
        return this.#prepare(reader.longString())
      case opcodes.execute:
        return this.#execute(reader.shortBytes(), reader)
      case opcodes.batch:
        return this.#batch(reader)
      default:
        return errorAnswer(errorCodes.protocol, `The simulated cluster does not know the message ${opcode}`)
    }
  }

  #statement(text: string): Statement | SystemQuery {
    return this.#system.parse(text) ?? parse(text)
  }

  #query(text: string, parameters: Parameters): Answer {
    const creation = CREATE.exec(text)
    if (creation === null) return this.#run(this.#statement(text), parameters)
    const [, , keyspace, table] = creation
    this.#system.create(keyspace!, table)
    return result(created(keyspace!, table))
  }

  #prepare(text: string): Answer {
    const id = createHash("md5").update(text).digest()
    const statement = this.#prepared.get(id.toString("latin1")) ?? this.#statement(text)
    this.#prepared.set(id.toString("latin1"), statement)
    const reads = "names" in statement || statement.kind === "select"
    return result(prepared(id, statement, reads ? statement.header : undefined))
  }

  #execute(id: Buffer, reader: BodyReader): Answer {
    const statement = this.#prepared.get(id.toString("latin1"))
    if (statement !== undefined) return this.#run(statement, parametersOf(reader))
    const name = Buffer.concat([Buffer.from([0, id.length]), id])
    return errorAnswer(errorCodes.unprepared, "This statement was not prepared", [name])
  }

  #run(statement: Statement | SystemQuery, parameters: Parameters): Answer {
    if ("names" in statement) return result(this.#system.answer(statement, parameters.values))
    if (statement.kind === "select") return result(this.#select(statement, parameters))
    this.#writeAll([[statement, new Values(statement, parameters.values)]])
    return result(VOID)
  }

  #batch(reader: BodyReader): Answer {
    reader.byte()
    const writes: Array<readonly [Statement, Values]> = []
    for (let left = reader.short(); left > 0; left--) {
      const statement =
        reader.byte() === 0
          ? this.#statement(reader.longString())
          : this.#prepared.get(reader.shortBytes().toString("latin1"))
      const values = reader.values()
      if (statement === undefined || "names" in statement || statement.kind === "select") {
        return errorAnswer(errorCodes.invalid, "A batch has a statement that does not write or was not prepared")
      }
      writes.push([statement, new Values(statement, values)])
    }
    this.#writeAll(writes)
    return result(VOID)
  }

  /** Writes what one request writes. */
  #writeAll(writes: ReadonlyArray<readonly [Statement, Values]>): void {
    const rows = new Set<string>()
    for (const [statement, values] of writes) {
      this.#write(statement, values)
      if (!background.has(statement.table)) rows.add(`${statement.table} ${values.get("key =")!.toString("latin1")}`)
    }
    if (rows.size > 0) this.#writes++
    this.#written += rows.size
  }

  #table({ keyspace, table }: Statement): Table {
    const name = `${keyspace}.${table}`
    let found = this.#tables.get(name)
    if (found === undefined) {
      found = new Table()
      this.#tables.set(name, found)
    }
    return found
  }

  #write(statement: Statement, values: Values): void {
    const table = this.#table(statement)
    const key = values.get("key =")
    if (key === undefined) throw new UnknownStatement("A statement that writes needs a key")
    if (statement.kind === "delete") table.remove(key, values.range(), values.time())
    else table.add(key, values.get("column1 =")!, values.get("value")!, values.time(), values.int("TTL", 0))
  }

  #select(statement: Statement, { pageSize, pageState, values }: Parameters): Buffer {
    const given = new Values(statement, values)
    const rows = rowsOf(this.#table(statement), given)
    const perRow = given.int("PER PARTITION LIMIT", Number.POSITIVE_INFINITY)
    const range = given.range()
    const skipped = pageState?.readInt32BE() ?? 0
    const most = Math.min(pageSize, given.int("LIMIT", Number.POSITIVE_INFINITY) - skipped)
    const parts: Array<Buffer> = []
    let seen = 0
    let taken = 0
    let length = 0
    for (const row of rows.found) {
      for (const cell of cellsIn(row, range, statement.reverse, perRow)) {
        if (seen++ < skipped) continue
        if (taken === most) {
          seen = Number.POSITIVE_INFINITY
          break
        }
        taken++
        for (const part of partsOf(statement, row, cell)) {
          parts.push(part)
          length += part.length
        }
      }
      if (seen === Number.POSITIVE_INFINITY) break
    }
    // The limit of the statement ends its pages.
    const more = seen === Number.POSITIVE_INFINITY && most === pageSize
    if (!background.has(statement.table)) {
      this.#reads++
      // A further page reads no further row.
      if (pageState === undefined) this.#rows += rows.asked
      this.#cells += taken
    }
    const header = statement.header.start(more ? intOf(skipped + taken) : undefined)
    return Buffer.concat([header, intOf(taken), ...parts], header.length + 4 + length)
  }
}

/** The rows that a statement reads, and their number for the count of rows. */
const rowsOf = (table: Table, values: Values): { readonly found: Iterable<Row>; readonly asked: number } => {
  const key = values.get("key =")
  if (key !== undefined) {
    const row = table.row(key)
    return { found: row === undefined ? [] : [row], asked: 1 }
  }
  const keys = values.keys()
  if (keys.length > 0) return { found: keys.flatMap((name) => table.row(name) ?? []), asked: keys.length }
  const tokenOf = (what: string): bigint | undefined => {
    const named = values.get(`${what} of key`)
    return named === undefined ? values.get(what)?.readBigInt64BE() : table.token(named)
  }
  const above = tokenOf("token(key) >")
  const from = tokenOf("token(key) >=")
  const below = tokenOf("token(key) <")
  const upTo = tokenOf("token(key) <=")
  const found = table
    .rows()
    .filter(
      ({ token }) =>
        (above === undefined || token > above) &&
        (from === undefined || token >= from) &&
        (below === undefined || token < below) &&
        (upTo === undefined || token <= upTo)
    )
  return { found, asked: found.length }
}

/** The bytes of a cell in an answer. */
const partsOf = ({ header }: Statement, row: Row, cell: Cell): ReadonlyArray<Buffer> => {
  const [first, second, third] = header.columns
  // The two common answers.
  if (first?.name === "column1" && second?.name === "value" && third === undefined) return [cell.encoded]
  if (first?.name === "key" && second?.name === "column1" && third?.name === "value" && header.columns.length === 3) {
    return [bytesOf(row.key), cell.encoded]
  }
  return header.columns.map(({ name }) => {
    if (isTime(name)) return bytesOf(longOf(cell.time))
    return bytesOf(name === "key" ? row.key : name === "column1" ? cell.column : cell.value)
  })
}
